#pragma once

#include <articula/simulate/internal/block_network.h>
#include <articula/simulate/internal/dry_friction.h>
#include <articula/simulate/internal/plant.h>
#include <articula/simulate/internal/prescribed_motion.h>
#include <articula/simulate/system.h>

namespace articula::simulate {

using ExposedJoint = ExposedMechanism::Joint;

/// The implementation of a System: the mechanism, its drives, friction, and outputs.
struct System::Core {
  Core(const BlockSite& site, std::vector<NamedTrajectory> trajectories, std::vector<std::unique_ptr<Block>> blocks)
      : plant(site.mechanism()),
        prescribed(site, trajectories),
        friction(site, prescribed, plant),
        network(site, std::move(trajectories), std::move(blocks)),
        nq(plant.nq()),
        nv(plant.nv()),
        n(nq + nv + network.nz()),
        q_now(nq),
        v_now(nv),
        vdot(nv),
        tau(nv),
        tau_tried(nv),
        reaction(friction.size()),
        v_middle(nv),
        held(nv),
        hold(nv) {
    if (nv <= most_squared_at_once) make_squares();
    for (const ExposedJoint& joint : plant.exposed().joints()) {
      if (joint.has_quaternion()) with_quaternions.push_back(joint);
    }
    for (std::size_t k = 0; k < nv; ++k) {
      if (prescribed.moves_v(k)) plant.prescribe(k, true);
    }
    tau_all.resize(static_cast<std::size_t>(plant.exposed().mech().nv));
    name_signals(site);
    list_limits(site);
    findings = site.findings();
    findings.insert(findings.end(), friction.findings().begin(), friction.findings().end());
    warn_of_idle_blocks(site);
  }

  void make_squares() {
    for (std::vector<double>* each : {&dq, &dv, &du}) each->resize(nv * nv);
  }

  struct Parts {
    std::span<const double> q, v, z;
  };
  /// y at t: with quaternions of unit length, and prescribed joints where they are then. Their accelerations are written
  /// to vdot.
  Parts at(double t, std::span<const double> y);
  /// Blocks, at y.
  Parts drive(double t, std::span<const double> y, bool all = false);
  /// Blocks, then accelerations. False if these cannot be computed.
  bool evaluate(double t, std::span<const double> y, bool all = false);
  void settle(int stopped, double t, std::span<double> y);
  std::span<const double> z_of(std::span<const double> y) const { return y.subspan(nq + nv); }

  void position_rates(std::span<const double> q, std::span<const double> v, std::span<double> qdot) const;
  void list_limits(const BlockSite& site);
  void warn_of_idle_blocks(const BlockSite& site);
  void name_signals(const BlockSite& site);
  void add_position_rows(std::span<const double> y, std::span<double> J) const;
  void to_ambient(std::span<const double> q, std::span<double> row) const;
  void check(std::string_view what, std::span<const double> x, std::span<const std::string> names) const;

  Plant plant;
  PrescribedMotion prescribed;
  DryFriction friction;
  BlockNetwork network;
  std::size_t nq, nv, n;
  std::vector<double> q_now, v_now, vdot, tau, tau_tried;
  std::vector<double> reaction;        ///< of joints that can stick: the force that keeps them at rest
  std::vector<double> v_middle, held;  ///< of semi-implicit steps
  std::vector<double> hold;
  std::vector<double> dq, dv, du;  ///< squares
  std::vector<ExposedJoint> with_quaternions;
  std::vector<int> frames;
  std::vector<int> elements;      ///< springs, dampers and actuators whose stretch and force are signals
  std::vector<double> tau_all;    ///< of all joints, for those that follow
  std::vector<int> limit_places;  ///< of what limits bound, in q
  std::vector<Limit> limits;
  bool at_rest = false;  ///< statics: see rest_at
  std::vector<Signal> signals;
  Findings findings;
};

}  // namespace articula::simulate
