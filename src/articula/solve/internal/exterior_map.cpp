#include <articula/solve/internal/exterior_map.h>

#include <algorithm>
#include <set>
#include <unordered_map>

#include <articula/base/error.h>
#include <articula/base/index.h>
#include <articula/base/text.h>

namespace articula::solve {
namespace {

/// The joint that carries body i, by name.
const std::string& joint_name(const Mechanism& mech, int i) { return mechanism::joint_name(mech, mech.bodies[at(i)]); }

[[noreturn]] void refuse_twice(std::string_view what, const std::string& name) {
  throw Error("exterior-twice", {},
              concat("exterior ", what, " ", quoted(name), " is listed twice. Each ", what, " may be exposed once."));
}

[[noreturn]] void refuse_unknown(const Mechanism& mech, const std::string& joint) {
  std::vector<std::string> names;
  for (int i = 1; i < mech.size(); ++i) names.push_back(joint_name(mech, i));
  const auto near = closest(joint, names);
  throw Error("no-such-joint", {},
              concat("exterior joint ", quoted(joint), " not found among those that move in ", quoted(mech.name), ".",
                     near ? concat(" Did you mean ", quoted(*near), "?") : "", " Joints: ", list_of(names), "."));
}

}  // namespace

ExteriorMap::ExteriorMap(const Mechanism& mech, const Parameters<double>& par, const ExteriorPorts& exterior)
    : mech_(mech), par_(par) {
  choice_.place.assign(at(mech.nv), -1);
  for (const int i : exposed_bodies(exterior)) {
    const Body& body = mech.bodies[at(i)];
    const bool one_for_each = body.q.count == body.v.count;  // a coordinate for each degree of freedom
    for (const int k : body.q) {
      if (one_for_each && follows(body.v.first + k - body.q.first)) continue;
      q_place_.push_back(k);
      q_names_.push_back(mech.layout.q[at(k)]);
    }
    for (const int k : body.v) {
      if (follows(k)) continue;
      choice_.place[at(k)] = nv();
      choice_.v.push_back(k);
      v_names_.push_back(mech.layout.v[at(k)]);
    }
  }
  identity_ = q_names_ == mech.layout.q && v_names_ == mech.layout.v;
  for (int k = 0; k < mech.nv; ++k) {
    if (follows(k)) followers_.push_back(k);
  }
  if (mech.is_coupled()) M_G_.resize(at(mech.nv) * v_names_.size());
}

bool ExteriorMap::follows(int dof) const { return mech_.independent.place[at(dof)] < 0; }

std::vector<int> ExteriorMap::exposed_bodies(const ExteriorPorts& exterior) const {
  const auto all_follow = [&](const Body& body) {
    return std::all_of(body.v.begin(), body.v.end(), [&](int k) { return follows(k); });
  };
  std::set<PortRef> frames;
  for (const PortRef& frame : exterior.frames) {
    if (!frames.insert(frame).second) refuse_twice("frame", to_text(frame));
  }
  std::vector<int> bodies;
  if (exterior.joints.empty()) {
    for (int i = 1; i < mech_.size(); ++i) {
      if (!all_follow(mech_.bodies[at(i)])) bodies.push_back(i);
    }
    return bodies;
  }
  std::unordered_map<std::string_view, int> carried;  // the body that a joint carries
  for (int i = 1; i < mech_.size(); ++i) carried.emplace(joint_name(mech_, i), i);
  std::vector<bool> met(mech_.bodies.size(), false);
  for (const std::string& joint : exterior.joints) {
    const auto found = carried.find(joint);
    if (found == carried.end()) refuse_unknown(mech_, joint);
    const int i = found->second;
    if (met[at(i)]) refuse_twice("joint", joint);
    met[at(i)] = true;
    if (all_follow(mech_.bodies[at(i)])) {
      throw Error("exterior-follows", {},
                  concat("exterior joint ", quoted(joint),
                         " follows others by a gear and has no value of its own. Expose "
                         "the joints that drive it."));
    }
    bodies.push_back(i);
  }
  // Behind a spring, a motor moves with the joint that it drives.
  for (const RotorElement& rotor : mech_.rotors) {
    if (rotor.spring >= 0 && met[at(mech_.body_of_dof[at(rotor.dof)])] && !met[at(rotor.body)])
      bodies.push_back(rotor.body);
  }
  return bodies;
}

std::vector<ExteriorMap::Term> ExteriorMap::row(std::size_t dof) const {
  if (choice_.place[dof] >= 0) return {{choice_.place[dof], 1.0}};
  const int c = mech_.independent.cluster[dof];
  if (c < 0) return {};
  const Cluster& cluster = mech_.clusters[at(c)];
  const auto follower = std::lower_bound(cluster.dependent.begin(), cluster.dependent.end(), static_cast<int>(dof));
  if (follower == cluster.dependent.end() || *follower != static_cast<int>(dof)) return {};
  const auto i = static_cast<std::size_t>(follower - cluster.dependent.begin()), n = cluster.independent.size();
  std::vector<Term> terms;
  for (std::size_t j = 0; j < n; ++j) {
    const double factor = par_.closures[at(c)].G[i * n + j];
    const int shown = choice_.place[at(cluster.independent[j])];
    if (shown >= 0 && factor != 0) terms.push_back({shown, factor});
  }
  std::sort(terms.begin(), terms.end(), [](const Term& a, const Term& b) { return a.shown < b.shown; });
  return terms;
}

std::vector<DofRole> ExteriorMap::roles() const {
  std::vector<DofRole> roles = mech_.roles;
  for (std::size_t k = 0; k < roles.size(); ++k) {
    if (!moves(k)) roles[k] = DofRole::prescribed;
  }
  return roles;
}

void ExteriorMap::from_tangent(std::span<const double> x, std::span<double> shown) const {
  if (identity_) return copy(x, shown);
  for (std::size_t s = 0; s < shown.size(); ++s) shown[s] = x[at(choice_.v[s])];
}

/// The rows and columns of `places`, of a matrix of n rows and columns.
static void select(std::span<const double> M, std::size_t n, auto&& place, std::size_t count, std::span<double> shown) {
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < count; ++j) shown[i * count + j] = M[place(i) * n + place(j)];
  }
}

void ExteriorMap::select_independent(std::span<const double> x_y, std::span<double> shown) const {
  select_independent_columns(1, x_y, shown);
}

void ExteriorMap::select_independent_columns(int rows, std::span<const double> J_y, std::span<double> shown) const {
  const std::size_t n_y = mech_.independent.v.size(), n = choice_.v.size();
  for (std::size_t i = 0; i < at(rows); ++i) {
    for (std::size_t s = 0; s < n; ++s) shown[i * n + s] = J_y[i * n_y + at(mech_.independent.place[at(choice_.v[s])])];
  }
}

void ExteriorMap::select_independent_square(std::span<const double> M_y, std::span<double> shown) const {
  if (identity_) return copy(M_y, shown);
  const auto place = [&](std::size_t s) { return at(mech_.independent.place[at(choice_.v[s])]); };
  select(M_y, mech_.independent.v.size(), place, choice_.v.size(), shown);
}

void ExteriorMap::show_rows(int rows, Matrix& J, Matrix& shown) const {
  if (identity_) return J.swap(shown);
  reduce_columns(mech_, par_, choice_, at(rows), J.data(), shown.data());
}

void ExteriorMap::show_columns(std::size_t columns, Matrix& Y, Matrix& shown) const {
  if (identity_) return Y.swap(shown);
  reduce_rows(mech_, par_, choice_, columns, Y.data(), shown.data());
}

void ExteriorMap::show_square(Matrix& M, Matrix& shown) const {
  if (identity_) return M.swap(shown);
  if (mech_.is_coupled()) return reduce_matrix(mech_, par_, choice_, M.data(), M_G_.data(), shown.data());
  select(
      M, at(mech_.nv), [&](std::size_t s) { return at(choice_.v[s]); }, choice_.v.size(), shown);
}

void ExteriorMap::show_independent_columns(int rows, Matrix& J_y, Matrix& shown) const {
  if (identity_) return J_y.swap(shown);
  select_independent_columns(rows, J_y, shown);
}

void ExteriorMap::show_independent_square(Matrix& M_y, Matrix& shown) const {
  if (identity_) return M_y.swap(shown);
  select_independent_square(M_y, shown);
}

}  // namespace articula::solve
