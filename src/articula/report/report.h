#pragma once

#include <filesystem>
#include <string>

#include <articula/base/export.h>
#include <articula/report/report_data.h>

namespace articula::report {

/// An HTML page that shows a run: its checks in a table, its signals in plots, and its provenance.
///
/// The page is self-contained: it makes no network requests, which its Content-Security-Policy enforces, and only its
/// own scripts, identified by their SHA-256, may run. Names and texts are escaped. A signal of more than
/// `report_points` rows is thinned to its first and last row and the extremes between them; the page says so. The same
/// data give the same page.
ARTICULA_EXPORT std::string report_page(ReportData data);

/// Maximum number of points of one signal in a page.
inline constexpr std::size_t report_points = 4000;

/// Writes the page of `data` under a temporary name and renames it: the file is either unchanged or complete.
ARTICULA_EXPORT void write_report(ReportData data, const std::filesystem::path& file);

}  // namespace articula::report
