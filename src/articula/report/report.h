#pragma once

#include <filesystem>
#include <string>

#include <articula/base/export.h>
#include <articula/report/report_data.h>

namespace articula::report {

/// One page of HTML that shows a run: its checks in a table, its signals in plots, where it came from.
///
/// The page holds all it needs: it asks nothing of any network, which its Content-Security-Policy makes sure of, and
/// only the page's own scripts, by their SHA-256, may run. Names and texts are shown as they are, whatever they hold.
/// A signal of more than `report_points` rows is thinned to its first and last row and the extremes between them; the
/// page says so. The same data give the same page.
ARTICULA_EXPORT std::string report_page(ReportData data);

/// The most points of one signal that a page holds.
inline constexpr std::size_t report_points = 4000;

/// Writes the page of `data` under a temporary name and renames it: the file is as it was, or whole.
ARTICULA_EXPORT void write_report(ReportData data, const std::filesystem::path& file);

}  // namespace articula::report
