#include <articula/build/coupled_shafts.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <unordered_map>

#include <articula/base/text.h>

namespace articula {
namespace {

std::size_t at(int k) { return static_cast<std::size_t>(k); }

[[noreturn]] void refuse_contradiction(const Model& flat, const Coupling& coupling) {
  const Entity* owner = coupling.entity < 0 ? nullptr : &flat.entities()[at(coupling.entity)];
  throw Error("coupling-contradiction", owner == nullptr ? Where{} : owner->where,
              concat(owner == nullptr ? std::string("connected shafts") : to_text(*owner),
                     ": other gears tie the same shafts with another offset, so that no position fits both. Take one "
                     "of them away, or correct its offset."));
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
  for (auto& [root, cluster] : clusters) mech.clusters.push_back(std::move(cluster));
}

}  // namespace

void make_clusters(const Model& flat, Mechanism& mech, Parameters<double>& par) {
  std::vector<int> root(at(mech.nv));
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](int k) {
    while (root[at(k)] != k) k = root[at(k)] = root[at(root[at(k)])];
    return k;
  };
  const std::pmr::vector<bool> dependent = dependent_dofs(flat, mech, par);
  for (const Coupling& coupling : mech.couplings) {
    for (const int dof : coupling.dofs) root[at(find(dof))] = find(coupling.dofs.front());
  }
  std::map<int, Cluster> clusters;
  for (const Coupling& coupling : mech.couplings) clusters[find(coupling.dofs.front())];
  for (int k = 0; k < mech.nv && !clusters.empty(); ++k) {
    const auto cluster = clusters.find(find(k));
    if (cluster == clusters.end()) continue;
    cluster->second.dofs.push_back(k);
    if (!dependent[at(k)]) cluster->second.independent.push_back(k);
  }
  order_couplings(mech, par, clusters, find);
}

/// Gaussian elimination on sparse rows; a relation that only contradicts the others is an error.
std::pmr::vector<bool> dependent_dofs(const Model& flat, const Mechanism& mech, const Parameters<double>& par,
                                      std::pmr::memory_resource* memory) {
  constexpr double rounding = 1e-12;
  struct Row {
    std::pmr::map<int, double> factors;
    double offset = 0;
  };
  std::pmr::vector<bool> dependent(at(mech.nv), false, memory);
  std::pmr::unordered_map<int, Row> row_of(memory);  // by the degree of freedom that it gives
  for (std::size_t c = 0; c < mech.couplings.size(); ++c) {
    const Coupling& coupling = mech.couplings[c];
    Row row{std::pmr::map<int, double>(memory), par.couplings[c].offset};
    for (std::size_t k = 0; k < coupling.dofs.size(); ++k) row.factors[coupling.dofs[k]] += par.couplings[c].factors[k];
    double size = 0;
    for (const auto& [dof, factor] : row.factors) size = std::max(size, std::abs(factor));
    const auto is_known = [&](const auto& entry) { return dependent[at(entry.first)]; };
    for (auto known = std::find_if(row.factors.begin(), row.factors.end(), is_known); known != row.factors.end();
         known = std::find_if(row.factors.begin(), row.factors.end(), is_known)) {
      const auto [dof, factor] = *known;
      const Row& other = row_of.at(dof);
      for (const auto& [k, x] : other.factors) row.factors[k] -= factor / other.factors.at(dof) * x;
      row.offset -= factor / other.factors.at(dof) * other.offset;
      row.factors.erase(dof);
    }
    std::erase_if(row.factors, [&](const auto& entry) { return std::abs(entry.second) <= rounding * size; });
    if (row.factors.empty()) {
      if (std::abs(row.offset) > rounding * (1 + std::abs(par.couplings[c].offset)))
        refuse_contradiction(flat, coupling);
      continue;
    }
    const bool first_is_free = row.factors.contains(coupling.dofs.front());
    const int dof = first_is_free ? coupling.dofs.front() : row.factors.rbegin()->first;
    dependent[at(dof)] = true;
    row_of.emplace(dof, std::move(row));
  }
  return dependent;
}

}  // namespace articula
