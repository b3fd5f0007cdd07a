#pragma once

#include <string_view>

/// The files of which a report's page is made, embedded when the library is built (cmake/articula_embed.cmake).
namespace articula::embedded {

std::string_view report_page();    ///< study/report/page.html
std::string_view report_style();   ///< study/report/report.css
std::string_view report_script();  ///< study/report/report.js
std::string_view report_notice();  ///< study/report/notice.txt
std::string_view dygraphs_script();
std::string_view dygraphs_style();

}  // namespace articula::embedded
