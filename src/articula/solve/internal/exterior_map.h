#pragma once

#include <string>
#include <vector>

#include <articula/mechanism/parameters.h>
#include <articula/solve/options.h>

namespace articula {

/// Between the variables that a solver shows and those of the mechanism: a choice of joints in some order, and gears
/// that make some joints follow others.
///
///     q = q_held + E·q_shown,   v = G·v_shown,   tau_shown = Gᵀ·tau,   M_shown = Gᵀ·M·G
class ExteriorMap {
 public:
  ExteriorMap(const Mechanism& mech, const Parameters<double>& par, const ExteriorPorts& exterior);

  /// New gear ratios and offsets.
  void refresh(const Mechanism& mech, const Parameters<double>& par);

  bool is_identity() const { return identity_; }
  bool is_coupled() const { return !couplings_.empty(); }  ///< some joints follow others
  std::span<const std::string> q_names() const { return q_names_; }
  std::span<const std::string> v_names() const { return v_names_; }
  int nv() const { return static_cast<int>(v_names_.size()); }
  /// Whether a degree of freedom moves with what is shown; otherwise it is held.
  bool moves(std::size_t dof) const { return term_begin_[dof] < term_begin_[dof + 1]; }

  void to_q(std::span<const double> shown, std::span<double> q) const;
  void to_tangent(std::span<const double> shown, std::span<double> x) const;   ///< x = G·shown
  void to_forces(std::span<const double> shown, std::span<double> tau) const;  ///< forces on shown joints, others zero
  void from_forces(std::span<const double> tau, std::span<double> shown) const;        ///< Gᵀ·tau
  void from_tangent(std::span<const double> x, std::span<double> shown) const;         ///< the shown ones of x
  void from_rows(int rows, std::span<const double> J, std::span<double> shown) const;  ///< J·G
  void from_columns(std::size_t columns, std::span<const double> Y, std::span<double> shown) const;  ///< Gᵀ·Y
  void from_square(std::span<const double> M, std::span<double> shown) const;                        ///< Gᵀ·M·G
  void select_square(std::span<const double> M, std::span<double> shown) const;  ///< the shown rows and columns of M

  bool is_prescribed(std::span<const DofRole> roles, std::size_t shown) const {
    return roles[static_cast<std::size_t>(v_place_[shown])] == DofRole::prescribed;
  }

  /// One entry of a row of G.
  struct Term {
    int shown;
    double factor;
  };
  /// The row of G of a degree of freedom of the mechanism.
  std::span<const Term> row(std::size_t dof) const {
    return std::span(terms_).subspan(term_begin_[dof], term_begin_[dof + 1] - term_begin_[dof]);
  }
  /// The degrees of freedom that follow others.
  std::span<const int> followers() const { return couplings_; }
  /// The degree of freedom of the mechanism behind one that is shown.
  int place_of(std::size_t shown) const { return v_place_[shown]; }

 private:
  void expose(const Mechanism& mech, const ExteriorPorts& exterior);
  void couple(const Mechanism& mech, const Parameters<double>& par);

  bool identity_ = false;
  std::vector<std::string> q_names_, v_names_;
  std::vector<double> q_held_;           ///< where joints start, or the offset of those that follow
  std::vector<int> q_source_;            ///< of each q, the shown entry it is; −1: held, or follows
  std::vector<int> v_place_;             ///< of each shown v, its degree of freedom
  std::vector<int> couplings_;           ///< degrees of freedom that follow others
  std::vector<int> q_of_v_;              ///< where in q each degree of freedom with one coordinate stands
  std::vector<Term> terms_;              ///< rows of G, one after another
  std::vector<std::size_t> term_begin_;  ///< where the row of each degree of freedom begins
  mutable std::vector<double> rows_;     ///< M·G, between two products
};

}  // namespace articula
