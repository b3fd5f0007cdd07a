#include <articula/build/coupled_shafts.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <unordered_map>

#include <articula/base/index.h>
#include <articula/base/text.h>

namespace articula::build {
namespace {

[[noreturn]] void refuse(const Model& flat, const Coupling& coupling, std::string_view code, std::string_view message) {
  const Entity* owner = coupling.entity < 0 ? nullptr : &flat.entities()[at(coupling.entity)];
  throw Error(std::string(code), owner == nullptr ? Where{} : owner->where,
              concat(owner == nullptr ? std::string("connected shafts") : to_text(*owner), ": ", message));
}

[[noreturn]] void refuse_contradiction(const Model& flat, const Coupling& coupling) {
  refuse(
      flat, coupling, "coupling-contradiction",
      "other gears tie the same shafts with another offset, so that no position fits both. Take one of them away, or "
      "correct its offset.");
}

[[noreturn]] void refuse_prescribed(const Model& flat, const Mechanism& mech, const Coupling& coupling,
                                    const SolvedCouplings::Row& row) {
  std::vector<std::string> names;
  for (const auto& [dof, factor] : row.factors) names.push_back(mech.layout.v[at(dof)]);
  refuse(flat, coupling, "coupling-prescribed",
         concat("every joint that could follow is prescribed: ", list_of(names),
                ". A gear needs one joint that follows the others. Take `prescribed` away from one of these joints, or "
                "remove the gear."));
}

/// The degree of freedom that follows from the others of a row: the first that the coupling names, else the last of the
/// row; none whose motion is prescribed. −1: all are.
int find_dependent(const Mechanism& mech, const Coupling& coupling, const SolvedCouplings::Row& row) {
  const auto may_follow = [&](int dof) { return mech.roles[at(dof)] == DofRole::free; };
  for (const int dof : coupling.dofs) {
    if (row.factors.contains(dof) && may_follow(dof)) return dof;
  }
  for (auto factor = row.factors.rbegin(); factor != row.factors.rend(); ++factor) {
    if (may_follow(factor->first)) return factor->first;
  }
  return -1;
}

/// The relations of a cluster stand next to each other.
template <class Find>
void order_couplings(Mechanism& mech, Parameters<double>& par, std::map<int, Cluster>& clusters, const Find& find) {
  std::vector<int> order(mech.couplings.size());
  std::iota(order.begin(), order.end(), 0);
  const auto cluster_of = [&](int c) { return find(mech.couplings[at(c)].dofs.front()); };
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return cluster_of(a) < cluster_of(b); });
  std::vector<Coupling> couplings;
  std::vector<CouplingNumbers<double>> numbers;
  std::vector<int> new_place(order.size());
  for (const int c : order) {
    Range& rows = clusters[cluster_of(c)].rows;
    if (rows.count == 0) rows.first = static_cast<int>(couplings.size());
    ++rows.count;
    new_place[at(c)] = static_cast<int>(couplings.size());
    couplings.push_back(std::move(mech.couplings[at(c)]));
    numbers.push_back(std::move(par.couplings[at(c)]));
  }
  mech.couplings = std::move(couplings);
  par.couplings = std::move(numbers);
  for (Provenance::Entry& entry : mech.provenance.entities) {
    if (entry.place == Provenance::Place::coupling) entry.index = new_place[at(entry.index)];
  }
  for (RotorElement& rotor : mech.rotors) {
    if (rotor.coupling >= 0) rotor.coupling = new_place[at(rotor.coupling)];
  }
  for (auto& [root, cluster] : clusters) mech.clusters.push_back(std::move(cluster));
}

}  // namespace

/// All that follows from no other.
static void list_independent(const std::pmr::vector<bool>& dependent, Mechanism& mech) {
  IndependentCoordinates& y = mech.independent;
  y.place.assign(at(mech.nv), -1), y.cluster.assign(at(mech.nv), -1);
  for (std::size_t c = 0; c < mech.clusters.size(); ++c) {
    for (const int dof : mech.clusters[c].dofs) y.cluster[at(dof)] = static_cast<int>(c);
  }
  for (const Body& body : mech.bodies) {
    const bool one_for_each = body.q.count == body.v.count;  // a coordinate for each degree of freedom
    for (const int k : body.q) {
      if (one_for_each && dependent[at(body.v.first + k - body.q.first)]) continue;
      y.q.push_back(k);
      y.q_names.push_back(mech.layout.q[at(k)]);
    }
    for (const int k : body.v) {
      if (dependent[at(k)]) continue;
      y.place[at(k)] = y.nv();
      y.v.push_back(k);
      y.v_names.push_back(mech.layout.v[at(k)]);
    }
  }
}

void make_clusters(const Model& flat, Mechanism& mech, Parameters<double>& par) {
  std::vector<int> root(at(mech.nv));
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](int k) {
    while (root[at(k)] != k) k = root[at(k)] = root[at(root[at(k)])];
    return k;
  };
  const SolvedCouplings solved = solve_couplings(flat, mech, par);
  for (const Coupling& coupling : mech.couplings) {
    for (const int dof : coupling.dofs) root[at(find(dof))] = find(coupling.dofs.front());
  }
  std::map<int, Cluster> clusters;
  for (const Coupling& coupling : mech.couplings) clusters[find(coupling.dofs.front())];
  for (int k = 0; k < mech.nv && !clusters.empty(); ++k) {
    const auto cluster = clusters.find(find(k));
    if (cluster == clusters.end()) continue;
    cluster->second.dofs.push_back(k);
    (solved.dependent[at(k)] ? cluster->second.dependent : cluster->second.independent).push_back(k);
  }
  order_couplings(mech, par, clusters, find);
  list_independent(solved.dependent, mech);
  write_closures(solved, mech, par);
}

namespace {

/// The factor of a degree of freedom, and the largest of the terms that it is the sum of.
struct Factor {
  double value = 0, size = 0;

  void add(double x, double x_size) { value += x, size = std::max(size, x_size); }
};
using Factors = std::pmr::map<int, Factor>;

}  // namespace

/// Gaussian elimination on sparse rows; a relation that only contradicts the others is an error. Then, from the last row
/// to the first, what later relations gave is put in. Factors that cancel are zero, not of rounding size.
SolvedCouplings solve_couplings(const Model& flat, const Mechanism& mech, const Parameters<double>& par,
                                std::pmr::memory_resource* memory) {
  constexpr double rounding = 1e-12;
  SolvedCouplings solved{std::pmr::vector<bool>(at(mech.nv), false, memory),
                         std::pmr::vector<SolvedCouplings::Row>(memory)};
  std::pmr::unordered_map<int, std::size_t> row_of(memory);  // by the degree of freedom that it gives
  // Replaces every degree of freedom that is dependent by what its row says.
  const auto substitute = [&](Factors& factors, double& offset, double sign) {
    const auto is_known = [&](const auto& entry) { return solved.dependent[at(entry.first)]; };
    for (auto known = std::find_if(factors.begin(), factors.end(), is_known); known != factors.end();
         known = std::find_if(factors.begin(), factors.end(), is_known)) {
      const auto [dof, factor] = *known;
      factors.erase(known);
      const SolvedCouplings::Row& row = solved.rows[row_of.at(dof)];
      for (const auto& [k, x] : row.factors) factors[k].add(factor.value * x, factor.size * std::abs(x));
      offset += sign * factor.value * row.offset;
    }
    std::erase_if(factors, [&](const auto& e) { return std::abs(e.second.value) <= rounding * e.second.size; });
  };
  for (std::size_t c = 0; c < mech.couplings.size(); ++c) {
    const Coupling& coupling = mech.couplings[c];
    Factors factors(memory);
    for (std::size_t k = 0; k < coupling.dofs.size(); ++k) {
      const double x = par.couplings[c].factors[k];
      factors[coupling.dofs[k]].add(x, std::abs(x));
    }
    double offset = par.couplings[c].offset;
    substitute(factors, offset, -1);  // Σ factor·q = offset: the offset is on the other side
    if (factors.empty()) {
      if (std::abs(offset) > rounding * (1 + std::abs(par.couplings[c].offset))) refuse_contradiction(flat, coupling);
      continue;
    }
    SolvedCouplings::Row row{-1, std::pmr::map<int, double>(memory), 0};
    for (const auto& [k, factor] : factors) row.factors.emplace(k, factor.value);
    row.dof = find_dependent(mech, coupling, row);
    if (row.dof < 0) refuse_prescribed(flat, mech, coupling, row);
    const double pivot = row.factors.at(row.dof);
    row.factors.erase(row.dof);
    for (auto& [k, x] : row.factors) x = -x / pivot;
    row.offset = offset / pivot;
    solved.dependent[at(row.dof)] = true;
    row_of.emplace(row.dof, solved.rows.size());
    solved.rows.push_back(std::move(row));
  }
  for (std::size_t r = solved.rows.size(); r-- > 0;) {
    SolvedCouplings::Row& row = solved.rows[r];
    Factors factors(memory);
    for (const auto& [k, x] : row.factors) factors[k].add(x, std::abs(x));
    substitute(factors, row.offset, 1);
    row.factors.clear();
    for (const auto& [k, factor] : factors) row.factors.emplace(k, factor.value);
  }
  return solved;
}

void write_closures(const SolvedCouplings& solved, const Mechanism& mech, Parameters<double>& par) {
  par.closures.resize(mech.clusters.size());
  for (std::size_t c = 0; c < mech.clusters.size(); ++c) {
    par.closures[c].G.assign(mech.clusters[c].dependent.size() * mech.clusters[c].independent.size(), 0.0);
    par.closures[c].offset.assign(mech.clusters[c].dependent.size(), 0.0);
  }
  const auto place = [](const std::vector<int>& sorted, int dof) {
    return static_cast<std::size_t>(std::lower_bound(sorted.begin(), sorted.end(), dof) - sorted.begin());
  };
  for (const SolvedCouplings::Row& row : solved.rows) {
    const std::size_t c = at(mech.independent.cluster[at(row.dof)]);
    const std::vector<int>& independent = mech.clusters[c].independent;
    const std::size_t i = place(mech.clusters[c].dependent, row.dof);
    par.closures[c].offset[i] = row.offset;
    for (const auto& [dof, factor] : row.factors)
      par.closures[c].G[i * independent.size() + place(independent, dof)] = factor;
  }
}

}  // namespace articula::build
