#pragma once

#include <algorithm>
#include <limits>

#include <Eigen/Dense>

#include <articula/model/entities/gear.h>
#include <articula/network/entity_implementation.h>

namespace articula::network {

/// A gear with any number of shafts on either side. With the turns x of inputs and outputs and C = (1, −ratio),
///
///     C·x = offset:    x_out = C_out⁺·(offset − C_in·x_in) = B·x_in + c,    t_in = Bᵀ·t_out
///
/// where `in` and `out` are the directions of the turns, on whichever side of the gear.
template <>
class Implementation<Gear> final : public EntityImplementation {
 public:
  explicit Implementation(const Gear& gear)
      : C_(rows(gear), rows(gear) + columns(gear)), offset_(Rows::Zero(rows(gear))) {
    C_.leftCols(rows(gear)).setIdentity();
    for (Eigen::Index i = 0; i < rows(gear); ++i) {
      const auto row = static_cast<std::size_t>(i);
      for (Eigen::Index j = 0; j < columns(gear); ++j)
        C_(i, rows(gear) + j) = -gear.ratio[row][static_cast<std::size_t>(j)];
      if (row < gear.offset.size()) offset_[i] = gear.offset[row];
    }
  }

  bool turns(std::span<const PortRole> role, int) const override {
    return std::count(role.begin(), role.end(), PortRole::open) <= C_.rows();
  }
  void pass_turns(const Site& site) const override {
    const auto [in, out, solver] = split(site);
    if (out.size == 0) return;
    const auto send = [&](double Turn::*what, Rows right) {
      for (Eigen::Index k = 0; k < in.size; ++k) right -= C_.col(in.port[k]) * (site.turn_at(in.port[k]).*what);
      const Rows x = solver.solve(right);
      for (Eigen::Index k = 0; k < out.size; ++k) site.turn_at(out.port[k]).*what = x[k];
    };
    send(&Turn::angle, offset_);
    send(&Turn::speed, Rows::Zero(C_.rows()));
    send(&Turn::acceleration, Rows::Zero(C_.rows()));
    if (solver.rank() == out.size) return;
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    for (Eigen::Index k = 0; k < out.size; ++k) site.turn_at(out.port[k]) = {unknown, unknown, unknown};
  }
  void pass_torques(const Site& site) const override {
    const auto [in, out, solver] = split(site);
    if (out.size == 0) return;
    for (Eigen::Index k = 0; k < in.size; ++k) {
      const Rows B = solver.solve(Rows(-C_.col(in.port[k])));
      double& t = site.torque_at(in.port[k]);
      for (Eigen::Index i = 0; i < out.size; ++i) t += B[i] * site.torque_at(out.port[i]);
    }
  }
  void action(const Site&) const override {}
  void articulated_action(const Site&) const override {}

  static constexpr int most = 16;  ///< inputs, and outputs; so that nothing is allocated

 private:
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, most, 2 * most>;
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 2 * most, 1>;

  struct Ports {
    int port[2 * most];
    Eigen::Index size = 0;
    void add(int k) { port[size++] = k; }
  };
  struct Split {
    Ports in, out;
    Eigen::CompleteOrthogonalDecomposition<Matrix> solver;  ///< of C_out
  };

  static Eigen::Index rows(const Gear& gear) { return static_cast<Eigen::Index>(gear.inputs()); }
  static Eigen::Index columns(const Gear& gear) { return static_cast<Eigen::Index>(gear.outputs()); }

  Split split(const Site& site) const {
    Split s;
    for (int k = 0; k < C_.cols(); ++k) (site.role[static_cast<std::size_t>(k)] == PortRole::out ? s.out : s.in).add(k);
    Matrix C_out(C_.rows(), s.out.size);
    for (Eigen::Index k = 0; k < s.out.size; ++k) C_out.col(k) = C_.col(s.out.port[k]);
    if (s.out.size > 0) s.solver.compute(C_out);
    return s;
  }

  Matrix C_;
  Rows offset_;
};

}  // namespace articula::network
