#include <articula/study/internal/read_passage.h>

#include <algorithm>

#include <articula/base/text.h>

namespace articula::study {
namespace {

/// As people write it on one line.
void write(const YamlNode& node, std::string& text) {
  if (node.is_scalar()) {
    if (!node.is_plain()) text += quoted(node.text());
    if (node.is_plain()) text += node.text().empty() ? "~" : node.text();
    return;
  }
  text += node.is_sequence() ? '[' : '{';
  for (std::size_t k = 0; k < node.size(); ++k) {
    if (k > 0) text += ", ";
    if (node.is_mapping()) {
      write(node.key(k), text);
      text += ": ";
    }
    write(node.is_mapping() ? node.value(k) : node.item(k), text);
  }
  text += node.is_sequence() ? ']' : '}';
}

}  // namespace

Passage passage_of(const YamlNode& node, const std::string& file) {
  Passage passage{.text = {}, .where = {file, node.line()}, .tree = node.tree().shared_from_this(), .node = node.id()};
  write(node, passage.text);
  return passage;
}

PassageValue value_of(const Passage& passage, YamlLog& log) {
  if (passage.tree) return {passage.tree, YamlNode(*passage.tree, passage.node)};
  // On its line, for messages.
  const std::string before(static_cast<std::size_t>(std::max(passage.where.line - 1, 0)), '\n');
  const auto tree = std::make_shared<const YamlTree>(YamlTree::parse(before + passage.text, passage.where.file, log));
  return {tree, tree->root()};
}

}  // namespace articula::study
