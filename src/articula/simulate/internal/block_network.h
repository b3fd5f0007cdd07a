#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <articula/control/block_site.h>
#include <articula/simulate/named_trajectory.h>

namespace articula::simulate {

/// Blocks that read each other, trajectories, and the state of a mechanism; in the order in which they depend on one
/// another. Its signals lie in one row:
///
///     x = [q, v, z, q and v of joints that follow by gears, trajectories (q, v, a of each), outputs of blocks]
///
/// Allocates in its constructor only.
class BlockNetwork {
 public:
  BlockNetwork(const BlockSite& site, std::vector<NamedTrajectory> trajectories,
               std::vector<std::unique_ptr<Block>> blocks);

  std::size_t nz() const { return z_names_.size(); }
  const std::vector<std::string>& z_names() const { return z_names_; }
  /// All of x, with units.
  const std::vector<Signal>& signals() const { return signals_; }
  std::size_t n_state() const { return n_state_; }  ///< q, v, z: the first of them

  /// Fills x, ż and the forces on the joints. `all`: also trajectories that no block reads.
  void evaluate(double t, std::span<const double> q, std::span<const double> v, std::span<const double> z,
                bool all = false);
  std::span<const double> values() const { return x_; }
  std::span<const double> zdot() const { return zdot_; }
  /// Forces from outside, which `tau` has in it.
  std::vector<double>& forces() { return forces_; }
  std::span<const double> tau() const { return tau_; }

  /// The drives of a joint whose torque is limited, and what blocks exert through them.
  struct DriveTorque {
    std::string dof, unit;
    double limit = 0;
    double asked = 0;                 ///< what blocks ask for; exerted is no more than the limit
    std::vector<std::size_t> places;  ///< of what blocks give, in x
    struct Share {
      std::size_t dof;
      double factor;
    };
    std::vector<Share> shares;  ///< of the torque along degrees of freedom

    bool is_saturated() const { return std::abs(asked) > limit; }
    double exerted() const { return std::clamp(asked, -limit, limit); }
  };
  std::span<const DriveTorque> drives() const { return drives_; }

  /// ∂tau/∂[q, v, z] and ∂ż/∂[q, v, z], row by row, where `evaluate` was called last: dual numbers through each block,
  /// the chain rule from block to block.
  void differentiate();
  std::span<const double> dtau() const { return dtau_; }
  std::span<const double> dzdot() const { return dzdot_; }

  /// States of blocks at the start. `hold`: what keeps the joints from accelerating.
  void start(double t, std::span<const double> q, std::span<const double> v, std::span<const double> hold,
             std::span<double> z);

  void end_before(double t);
  /// t, or just before the jump that `end_before` named.
  double seen(double t) const { return t < t_end_ ? t : t_before_end_; }

  /// Whether a trajectory is read by a block; whether a block keeps a joint within its limits.
  bool reads(const std::string& trajectory) const;
  bool guards(const std::string& dof) const;
  /// Blocks that act on a degree of freedom, by name.
  std::vector<std::string> acting_on(std::size_t dof) const;

  // Events, breaks and samples, where `evaluate` was called last.
  int event_count() const { return static_cast<int>(events_.size()); }
  void event_values(std::span<double> g) const;
  bool on_event(int k, std::span<double> z) const;
  std::string event_name(int k) const;
  std::vector<double> breaks(double begin, double until) const;
  void on_break(double t, std::span<const double> hold, std::span<double> z) const;
  double next_sample(double t) const;
  double nearest_sample(double t) const;
  bool samples_at(double t) const;
  void sample(double t, std::span<double> z) const;

  std::vector<std::string> wiring() const { return wiring_; }

  /// Calls `trajectory` with each NamedTrajectory, then `block` with each Block.
  template <class F, class G>
  void visit(F&& trajectory, G&& block) const {
    for (const Motion& motion : motions_) trajectory(motion.named);
    for (const Node& node : nodes_) block(*node.block);
  }

 private:
  struct Node {
    std::unique_ptr<Block> block;
    std::vector<int> in;             ///< places of its inputs in x
    std::size_t z = 0, nz = 0;       ///< its states among z
    std::size_t out = 0, nout = 0;   ///< its outputs in x
    std::vector<int> action_dofs;    ///< where its actions are: for `hold`
    std::vector<int> action_places;  ///< of these, in x
    std::vector<double> in_values;
    mutable std::vector<double> hold;
    std::vector<Dual> in_dual, z_dual, out_dual, zdot_dual;
    bool read = false;  ///< by another block, without delay
  };
  /// One call of a block.
  struct Call {
    std::size_t node;
    bool outputs, rates;  ///< which of its results are taken
  };
  struct Motion {
    NamedTrajectory named;
    std::size_t first = 0;  ///< of its signals in x
    int order = -1;         ///< highest derivative that a block reads
  };
  struct EventPlace {
    std::size_t node;
    int k;
  };

  void name_signals(const BlockSite& site);
  void connect(const BlockSite& site);
  void take_commands(const BlockSite& site);
  void add_followers(const BlockSite& site);
  void act_through_drive(const BlockSite::Dof& dof, std::size_t place, std::size_t first_act);
  void sort();
  [[noreturn]] void throw_circle(const std::vector<std::vector<std::size_t>>& reads,
                                 const std::vector<bool>& done) const;
  const Node* giver(int place) const;
  void gather(Node& node);
  void compute(const Call& call);
  void differentiate(const Call& call);
  void make_rows();
  void add_row(double factor, int place, std::span<double> row) const;
  std::span<const double> hold_of(const Node& node, std::span<const double> hold) const;

  std::vector<Motion> motions_;
  std::vector<Node> nodes_;
  std::vector<Signal> signals_;
  std::vector<std::string> z_names_, wiring_;
  std::vector<Call> calls_;
  struct Act {
    std::size_t place, dof;
    double factor;
  };
  /// A joint that follows others: its coordinate is offset + Σ factor·q, its speed Σ factor·v.
  struct Follower {
    double offset = 0;
    std::vector<int> q, v;  ///< of those it follows, in x
    std::vector<double> factors;
  };
  std::vector<Follower> followers_;
  std::size_t follower_q_ = 0, follower_v_ = 0;  ///< where their signals begin in x
  std::vector<Act> acts_;
  std::vector<DriveTorque> drives_;
  std::vector<EventPlace> events_;
  std::size_t nq_ = 0, nv_ = 0, n_state_ = 0;
  double t_ = 0, t_end_ = std::numeric_limits<double>::infinity(), t_before_end_ = t_end_;
  std::vector<double> x_, z_, zdot_, tau_, forces_, discard_;
  std::vector<double> rows_;  ///< ∂/∂[q, v, z] of all outputs
  std::vector<char> varies_;  ///< whether a signal depends on q, v or z
  std::vector<double> dtau_, dzdot_;
};

}  // namespace articula::simulate
