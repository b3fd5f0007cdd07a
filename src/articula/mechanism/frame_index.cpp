#include <articula/mechanism/frame_index.h>

#include <functional>

namespace articula::mechanism {

std::size_t FrameIndex::Hash::operator()(const Name& name) const {
  constexpr std::hash<std::string_view> hash;
  return hash(name.entity) * 31 + hash(name.port);
}

FrameIndex::FrameIndex(const Mechanism& mech) : mech_(mech) {
  places_.reserve(mech.frames.size());
  for (std::size_t k = 0; k < mech.frames.size(); ++k) {
    const PortRef& name = mech.frames[k].name;
    places_.emplace(Name{name.entity, name.port}, static_cast<int>(k));  // the first of equal names
  }
}

int FrameIndex::at(const PortRef& name) const {
  const auto found = places_.find({name.entity, name.port});
  return found == places_.end() ? mech_.frame(name) : found->second;
}

}  // namespace articula::mechanism
