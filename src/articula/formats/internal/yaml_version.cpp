#include <articula/formats/internal/yaml_version.h>

#include <array>

#include <articula/base/number.h>
#include <articula/base/text.h>
#include <articula/text/internal/yaml_spot.h>

namespace articula::formats {
namespace {

/// Converts a tree of one version to the next.
using Migration = YamlTree (*)(YamlTree);

/// The k-th converts version k + 1 to k + 2; there is one less than there are versions.
constexpr std::array<Migration, format_version - 1> migrations{};

[[noreturn]] void fail(const std::string& file, int line, YamlLog& log, std::string_view what) {
  log.fail("format-version", {file, line}, std::string(what));
}

int version_of(const YamlTree& tree, const std::string& file, YamlLog& log) {
  const Subject subject{file, log};
  const Spot top(subject, tree.root());
  Keys keys(top, top_needed);
  if (!keys.ok()) log.throw_if_errors();
  const auto spot = keys.find("articula");
  if (!spot) fail(file, tree.root().line(), log, "the format version is missing. A model begins with `articula: 1`.");
  const auto version = spot->node.is_scalar() ? to_integer(spot->node.text()) : std::nullopt;
  if (!version || *version < 1) {
    fail(file, spot->node.line(), log,
         concat("articula is ", what_stands(spot->node),
                ". It is the format version, a whole number: write `articula: 1`."));
  }
  if (*version > format_version) {
    fail(file, spot->node.line(), log,
         concat("articula is ", *version, ". This program reads format versions up to ", format_version,
                "; get a newer one."));
  }
  return *version;
}

}  // namespace

YamlTree parse_versioned(std::string_view text, const std::string& file_name, YamlLog& log) {
  YamlTree tree = YamlTree::parse(text, file_name, log);
  for (auto version = static_cast<std::size_t>(version_of(tree, file_name, log)); version <= migrations.size();
       ++version) {
    tree = migrations[version - 1](std::move(tree));
  }
  return tree;
}

}  // namespace articula::formats
