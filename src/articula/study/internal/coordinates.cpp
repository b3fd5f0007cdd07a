#include <articula/base/index.h>
#include <articula/study/internal/coordinates.h>

#include <unordered_map>

namespace articula::study {
namespace {

template <class Range, class Traits>
std::vector<NamedCoordinate> coordinates(const Mechanism& mech, std::span<const std::string> names,
                                         const std::vector<std::string>& layout, Range range, Traits of_joint) {
  std::unordered_map<std::string_view, NamedCoordinate> known;
  for (const Body& body : mech.bodies) {
    const auto& each = of_joint(traits(body.joint));
    for (int k = 0; k < range(body).count; ++k) {
      const std::string& name = layout[at(range(body).first + k)];
      known[name] = {name, joint_name(mech, body), each[at(k)].dimension};
    }
  }
  std::vector<NamedCoordinate> found;
  for (const std::string& name : names) found.push_back(known.at(name));
  return found;
}

}  // namespace

std::vector<NamedCoordinate> q_coordinates(const Mechanism& mech, std::span<const std::string> names) {
  return coordinates(
      mech, names, mech.layout.q, [](const Body& body) { return body.q; }, [](const JointTraits& j) { return j.q; });
}

std::vector<NamedCoordinate> v_coordinates(const Mechanism& mech, std::span<const std::string> names) {
  return coordinates(
      mech, names, mech.layout.v, [](const Body& body) { return body.v; }, [](const JointTraits& j) { return j.v; });
}

}  // namespace articula::study
