#pragma once

#include <string_view>

/// The files of the report page, embedded when the library is built (cmake/articula_embed.cmake).
namespace articula::embedded {

std::string_view report_page();    ///< report/page/page.html
std::string_view report_style();   ///< report/page/report.css
std::string_view report_script();  ///< report/page/report.js
std::string_view report_notice();  ///< report/page/notice.txt
std::string_view dygraphs_script();
std::string_view dygraphs_style();

}  // namespace articula::embedded
