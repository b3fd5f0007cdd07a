#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <articula/build/shared_mechanism.h>
#include <articula/solve/internal/exterior_map.h>

namespace articula::solve {

/// A mechanism that was checked and built, its numbers, and the variables of it that are exposed: behind solvers, blocks
/// and runs.
class ExposedMechanism {
 public:
  /// A joint whose variables are exposed. Its coordinates are neighbours in q, as its rates are in v. If some of its
  /// degrees of freedom follow others by gears, each of the rest is listed by itself, as a prismatic or revolute joint.
  struct Joint {
    std::string name;
    JointKind kind = JointKind::fixed;
    Range q, v;                  ///< among those exposed
    int flat_q = 0, flat_v = 0;  ///< where they begin in the mechanism

    bool has_quaternion() const { return quaternion_in(kind) >= 0; }
    int quaternion() const { return q.first + quaternion_in(kind); }  ///< where in q it begins
  };

  /// @param shared of the model; built if there is none
  /// @param ports what is left empty, the model says
  /// @param passive whether springs, dampers and friction act, and by default drives
  ExposedMechanism(const Model& model, const std::optional<SharedMechanism>& shared, const ExteriorPorts& ports,
                   const BuildOptions& options, bool passive);
  ExposedMechanism(const ExposedMechanism&) = delete;  // the map refers to the mechanism and its numbers

  const Built& built() const { return shared_.built(); }
  const Mechanism& mech() const { return built().mechanism; }
  const Parameters<double>& par() const { return par_; }
  const ExteriorPorts& ports() const { return ports_; }
  const ExteriorMap& map() const { return map_; }
  const std::vector<Joint>& joints() const { return joints_; }
  /// Of all degrees of freedom: those that do not move with what is exposed are prescribed.
  const std::vector<DofRole>& roles() const { return roles_; }
  /// The same; empty where all are free.
  std::span<const DofRole> roles_if_any() const { return all_free_ ? std::span<const DofRole>{} : roles_; }
  bool all_free() const { return all_free_; }
  bool passive() const { return passive_; }
  std::size_t nq() const { return map_.q_names().size(); }
  std::size_t nv() const { return map_.v_names().size(); }
  /// The joint that a degree of freedom belongs to.
  std::string_view joint_of(std::size_t dof) const;

  /// New numbers, same structure.
  void refresh(const Model& model);

  /// Throws an Error if a joint moves nothing that has inertia where the mechanism starts.
  void require_regular_joints() const;

 private:
  void list_joints();

  SharedMechanism shared_;
  Parameters<double> par_;
  ExteriorPorts ports_;
  ExteriorMap map_;
  std::vector<DofRole> roles_;
  bool all_free_, passive_;
  std::vector<Joint> joints_;
};

}  // namespace articula::solve
