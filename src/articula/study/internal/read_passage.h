#pragma once

#include <utility>

#include <articula/study/passage.h>
#include <articula/text/internal/yaml_spot.h>

namespace articula::study {

/// What stands at a node. @pre a shared_ptr holds its tree
Passage passage_of(const YamlNode& node, const std::string& file);

/// The value of a passage, and the tree that it is in.
struct PassageValue {
  std::shared_ptr<const YamlTree> tree;
  YamlNode node;
};
PassageValue value_of(const Passage& passage, YamlLog& log);

/// Calls `read(spot)` for the value of a passage; it reports what is wrong through the spot. Messages begin with `kind
/// "name"`. Throws an Error with everything that is wrong.
template <class Read>
void read_passage(const Passage& passage, std::string_view kind, std::string_view name, Read&& read) {
  Findings warnings;
  YamlLog log(warnings);
  const PassageValue value = value_of(passage, log);
  const Subject subject{passage.where.file, log, kind, name};
  std::forward<Read>(read)(Spot(subject, value.node));
  log.throw_if_errors();
}

}  // namespace articula::study
