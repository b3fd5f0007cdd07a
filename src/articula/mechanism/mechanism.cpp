#include <articula/mechanism/mechanism.h>

#include <unordered_map>

#include <articula/base/error.h>
#include <articula/base/text.h>

namespace articula::mechanism {

int StateLayout::count(StateKind kind) const {
  int sum = 0;
  for (const StateBlock& block : blocks) sum += block.kind == kind ? block.range.count : 0;
  return sum;
}

static std::vector<int> places(const std::vector<std::string>& from, const std::vector<std::string>& to) {
  std::unordered_map<std::string_view, int> index;
  for (std::size_t k = 0; k < to.size(); ++k) index.emplace(to[k], static_cast<int>(k));
  std::vector<int> result;
  result.reserve(from.size());
  for (const std::string& name : from) {
    const auto found = index.find(name);
    result.push_back(found == index.end() ? -1 : found->second);
  }
  return result;
}

StateMap map_state(const StateLayout& from, const StateLayout& to) {
  return {places(from.q, to.q), places(from.v, to.v)};
}

const Provenance::Entry* Provenance::find(std::string_view kind, std::string_view name) const {
  for (const Entry& entry : entities) {
    if (entry.name == name && entry.kind == kind) return &entry;
  }
  return nullptr;
}

int Mechanism::frame(const PortRef& wanted) const {
  for (std::size_t k = 0; k < frames.size(); ++k) {
    if (frames[k].name == wanted) return static_cast<int>(k);
  }
  std::vector<std::string> names;
  for (const FlatFrame& frame : frames) names.push_back(to_text(frame.name));
  throw Error("no-such-frame", {},
              concat("frame ", quoted(to_text(wanted)), " not found in ", quoted(name), ".",
                     choices(to_text(wanted), "frames", names)));
}

const std::string& joint_name(const Mechanism& mech, const Body& body) {
  if (body.rotor >= 0) return mech.layout.v[static_cast<std::size_t>(body.v.first)];
  return mech.provenance.entities[static_cast<std::size_t>(body.entity)].name;
}

int carrier_of(const Mechanism& mech, const Body& body) {
  for (int p = body.parent; p > 0; p = mech.bodies[static_cast<std::size_t>(p)].parent) {
    const Range& v = mech.bodies[static_cast<std::size_t>(p)].v;
    if (v.count > 0) return v.first + v.count - 1;
  }
  return -1;
}

}  // namespace articula::mechanism
