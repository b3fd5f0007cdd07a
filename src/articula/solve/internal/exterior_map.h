#pragma once

#include <string>
#include <vector>

#include <articula/closure/coordinates.h>
#include <articula/solve/options.h>

namespace articula::solve {

/// Which of the independent variables a solver shows, and in which order. The others are held where they start.
///
///     q = γ(q_shown, q_held),   v = G·v_shown,   tau_shown = Gᵀ·tau,   M_shown = Gᵀ·M·G
///
/// with γ and G of closure/coordinates.h. The mechanism and its numbers must live as long.
class ExteriorMap {
 public:
  ExteriorMap(const Mechanism& mech, const Parameters<double>& par, const ExteriorPorts& exterior);

  bool is_identity() const { return identity_; }
  std::span<const std::string> q_names() const { return q_names_; }
  std::span<const std::string> v_names() const { return v_names_; }
  int nv() const { return static_cast<int>(v_names_.size()); }

  template <class T>
  void to_q(std::span<const T> shown, std::span<T> q) const {
    if (identity_) return copy(shown, q);
    for (const int k : mech_.independent.q) q[at(k)] = T(par_.q_start[at(k)]);
    for (std::size_t s = 0; s < shown.size(); ++s) q[at(q_place_[s])] = shown[s];
    follow_positions(mech_, par_, q.data());
  }
  /// x = G·shown
  template <class T>
  void to_tangent(std::span<const T> shown, std::span<T> x) const {
    if (identity_) return copy(shown, x);
    to_forces(shown, x);
    follow_rates(mech_, par_, x.data());
  }
  /// Forces on shown joints, others zero.
  template <class T>
  void to_forces(std::span<const T> shown, std::span<T> tau) const {
    if (identity_) return copy(shown, tau);
    std::fill(tau.begin(), tau.end(), T(0));
    for (std::size_t s = 0; s < shown.size(); ++s) tau[at(choice_.v[s])] = shown[s];
  }
  /// Gᵀ·tau
  template <class T>
  void from_forces(std::span<const T> tau, std::span<T> shown) const {
    if (identity_) return copy(tau, shown);
    reduce_forces(mech_, par_, choice_, tau.data(), shown.data());
  }
  void to_q(std::span<const double> shown, std::span<double> q) const { to_q<double>(shown, q); }
  void to_tangent(std::span<const double> shown, std::span<double> x) const { to_tangent<double>(shown, x); }
  void to_forces(std::span<const double> shown, std::span<double> tau) const { to_forces<double>(shown, tau); }
  void from_forces(std::span<const double> tau, std::span<double> shown) const { from_forces<double>(tau, shown); }

  void from_tangent(std::span<const double> x, std::span<double> shown) const;  ///< the shown ones of x
  /// Of what is given in all independent coordinates: the shown entries, the shown rows and columns.
  void select_independent(std::span<const double> x_y, std::span<double> shown) const;
  void select_independent_square(std::span<const double> M_y, std::span<double> shown) const;

  /// The same of matrices that were computed into workspace: `shown` becomes J·G, Gᵀ·Y, Gᵀ·M·G, the shown columns of J_y,
  /// the shown rows and columns of M_y. If all variables are shown in the mechanism's order, nothing is copied: workspace and
  /// `shown` are exchanged.
  using Matrix = std::vector<double>;
  void show_rows(int rows, Matrix& J, Matrix& shown) const;
  void show_columns(std::size_t columns, Matrix& Y, Matrix& shown) const;
  void show_square(Matrix& M, Matrix& shown) const;
  void show_independent_columns(int rows, Matrix& J_y, Matrix& shown) const;
  void show_independent_square(Matrix& M_y, Matrix& shown) const;

  /// One entry of a row of G.
  struct Term {
    int shown;
    double factor;
  };
  /// The row of G of a degree of freedom of the mechanism, without zeros: empty where it is held.
  std::vector<Term> row(std::size_t dof) const;
  /// Whether a degree of freedom moves with what is shown; otherwise it is held.
  bool moves(std::size_t dof) const { return !row(dof).empty(); }
  /// The degrees of freedom that follow others, in order.
  std::span<const int> followers() const { return followers_; }
  /// The degree of freedom of the mechanism behind one that is shown.
  int place_of(std::size_t shown) const { return choice_.v[shown]; }
  bool is_prescribed(std::span<const DofRole> roles, std::size_t shown) const {
    return roles[at(place_of(shown))] == DofRole::prescribed;
  }
  /// The roles of all degrees of freedom: those of the mechanism, and what does not move with anything shown is held.
  std::vector<DofRole> roles() const;

 private:
  static std::size_t at(int k) { return static_cast<std::size_t>(k); }
  template <class T>
  static void copy(std::span<const T> from, std::span<T> to) {
    std::copy(from.begin(), from.end(), to.begin());
  }
  void select_independent_columns(int rows, std::span<const double> J_y, std::span<double> shown) const;
  bool follows(int dof) const;
  /// Bodies whose joints are exposed, with those of their degrees of freedom that follow no others.
  std::vector<int> exposed_bodies(const ExteriorPorts& exterior) const;

  const Mechanism& mech_;
  const Parameters<double>& par_;
  bool identity_ = false;
  std::vector<std::string> q_names_, v_names_;
  std::vector<int> q_place_;  ///< of each shown q, its place among all
  struct {
    std::vector<int> v;      ///< of each shown v, its degree of freedom
    std::vector<int> place;  ///< of each degree of freedom, its place among those shown; −1: held, or follows
  } choice_;
  std::vector<int> followers_;
  mutable std::vector<double> M_G_;  ///< M·G, between two products
};

}  // namespace articula::solve
