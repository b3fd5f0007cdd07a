#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include <articula/mechanism/parameters.h>

/// The joints of a mechanism in its independent coordinates y (Mechanism::independent). Coupled joints follow from
/// them, cluster by cluster:
///
///     q = γ(y),   v = G·ẏ,   vdot = G·ÿ + g,   tau_y = Gᵀ·tau,   M_y = Gᵀ·M·G,   J_y = J·G
///
/// G is the identity for independent joints, and a small dense matrix for each cluster. For gears it is
/// constant, γ is linear and g = 0. Matrices are stored row by row.
///
/// Reduction is to a selection of independent degrees of freedom: all of them (Mechanism::independent), or those that a
/// solver exposes. Its member `v` contains their indices among all, and `place` the index in the selection of each, or
/// −1.
namespace articula::closure {

/// Calls f(cluster, dof, row of G, offset) for every degree of freedom that follows from others.
template <class P, class F>
void for_each_follower(const Mechanism& mech, const Parameters<P>& par, F&& f) {
  for (std::size_t c = 0; c < mech.clusters.size(); ++c) {
    const Cluster& cluster = mech.clusters[c];
    const P* row = par.closures[c].G.data();
    const P* offset = par.closures[c].offset.data();
    for (const int dof : cluster.dependent) {
      f(cluster, dof, row, *offset);
      row += cluster.independent.size(), ++offset;
    }
  }
}

/// Computes the positions that follow from those of independent joints, which are already in q.
template <class T, class P>
void follow_positions(const Mechanism& mech, const Parameters<P>& par, T* q) {
  for_each_follower(mech, par, [&](const Cluster& cluster, int dof, const P* G, const P& offset) {
    T x(offset);
    for (const int driver : cluster.independent) x += *G++ * q[position_of(mech, driver)];
    q[position_of(mech, dof)] = x;
  });
}

/// Computes the velocities that follow from those of independent joints, which are already in v; if g = 0, also
/// accelerations.
template <class T, class P>
void follow_rates(const Mechanism& mech, const Parameters<P>& par, T* v) {
  for_each_follower(mech, par, [&](const Cluster& cluster, int dof, const P* G, const P&) {
    T x(0);
    for (const int driver : cluster.independent) x += *G++ * v[driver];
    v[dof] = x;
  });
}

/// q = γ(y)
template <class T, class P>
void expand_positions(const Mechanism& mech, const Parameters<P>& par, const T* y, T* q) {
  for (const int k : mech.independent.q) q[k] = *y++;
  follow_positions(mech, par, q);
}

/// v = G·ẏ
template <class T, class P>
void expand_rates(const Mechanism& mech, const Parameters<P>& par, const T* ydot, T* v) {
  for (const int k : mech.independent.v) v[k] = *ydot++;
  follow_rates(mech, par, v);
}

/// Gᵀ·Y of a matrix with a row for each degree of freedom; of one column, tau_y = Gᵀ·tau
template <class T, class P, class Choice>
void reduce_rows(const Mechanism& mech, const Parameters<P>& par, const Choice& choice, std::size_t columns, const T* Y,
                 T* Y_y) {
  for (std::size_t k = 0; k < choice.v.size(); ++k) {
    std::copy_n(Y + static_cast<std::size_t>(choice.v[k]) * columns, columns, Y_y + k * columns);
  }
  for_each_follower(mech, par, [&](const Cluster& cluster, int dof, const P* G, const P&) {
    const T* const from = Y + static_cast<std::size_t>(dof) * columns;
    for (const int driver : cluster.independent) {
      const P& factor = *G++;
      const int row = choice.place[static_cast<std::size_t>(driver)];
      if (row < 0) continue;  // locked
      T* const to = Y_y + static_cast<std::size_t>(row) * columns;
      for (std::size_t j = 0; j < columns; ++j) to[j] += factor * from[j];
    }
  });
}

/// Gᵀ·tau
template <class T, class P, class Choice>
void reduce_forces(const Mechanism& mech, const Parameters<P>& par, const Choice& choice, const T* tau, T* tau_y) {
  reduce_rows(mech, par, choice, 1, tau, tau_y);
}

/// J·G of a matrix with a column for each degree of freedom
template <class T, class P, class Choice>
void reduce_columns(const Mechanism& mech, const Parameters<P>& par, const Choice& choice, std::size_t rows, const T* J,
                    T* J_y) {
  const std::size_t n = static_cast<std::size_t>(mech.nv), n_y = choice.v.size();
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t k = 0; k < n_y; ++k) J_y[i * n_y + k] = J[i * n + static_cast<std::size_t>(choice.v[k])];
  }
  for_each_follower(mech, par, [&](const Cluster& cluster, int dof, const P* G, const P&) {
    for (const int driver : cluster.independent) {
      const P& factor = *G++;
      const int column = choice.place[static_cast<std::size_t>(driver)];
      if (column < 0) continue;  // locked
      const T* const from = J + dof;
      T* const to = J_y + column;
      for (std::size_t i = 0; i < rows; ++i) to[i * n_y] += factor * from[i * n];
    }
  });
}

/// Gᵀ·M·G. `M_G` is workspace, nv × the size of the selection.
template <class T, class P, class Choice>
void reduce_matrix(const Mechanism& mech, const Parameters<P>& par, const Choice& choice, const T* M, T* M_G, T* M_y) {
  reduce_columns(mech, par, choice, static_cast<std::size_t>(mech.nv), M, M_G);
  reduce_rows(mech, par, choice, choice.v.size(), M_G, M_y);
}

/// Inputs and results in y for algorithms that compute with all joints. Without coupled joints nothing is copied.
/// Allocates in its constructor only.
template <class T, class P>
class AllJoints {
 public:
  /// @param squares the number of square matrices that are reduced
  explicit AllJoints(const Mechanism& mech, std::size_t squares = 0) : mech_(mech) {
    if (!mech.is_coupled()) return;
    const auto n = static_cast<std::size_t>(mech.nv);
    q_.resize(static_cast<std::size_t>(mech.nq));
    v_.resize(n), vdot_.resize(n), tau_.resize(n);
    M_.resize(squares * n * n);
    if (squares > 0) M_G_.resize(n * mech.independent.v.size());
  }

  std::span<const T> q(const Parameters<P>& par, std::span<const T> y) {
    if (!mech_.is_coupled()) return y;
    expand_positions(mech_, par, y.data(), q_.data());
    return q_;
  }
  std::span<const T> v(const Parameters<P>& par, std::span<const T> ydot) { return rates(par, ydot, v_); }
  std::span<const T> vdot(const Parameters<P>& par, std::span<const T> yddot) { return rates(par, yddot, vdot_); }

  /// Forces on all joints: tau_y on independent joints, zero on followers.
  std::span<const T> forces(std::span<const T> tau_y) {
    if (!mech_.is_coupled()) return tau_y;
    std::fill(tau_.begin(), tau_.end(), T(0));
    for (std::size_t k = 0; k < tau_y.size(); ++k) tau_[place(k)] = tau_y[k];
    return tau_;
  }

  /// The array to which an algorithm writes the forces on all joints; they are then reduced.
  std::span<T> tau(std::span<T> tau_y) { return mech_.is_coupled() ? std::span<T>(tau_) : tau_y; }
  void reduce_tau(const Parameters<P>& par, std::span<T> tau_y) {
    if (mech_.is_coupled()) reduce_forces(mech_, par, mech_.independent, tau_.data(), tau_y.data());
  }

  /// The array to which an algorithm writes the accelerations of all joints; those of independent ones are then
  /// selected.
  std::span<T> vdot(std::span<T> yddot) { return mech_.is_coupled() ? std::span<T>(vdot_) : yddot; }
  void choose_vdot(std::span<T> yddot) {
    if (!mech_.is_coupled()) return;
    for (std::size_t k = 0; k < yddot.size(); ++k) yddot[k] = vdot_[place(k)];
  }

  /// The same for a matrix with a row and a column for each degree of freedom, the k-th of them.
  std::span<T> square(std::size_t k, std::span<T> M_y) {
    const auto n = static_cast<std::size_t>(mech_.nv);
    return mech_.is_coupled() ? std::span<T>(M_).subspan(k * n * n, n * n) : M_y;
  }
  void reduce_square(const Parameters<P>& par, std::size_t k, std::span<T> M_y) {
    if (!mech_.is_coupled()) return;
    const auto n = static_cast<std::size_t>(mech_.nv);
    reduce_matrix(mech_, par, mech_.independent, M_.data() + k * n * n, M_G_.data(), M_y.data());
  }

 private:
  std::span<const T> rates(const Parameters<P>& par, std::span<const T> ydot, std::vector<T>& v) {
    if (!mech_.is_coupled()) return ydot;
    expand_rates(mech_, par, ydot.data(), v.data());
    return v;
  }

  std::size_t place(std::size_t k) const { return static_cast<std::size_t>(mech_.independent.v[k]); }

  const Mechanism& mech_;
  std::vector<T> q_, v_, vdot_, tau_, M_, M_G_;
};

}  // namespace articula::closure
