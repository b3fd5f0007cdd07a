#include <articula/study/internal/read_kinds.h>

#include <map>

#include <articula/model/port_text.h>
#include <articula/study/internal/read_passage.h>

namespace articula::study {

bool read_value(const Spot& spot, PortRef& value, const Dimension&) {
  if (!read_port(spot, value)) return false;
  // A name with a dot is a body and its frame, which may have a dot itself: `upper.elbow.from`.
  if (value.port.empty()) value = to_port(value.entity);
  return true;
}

bool read_value(const Spot& spot, std::vector<PortRef>& value, const Dimension& dimension) {
  std::vector<PortRef> frames(spot.node.is_sequence() ? spot.node.size() : 1);
  bool ok = true;
  if (spot.node.is_sequence()) {
    for (std::size_t k = 0; k < frames.size(); ++k) ok &= read_value(Spot(spot, k), frames[k], dimension);
  } else {
    ok = read_value(spot, frames.front(), dimension);
  }
  std::map<PortRef, std::size_t> met;
  for (std::size_t k = 0; ok && k < frames.size(); ++k) {
    const auto [first, is_new] = met.emplace(frames[k], k);
    if (is_new) continue;
    spot.error("exterior-twice", concat(" lists ", quoted(to_text(frames[k])), " twice, as #", first->second + 1,
                                        " and #", k + 1, ". List each frame once."));
    ok = false;
  }
  if (ok) value = std::move(frames);
  return ok;
}

bool read_value(const Spot& spot, std::vector<Override>& value, const Dimension&) {
  if (spot.node.is_null()) return true;
  if (!spot.node.is_mapping()) {
    spot.wrong_type("New values by path are needed, e.g. {link7.mass: 0.7}.");
    return false;
  }
  for (std::size_t k = 0; k < spot.node.size(); ++k) {
    value.push_back({std::string(spot.node.key(k).text()), passage_of(spot.node.value(k), spot.subject.file)});
  }
  return true;
}

bool read_value(const Spot& spot, StartText& value, const Dimension&) {
  if (spot.node.is_scalar() && !spot.node.is_null()) {
    value.q = value.v = passage_of(spot.node, spot.subject.file);
    return true;
  }
  Keys keys(spot, "A start is {q: ..., v: ...}, or the name of a trajectory.");
  if (const auto q = keys.find("q")) value.q = passage_of(q->node, spot.subject.file);
  if (const auto v = keys.find("v")) value.v = passage_of(v->node, spot.subject.file);
  keys.finish({"q", "v"});
  return keys.ok();
}

bool read_value(const Spot& spot, SignalValue& value, const Dimension&) {
  if (!spot.node.is_scalar()) {
    spot.wrong_type("A number is needed, e.g. 30 deg.");
    return false;
  }
  const QuantityOrWhy read = to_quantity(spot.node.text());
  if (!read.quantity) {
    spot.error(read.why.starts_with("unit ") ? "unit-unknown" : "number-invalid", with_period(concat(": ", read.why)));
    return false;
  }
  value = {read.quantity->value, read.quantity->dimension};
  return true;
}

bool read_value(const Spot& spot, std::vector<Method>& value, const Dimension& dimension) {
  std::vector<Method> methods(spot.node.is_sequence() ? spot.node.size() : 1);
  bool ok = true;
  if (spot.node.is_sequence()) {
    for (std::size_t k = 0; k < methods.size(); ++k) ok &= read_value(Spot(spot, k), methods[k], dimension);
  } else {
    ok = read_value(spot, methods.front(), dimension);
  }
  if (ok) value = std::move(methods);
  return ok;
}

bool read_value(const Spot& spot, Passage& value, const Dimension&) {
  value = passage_of(spot.node, spot.subject.file);
  return true;
}

bool read_value(const Spot& spot, std::vector<Pose<double>>& value, const Dimension& dimension) {
  if (!spot.node.is_sequence()) {
    spot.wrong_type("A list of placements is needed, e.g. [{xyz: [0.5, 0, 1]}].");
    return false;
  }
  std::vector<Pose<double>> poses(spot.node.size());
  bool ok = true;
  for (std::size_t k = 0; k < poses.size(); ++k) ok &= read_value(Spot(spot, k), poses[k], dimension);
  if (ok) value = std::move(poses);
  return ok;
}

}  // namespace articula::study
