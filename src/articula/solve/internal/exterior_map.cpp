#include <articula/solve/internal/exterior_map.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>

#include <Eigen/Dense>

#include <articula/base/error.h>
#include <articula/base/text.h>

namespace articula {
namespace {

std::size_t at(int k) { return static_cast<std::size_t>(k); }

/// The joint that carries body i, by name.
const std::string& joint_name(const Mechanism& mech, int i) {
  return mech.provenance.entities[at(mech.bodies[at(i)].entity)].name;
}

std::vector<bool> find_followers(const Mechanism& mech) {
  std::vector<bool> follows(at(mech.nv), false);
  for (const Cluster& cluster : mech.clusters) {
    for (const int dof : cluster.dofs) follows[at(dof)] = true;
    for (const int dof : cluster.independent) follows[at(dof)] = false;
  }
  return follows;
}

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
    : q_held_(par.q_start), q_source_(at(mech.nq), -1), term_begin_(at(mech.nv) + 1) {
  expose(mech, exterior);
  for (int k = 0; k < mech.nv; ++k) q_of_v_.push_back(position_of(mech, k));
  couple(mech, par);
  identity_ = q_names_ == mech.layout.q && v_names_ == mech.layout.v && couplings_.empty();
  if (is_coupled()) rows_.resize(at(mech.nv) * v_names_.size());
}

void ExteriorMap::expose(const Mechanism& mech, const ExteriorPorts& exterior) {
  const std::vector<bool> follows = find_followers(mech);
  const auto body_follows = [&](const Body& body) {
    return std::any_of(body.v.begin(), body.v.end(), [&](int k) { return follows[at(k)]; });
  };
  std::set<PortRef> frames;
  for (const PortRef& frame : exterior.frames) {
    if (!frames.insert(frame).second) refuse_twice("frame", to_text(frame));
  }
  std::unordered_map<std::string_view, int> carried;  // the body that a joint carries
  for (int i = 1; !exterior.joints.empty() && i < mech.size(); ++i) carried.emplace(joint_name(mech, i), i);
  std::vector<bool> met(mech.bodies.size(), false);
  std::vector<int> bodies;
  for (const std::string& joint : exterior.joints) {
    const auto found = carried.find(joint);
    if (found == carried.end()) refuse_unknown(mech, joint);
    const int i = found->second;
    if (met[at(i)]) refuse_twice("joint", joint);
    met[at(i)] = true;
    if (body_follows(mech.bodies[at(i)])) {
      throw Error("exterior-follows", {},
                  concat("exterior joint ", quoted(joint),
                         " follows others by a gear and has no value of its own. Expose "
                         "the joints that drive it."));
    }
    bodies.push_back(i);
  }
  for (int i = 1; exterior.joints.empty() && i < mech.size(); ++i) {
    if (!body_follows(mech.bodies[at(i)])) bodies.push_back(i);
  }
  for (const int i : bodies) {
    const Body& body = mech.bodies[at(i)];
    for (const int k : body.q) {
      q_source_[at(k)] = static_cast<int>(q_names_.size());
      q_names_.push_back(mech.layout.q[at(k)]);
    }
    for (const int k : body.v) {
      v_place_.push_back(k);
      v_names_.push_back(mech.layout.v[at(k)]);
    }
  }
  for (int k = 0; k < mech.nv; ++k) {
    if (follows[at(k)]) couplings_.push_back(k);
  }
}

/// Σ factor·q = offset for every gear, solved for the joints that follow.
void ExteriorMap::couple(const Mechanism& mech, const Parameters<double>& par) {
  std::vector<std::vector<Term>> rows(at(mech.nv));
  for (std::size_t s = 0; s < v_place_.size(); ++s) rows[at(v_place_[s])] = {{static_cast<int>(s), 1.0}};
  if (!couplings_.empty()) {
    const auto relations = static_cast<Eigen::Index>(mech.couplings.size());
    const auto followers = static_cast<Eigen::Index>(couplings_.size());
    const auto shown = static_cast<Eigen::Index>(v_place_.size());
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(relations, followers), B = Eigen::MatrixXd::Zero(relations, shown + 1);
    for (Eigen::Index r = 0; r < relations; ++r) {
      const Coupling& coupling = mech.couplings[static_cast<std::size_t>(r)];
      const CouplingNumbers<double>& numbers = par.couplings[static_cast<std::size_t>(r)];
      B(r, shown) += numbers.offset;
      for (std::size_t k = 0; k < coupling.dofs.size(); ++k) {
        const int dof = coupling.dofs[k];
        const auto follower = std::find(couplings_.begin(), couplings_.end(), dof);
        const auto driver = std::find(v_place_.begin(), v_place_.end(), dof);
        if (follower != couplings_.end()) {
          A(r, follower - couplings_.begin()) += numbers.factors[k];
        } else if (driver != v_place_.end()) {
          B(r, driver - v_place_.begin()) -= numbers.factors[k];
        } else {
          B(r, shown) -= numbers.factors[k] * par.q_start[at(position_of(mech, dof))];  // held where it starts
        }
      }
    }
    const Eigen::MatrixXd X = A.colPivHouseholderQr().solve(B);
    for (Eigen::Index f = 0; f < followers; ++f) {
      const int dof = couplings_[static_cast<std::size_t>(f)];
      q_held_[at(position_of(mech, dof))] = X(f, shown);
      for (Eigen::Index s = 0; s < shown; ++s) {
        if (std::abs(X(f, s)) > 1e-14) rows[at(dof)].push_back({static_cast<int>(s), X(f, s)});
      }
    }
  }
  terms_.clear();
  for (std::size_t k = 0; k < rows.size(); ++k) {
    term_begin_[k] = terms_.size();
    terms_.insert(terms_.end(), rows[k].begin(), rows[k].end());
  }
  term_begin_.back() = terms_.size();
}

void ExteriorMap::refresh(const Mechanism& mech, const Parameters<double>& par) {
  std::copy(par.q_start.begin(), par.q_start.end(), q_held_.begin());
  if (is_coupled()) couple(mech, par);
}

void ExteriorMap::to_q(std::span<const double> shown, std::span<double> q) const {
  for (std::size_t k = 0; k < q.size(); ++k) q[k] = q_source_[k] < 0 ? q_held_[k] : shown[at(q_source_[k])];
  for (std::size_t f = 0; f < couplings_.size(); ++f) {
    const std::size_t dof = at(couplings_[f]);
    for (std::size_t t = term_begin_[dof]; t < term_begin_[dof + 1]; ++t) {
      const std::size_t driver = at(v_place_[at(terms_[t].shown)]);
      q[at(q_of_v_[dof])] += terms_[t].factor * q[at(q_of_v_[driver])];
    }
  }
}

void ExteriorMap::to_tangent(std::span<const double> shown, std::span<double> x) const {
  for (std::size_t k = 0; k < x.size(); ++k) {
    x[k] = 0;
    for (std::size_t t = term_begin_[k]; t < term_begin_[k + 1]; ++t)
      x[k] += terms_[t].factor * shown[at(terms_[t].shown)];
  }
}

void ExteriorMap::to_forces(std::span<const double> shown, std::span<double> tau) const {
  std::fill(tau.begin(), tau.end(), 0.0);
  for (std::size_t s = 0; s < shown.size(); ++s) tau[at(v_place_[s])] = shown[s];
}

void ExteriorMap::from_forces(std::span<const double> tau, std::span<double> shown) const {
  if (!is_coupled()) return from_tangent(tau, shown);
  std::fill(shown.begin(), shown.end(), 0.0);
  for (std::size_t k = 0; k < tau.size(); ++k) {
    for (std::size_t t = term_begin_[k]; t < term_begin_[k + 1]; ++t)
      shown[at(terms_[t].shown)] += terms_[t].factor * tau[k];
  }
}

void ExteriorMap::from_tangent(std::span<const double> x, std::span<double> shown) const {
  for (std::size_t s = 0; s < shown.size(); ++s) shown[s] = x[at(v_place_[s])];
}

void ExteriorMap::from_rows(int rows, std::span<const double> J, std::span<double> shown) const {
  const std::size_t nv = term_begin_.size() - 1;
  for (std::size_t r = 0; r < at(rows); ++r)
    from_forces(J.subspan(r * nv, nv), shown.subspan(r * v_names_.size(), v_names_.size()));
}

void ExteriorMap::from_columns(std::size_t columns, std::span<const double> Y, std::span<double> shown) const {
  if (!is_coupled()) {
    for (std::size_t s = 0; s < v_names_.size(); ++s)
      std::copy_n(Y.data() + at(v_place_[s]) * columns, columns, shown.data() + s * columns);
    return;
  }
  std::fill(shown.begin(), shown.end(), 0.0);
  for (std::size_t k = 0; k + 1 < term_begin_.size(); ++k) {
    for (std::size_t t = term_begin_[k]; t < term_begin_[k + 1]; ++t) {
      double* const row = shown.data() + at(terms_[t].shown) * columns;
      for (std::size_t j = 0; j < columns; ++j) row[j] += terms_[t].factor * Y[k * columns + j];
    }
  }
}

void ExteriorMap::select_square(std::span<const double> M, std::span<double> shown) const {
  if (is_identity()) {
    std::copy(M.begin(), M.end(), shown.begin());
    return;
  }
  const std::size_t nv = term_begin_.size() - 1, n = v_names_.size();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) shown[i * n + j] = M[at(v_place_[i]) * nv + at(v_place_[j])];
  }
}

void ExteriorMap::from_square(std::span<const double> M, std::span<double> shown) const {
  if (!is_coupled()) return select_square(M, shown);
  const std::size_t nv = term_begin_.size() - 1, n = v_names_.size();
  from_rows(static_cast<int>(nv), M, rows_);
  from_columns(n, rows_, shown);
}

}  // namespace articula
