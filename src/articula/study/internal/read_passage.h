#pragma once

#include <utility>

#include <articula/study/passage.h>
#include <articula/text/internal/yaml_spot.h>

namespace articula {

/// What stands at a node. Aliases are written out.
Passage passage_of(const YamlNode& node, const std::string& file);

/// Calls `read(spot)` for the value of a passage; it reports what is wrong through the spot. Messages begin with `kind
/// "name"`. Throws an Error with everything that is wrong.
template <class Read>
void read_passage(const Passage& passage, std::string_view kind, std::string_view name, Read&& read);

namespace detail {
std::string on_its_line(const Passage& passage);
/// In double quotes; what is not plain ASCII by its number, since some of it breaks lines or is not read.
std::string quoted_scalar(std::string_view scalar);
}  // namespace detail

template <class Read>
void read_passage(const Passage& passage, std::string_view kind, std::string_view name, Read&& read) {
  Findings warnings;
  YamlLog log(warnings);
  const YamlTree tree = YamlTree::parse(detail::on_its_line(passage), passage.where.file, log);
  const Subject subject{passage.where.file, log, kind, name};
  std::forward<Read>(read)(Spot(subject, tree.root()));
  log.throw_if_errors();
}

}  // namespace articula
