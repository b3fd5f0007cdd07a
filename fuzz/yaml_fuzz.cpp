// Any text: it is refused with an Error, or it is a model that survives being written and read again.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include <articula/formats/yaml_reader.h>
#include <articula/formats/yaml_writer.h>

using namespace articula::formats;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Findings findings;
  Model model;
  try {
    model = read_yaml({reinterpret_cast<const char*>(data), size}, "", findings);
  } catch (const Error&) {
    return 0;
  }
  // From here on nothing may go wrong: an Error that escapes is a crash.
  const std::string text = write_yaml(model);
  if (!(read_yaml(text, "", findings) == model)) std::abort();
  return 0;
}
