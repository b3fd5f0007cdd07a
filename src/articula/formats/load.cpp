#include <articula/formats/load.h>

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include <articula/base/text.h>
#include <articula/formats/internal/load_within.h>
#include <articula/formats/urdf_reader.h>
#include <articula/formats/urdf_writer.h>
#include <articula/formats/yaml_reader.h>
#include <articula/formats/yaml_writer.h>
#include <articula/text/file.h>

namespace articula::formats {
namespace {

enum class Format { yaml, urdf };

struct Extension {
  std::string_view text;
  Format format;
};
constexpr std::array extensions{
    Extension{".yaml", Format::yaml},
    Extension{".yml", Format::yaml},
    Extension{".urdf", Format::urdf},
    Extension{".xml", Format::urdf},
};

std::optional<Format> format_by_extension(const std::filesystem::path& file) {
  std::string extension = file.extension().string();
  for (char& c : extension) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  for (const Extension& known : extensions) {
    if (known.text == extension) return known.format;
  }
  return std::nullopt;
}

/// XML begins with <; a native file has a line that begins with its version.
std::optional<Format> format_by_content(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return std::nullopt;
  if (text[first] == '<') return Format::urdf;
  const bool native = text.starts_with("articula:") || text.find("\narticula:") != std::string_view::npos;
  return native ? std::optional(Format::yaml) : std::nullopt;
}

[[noreturn]] void throw_unknown(const std::filesystem::path& file, std::string_view what) {
  const std::string extension = file.extension().string();
  throw Error("format-unknown", {file.string(), 0},
              concat("the extension ", quoted(extension), " names no known format", what,
                     ". Known: .yaml and .yml (native), .urdf and .xml (URDF)."));
}

/// The format of a file; throws if neither its name nor its text tells it.
Format format_of(const std::filesystem::path& file, std::string_view text) {
  auto format = format_by_extension(file);
  if (!format) format = format_by_content(text);
  if (!format) throw_unknown(file, ", and the text does not begin like one");
  return *format;
}

}  // namespace

Model load(const std::filesystem::path& file, Findings* findings, const ReadOptions& options) {
  const std::string text = read_text_file(file);
  Findings own;
  Findings& found = findings == nullptr ? own : *findings;
  if (format_of(file, text) == Format::yaml) return read_yaml(text, file.string(), found, options);
  return read_urdf(text, file.string(), found, options);
}

Model load_within(const std::filesystem::path& file, const FileReach& reach, Findings& findings,
                  const ReadOptions& options) {
  const std::string text = reach.read(file), name = file.string();
  Findings found;
  try {
    Model model = format_of(file, text) == Format::yaml ? read_yaml_within(text, name, reach, found, options)
                                                        : read_urdf(text, name, found, options);
    findings.insert(findings.end(), found.begin(), found.end());
    return model;
  } catch (const Error&) {
    const bool speaks = format_by_content(text) == Format::yaml || text.find("<robot") != std::string::npos;
    if (speaks || !reach.is_elsewhere(file)) {
      findings.insert(findings.end(), found.begin(), found.end());
      throw;
    }
  }
  throw Error(
      "format-unknown", {name, 0},
      "it is no model. Since it lies outside of the study's folder, its text is not shown. A native model has a "
      "line `articula: 1`, URDF is XML with an element <robot>.");
}

void save(const Model& model, const std::filesystem::path& file, Findings* losses) {
  const auto format = format_by_extension(file);
  if (!format) throw_unknown(file, "");
  Findings own;
  Findings& lost = losses == nullptr ? own : *losses;
  write_text_file(file, *format == Format::yaml ? write_yaml(model) : write_urdf(model, lost));
}

}  // namespace articula::formats
