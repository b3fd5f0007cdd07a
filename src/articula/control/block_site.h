#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <articula/base/error.h>
#include <articula/base/export.h>
#include <articula/control/block.h>
#include <articula/model/field.h>
#include <articula/model/model.h>
#include <articula/solve/options.h>

namespace articula::solve {
class ExposedMechanism;
}

namespace articula::control {

/// The parts of a model that act in a run, and that become signals. Controllers that use the model have the same
/// options.
struct SystemOptions {
  bool passive = true;     ///< springs, dampers, friction and drives act
  ExteriorPorts exterior;  ///< as for solvers: joints that are not listed are locked; poses of frames become signals
  BuildOptions build;
  /// Trajectories that prescribe the motion of their joints. A joint that is prescribed in the model uses the only
  /// trajectory that moves it, if none is listed here.
  std::vector<std::string> prescribe;
  /// Contacts are not computed. If false, a model with contacts is an Error; if true, they are ignored.
  bool ignore_contacts = false;
  /// 0: joints stick and slide by friction, with exact times of transition. Otherwise friction is smoothed over speeds
  /// of this magnitude, in rad/s or m/s, and a joint under load creeps.
  double friction_speed = 0;
  std::optional<SharedMechanism> mechanism;  ///< of the model, if it is built already; `build` is then of no effect
};

/// The context in which blocks are made: the joints they can act on, and the model that some of them compute with.
class ARTICULA_EXPORT BlockSite {
 public:
  /// A degree of freedom, as blocks see it.
  struct Dof {
    std::string name;      ///< "elbow", or "base.x" of a joint with several
    std::string joint;     ///< the joint it belongs to
    std::string position;  ///< name of its coordinate; empty if it has none (spherical and free joints)
    bool angular = true;
    bool is_motor = false;        ///< the angle of a rotor; `all` joints do not include it
    bool follows = false;         ///< it follows other joints through gears
    double lower = 0, upper = 0;  ///< limits of the model; infinite if none
    double force_limit = 0, speed_limit = 0;
    double drive_limit = 0;  ///< of the torque of its drives

    /// The largest force that an actuator may exert.
    double actuator_limit() const { return std::min(force_limit, drive_limit); }

    Dimension angle_or_length() const { return angular ? dimension::angle : dimension::length; }
    Dimension speed() const { return angular ? dimension::angular_speed : dimension::speed; }
    std::string effort_unit() const { return angular ? "N*m" : "N"; }
    std::string position_unit() const { return angular ? "rad" : "m"; }
    std::string speed_unit() const { return angular ? "rad/s" : "m/s"; }
  };

  explicit BlockSite(const Model& model, const SystemOptions& options = {});
  ~BlockSite();

  std::span<const std::string> q_names() const { return q_names_; }
  std::span<const Dof> dofs() const { return dofs_; }
  /// Degrees of freedom that follow others through gears: blocks may read them and act on them.
  std::span<const Dof> followers() const { return followers_; }
  const SystemOptions& options() const { return options_; }
  /// Model features that a run does not compute.
  const Findings& findings() const { return findings_; }
  const std::shared_ptr<const ExposedMechanism>& mechanism() const { return mechanism_; }

 private:
  std::shared_ptr<const ExposedMechanism> mechanism_;
  void refuse_contacts();

  SystemOptions options_;
  std::vector<std::string> q_names_;
  std::vector<Dof> dofs_, followers_;
  Findings findings_;
};

/// Properties that most kinds of blocks have.
template <class Self, class Visitor>
void form_field(Self& self, Visitor& field) {
  field("form", self.form, dimension::none,
        "whether the joints turn (`torsional`) or slide (`translational`), which determines the units");
}
template <class Self, class Visitor>
void joints_field(Self& self, Visitor& field) {
  field("joints", self.joints, dimension::none, "joints or degrees of freedom, or `all`");
}
template <class Self, class Visitor>
void form_and_joints(Self& self, Visitor& field) {
  form_field(self, field);
  joints_field(self, field);
}

/// Context for making one block: its name, checks of its properties, and messages.
class ARTICULA_EXPORT BlockMaking {
 public:
  BlockMaking(const BlockSite& where_it_goes, std::string block_name, Where block_where = {});

  const BlockSite& site;
  std::string block;
  Where where;

  /// Throws `block "servo": message  [code]`.
  [[noreturn]] void fail(std::string code, std::string_view message) const;

  /// The degrees of freedom of the listed joints, or, for `all`, of all joints in the model's order. A name is that of
  /// a joint, with all its degrees of freedom, or of one degree of freedom.
  std::vector<BlockSite::Dof> dofs(std::span<const std::string> joints) const;
  BlockSite::Dof dof(const std::string& joint) const;

  /// Throws unless each has a coordinate of its own; a joint described by a quaternion has none.
  void need_positions(std::span<const BlockSite::Dof> dofs) const;
  /// Throws if one follows others through gears: the block computes with the model's independent joints.
  void need_independent(std::span<const BlockSite::Dof> dofs) const;
  /// Throws unless all joints are of the form that determines the units of the gains.
  void need_form(std::span<const BlockSite::Dof> dofs, Form form) const;

  /// One number for each of n, from a list of n numbers or one for all. Throws if one is less than `least`.
  std::vector<double> each(std::string_view property, std::span<const double> values, std::size_t n,
                           double least = 0) const;
  void need_positive(std::string_view property, double value) const;
  void need_not_negative(std::string_view property, double value) const;
  void need_text(std::string_view property, std::string_view value, std::string_view example) const;

  /// Sets the members that all blocks have.
  template <class B>
  std::unique_ptr<Block> done(std::unique_ptr<B> made) const {
    made->name = block;
    made->where = where;
    return made;
  }
};

}  // namespace articula::control
