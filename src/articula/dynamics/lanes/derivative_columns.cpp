#include <articula/dynamics/lanes/derivative_columns.h>

#include <articula/dynamics/axes_derivatives.h>

namespace articula::dynamics::lanes {

DofTable::DofTable(const DofTable&) = default;
DofTable::~DofTable() = default;

DofTable::DofTable(const Mechanism& mech, int columns) {
  const auto count = static_cast<std::size_t>(columns);
  for (std::size_t i = 0; i < mech.bodies.size(); ++i) {
    const Body& b = mech.bodies[i];
    if (b.v.count > 1 || has_changing_axes(b)) several.push_back(static_cast<int>(i));
    for (int k : b.v) {
      body.push_back(static_cast<int>(i));
      parent.push_back(b.parent);
      first.push_back(b.v.first);
      next.push_back(b.v.first + b.v.count);
      carrier.push_back(k == b.v.first ? carrier_of(mech, b) : k - 1);
      beyond.push_back(b.v_beyond);
      place.push_back(k);
      reach.push_back(b.v_beyond);
    }
  }
  body.resize(count), parent.resize(count), reach.resize(count);
  for (std::size_t k = place.size(); k < count; ++k) place.push_back(static_cast<double>(k));
}

}  // namespace articula::dynamics::lanes
