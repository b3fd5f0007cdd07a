#pragma once

#include <memory>
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

namespace articula {

class ExposedMechanism;

/// What of a model acts and shows in a run; also what controllers know that use the model.
struct SystemOptions {
  bool passive = true;     ///< springs, dampers, friction and the reflected inertia of drives act
  ExteriorPorts exterior;  ///< as of solvers: joints left out are held; frames: their poses become signals
  BuildOptions build;
  /// Trajectories whose joints move exactly as they say. A joint that the model calls prescribed takes the only
  /// trajectory that moves it where none is listed here.
  std::vector<std::string> prescribe;
  /// Runs refuse a model with contacts, which are not computed yet; with this they leave the contacts out.
  bool ignore_contacts = false;
  /// 0: joint friction sticks and slides, at exact times; else it is smoothed over speeds of this size, and a joint under
  /// load creeps. In rad/s or m/s.
  double friction_speed = 0;
};

/// Where blocks are put: the joints they can act on, and the model that some of them compute with.
class ARTICULA_EXPORT BlockSite {
 public:
  /// A degree of freedom, as blocks see it.
  struct Dof {
    std::string name;      ///< "elbow", or "base.x" of a joint with several
    std::string joint;     ///< the joint it belongs to
    std::string position;  ///< its coordinate's name; empty where it has none of its own: balls and free bodies
    bool angular = true;
    bool follows = false;         ///< it follows others by gears
    double lower = 0, upper = 0;  ///< the model's limits; infinite: none
    double force_limit = 0, speed_limit = 0;

    std::string effort_unit() const { return angular ? "N*m" : "N"; }
    std::string position_unit() const { return angular ? "rad" : "m"; }
    std::string speed_unit() const { return angular ? "rad/s" : "m/s"; }
  };

  explicit BlockSite(const Model& model, const SystemOptions& options = {});
  ~BlockSite();

  std::span<const std::string> q_names() const { return q_names_; }
  std::span<const Dof> dofs() const { return dofs_; }
  /// Degrees of freedom that follow others by gears: blocks may read them and act on them.
  std::span<const Dof> followers() const { return followers_; }
  const SystemOptions& options() const { return options_; }
  /// What of the model a run does not compute.
  const Findings& findings() const { return findings_; }
  const std::shared_ptr<const ExposedMechanism>& mechanism() const { return mechanism_; }

 private:
  std::shared_ptr<const ExposedMechanism> mechanism_;
  void refuse_contacts();
  void list_rotors();

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

/// The making of one block: its name, and the messages about it.
class ARTICULA_EXPORT BlockMaking {
 public:
  BlockMaking(const BlockSite& where_it_goes, std::string block_name, Where block_where = {});

  const BlockSite& site;
  std::string block;
  Where where;

  /// Throws `block "servo": message  [code]`.
  [[noreturn]] void fail(std::string code, std::string_view message) const;

  /// The degrees of freedom of the joints listed, in the model's order for `all`. A name may be that of a joint, which
  /// then counts with all its degrees of freedom, or of one of these.
  std::vector<BlockSite::Dof> dofs(std::span<const std::string> joints) const;
  BlockSite::Dof dof(const std::string& joint) const;

  /// Each must have a coordinate of its own; quaternions have not.
  void need_positions(std::span<const BlockSite::Dof> dofs) const;
  /// None may follow others by gears: the block computes with the model's independent joints.
  void need_independent(std::span<const BlockSite::Dof> dofs) const;
  /// Gains are given in units of turning or of sliding joints: all must be of that form.
  void need_form(std::span<const BlockSite::Dof> dofs, Form form) const;

  /// One number for each of n: as listed, or one for all. Not below `least`.
  std::vector<double> each(std::string_view property, std::span<const double> values, std::size_t n,
                           double least = 0) const;
  void need_positive(std::string_view property, double value) const;
  void need_not_negative(std::string_view property, double value) const;
  void need_text(std::string_view property, std::string_view value, std::string_view example) const;

  /// Takes over what all blocks have.
  template <class B>
  std::unique_ptr<Block> done(std::unique_ptr<B> made) const {
    made->name = block;
    made->where = where;
    return made;
  }
};

}  // namespace articula
