// Whatever the text: reading ends with a model or an Error. A model is written and read again, and is the
// same unless a loss was reported.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string_view>

#include <articula/formats/urdf_reader.h>
#include <articula/formats/urdf_writer.h>

namespace {

using namespace articula::formats;

std::optional<Model> read(std::string_view text, const ReadOptions& options) {
  Findings findings;
  try {
    return read_urdf(text, "fuzz.urdf", findings, options);
  } catch (const Error& error) {
    if (error.code().empty() || error.message().empty()) std::abort();
    return std::nullopt;
  }
}

/// The model that comes back from URDF.
Model there_and_back(const Model& model) {
  Findings losses;
  const std::string text = write_urdf(model, losses);
  const std::optional<Model> back = read(text, {});
  if (!back || (losses.empty() && *back != model)) {
    std::fprintf(stderr, "%s\n%s\n", back ? "the model changed:" : "what was written cannot be read:", text.c_str());
    std::abort();
  }
  return *back;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // The options vary with the size, so that the inputs themselves stay plain files.
  const ReadOptions options{.base = size % 2 == 0 ? ReadOptions::Base::fixed : ReadOptions::Base::floating,
                            .mimic = size / 2 % 2 == 0 ? ReadOptions::Mimic::coupled : ReadOptions::Mimic::independent,
                            .strict = size / 4 % 4 == 3};
  const auto model = read({reinterpret_cast<const char*>(data), size}, options);
  if (model) there_and_back(there_and_back(*model));
  return 0;
}
