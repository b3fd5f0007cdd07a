#include <articula/build/shafts.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include <articula/base/index.h>

namespace articula::build {
namespace {

const std::vector<int>& other_side(const ShaftPlan& plan, const ShaftPlan::Bare& bare) {
  const ShaftPlan::Geared& gear = plan.gears[at(bare.gear)];
  return bare.is_output ? gear.inputs : gear.outputs;
}

/// Pivots smaller than this times the largest entry count as zero.
constexpr double smallest_pivot = 1e-12;

/// x of xᵀ·A = e_portᵀ: the row of A⁻¹ that belongs to an output. By elimination with pivots, on the stack.
bool row_of_inverse(const Gear& gear, std::size_t port, std::array<double, most_bare_ports>& x) {
  const std::size_t n = gear.inputs();
  std::array<std::array<double, most_bare_ports>, most_bare_ports> A;  // transposed ratio
  double largest = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) A[j][i] = gear.ratio[i][j], largest = std::max(largest, std::abs(A[j][i]));
    x[i] = i == port ? 1 : 0;
  }
  for (std::size_t c = 0; c < n; ++c) {
    std::size_t pivot = c;
    for (std::size_t r = c + 1; r < n; ++r) {
      if (std::abs(A[r][c]) > std::abs(A[pivot][c])) pivot = r;
    }
    if (!(std::abs(A[pivot][c]) > smallest_pivot * largest)) return false;
    std::swap(A[c], A[pivot]), std::swap(x[c], x[pivot]);
    for (std::size_t r = c + 1; r < n; ++r) {
      const double f = A[r][c] / A[c][c];
      for (std::size_t k = c; k < n; ++k) A[r][k] -= f * A[c][k];
      x[r] -= f * x[c];
    }
  }
  for (std::size_t c = n; c-- > 0;) {
    for (std::size_t k = c + 1; k < n; ++k) x[c] -= A[c][k] * x[k];
    x[c] /= A[c][c];
  }
  return true;
}

}  // namespace

void find_bare_shafts(ShaftPlan& plan) {
  const auto is_known = [&](int node) { return plan.dof.contains(node); };
  const auto all = [](const std::vector<int>& nodes, const auto& is) {
    return std::all_of(nodes.begin(), nodes.end(), is);
  };
  const auto is_open = [&](int node) { return !plan.dof.contains(node) && !plan.bare.contains(node); };
  for (std::size_t g = 0; g < plan.gears.size(); ++g) {
    const ShaftPlan::Geared& gear = plan.gears[g];
    const bool outputs_follow = all(gear.inputs, is_known) && all(gear.outputs, is_open) &&
                                gear.inputs.size() == gear.outputs.size() && gear.inputs.size() <= most_bare_ports;
    const bool inputs_follow = all(gear.outputs, is_known) && all(gear.inputs, is_open);
    if (outputs_follow == inputs_follow) continue;
    const std::vector<int>& following = outputs_follow ? gear.outputs : gear.inputs;
    for (std::size_t k = 0; k < following.size(); ++k) {
      plan.bare.emplace(following[k], ShaftPlan::Bare{static_cast<int>(g), outputs_follow, k});
    }
  }
}

ShaftDofs dofs_of_shaft(const ShaftPlan& plan, int node) {
  ShaftDofs shaft;
  if (node < 0) return shaft;
  const auto take = [&](int known) {
    const int dof = plan.dof.at(known);
    if (dof == ShaftPlan::locked) {
      shaft.is_locked = true;
    } else if (std::find(shaft.dofs.begin(), shaft.dofs.end(), dof) == shaft.dofs.end()) {
      shaft.dofs.push_back(dof);
    }
  };
  if (plan.dof.contains(node)) {
    take(node);
  } else if (const auto bare = plan.bare.find(node); bare != plan.bare.end()) {
    for (const int other : other_side(plan, bare->second)) take(other);
  } else {
    shaft.is_known = false;
  }
  return shaft;
}

bool add_shaft(const ShaftPlan& plan, const Model& merged, int node, double factor, ShaftSum sum) {
  if (node < 0) return true;
  if (const auto dof = plan.dof.find(node); dof != plan.dof.end()) {
    sum.add(factor, dof->second);
    return true;
  }
  const ShaftPlan::Bare& bare = plan.bare.at(node);
  const auto& gear = std::get<Gear>(merged.entities()[at(plan.gears[at(bare.gear)].gear)].kind);
  const auto offset = [&](std::size_t k) { return k < gear.offset.size() ? gear.offset[k] : 0.0; };
  const std::vector<int>& known = other_side(plan, bare);
  if (!bare.is_output) {
    for (std::size_t k = 0; k < known.size(); ++k) sum.add(factor * gear.ratio[bare.port][k], plan.dof.at(known[k]));
    sum.offset += factor * offset(bare.port);
    return true;
  }
  std::array<double, most_bare_ports> row;
  if (!row_of_inverse(gear, bare.port, row)) return false;
  for (std::size_t k = 0; k < known.size(); ++k) {
    sum.add(factor * row[k], plan.dof.at(known[k]));
    sum.offset -= factor * row[k] * offset(k);
  }
  return true;
}

}  // namespace articula::build
