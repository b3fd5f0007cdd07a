// Any text: it is refused with an Error, or it is a table whose columns are numbers or refused.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <articula/text/csv.h>

using namespace articula::text;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const CsvTable table({reinterpret_cast<const char*>(data), size}, "");
    // Few columns stand for all: each is read by itself.
    for (std::size_t k = 0; k < std::min<std::size_t>(table.names().size(), 8); ++k) {
      try {
        if (table.column(table.names()[k]).size() != table.rows()) std::abort();
        table.dimension(table.names()[k]);
      } catch (const Error&) {
      }
    }
  } catch (const Error&) {
  }
  return 0;
}
