#pragma once

#include <articula/base/export.h>
#include <articula/build/lower.h>

namespace articula::build {

/// Computes the parameters of a mechanism from the models from which it was lowered: first in lowering, then in every
/// refresh. The structure is only read, and a refresh allocates nothing.
class ARTICULA_EXPORT Numbers {
 public:
  /// All three must outlive it. `par` has its sizes from `size_parameters`.
  Numbers(const Prepared& prepared, const Mechanism& mech, Parameters<double>& par)
      : prepared_(prepared), in_(*prepared.merged), mech_(mech), par_(par), X_BU_(in_.groups.groups.size()) {}

  /// Calls `form(i, X_PF)` for every body before it is placed: lowering chooses its form there, a refresh checks that
  /// the form still applies.
  template <class Form>
  void write(Form&& form) {
    write_environment();
    for (int i = 0; i < mech_.size(); ++i) {
      if (mech_.bodies[static_cast<std::size_t>(i)].rotor >= 0) continue;
      if (joint_of(i) != nullptr) {
        const Pose<double> X_PF = placement(i);
        form(i, X_PF);
        place(i, X_PF);
        write_joint(i);
      } else if (i > 0) {
        write_moving_frame(i);
      }
      write_inertia(i);
    }
    write_frames();
    write_constituents();
    write_elements();
    // Rotors are placed last: the axis of one may be that of a joint which comes after its carrier.
    for (int i = 0; i < mech_.size(); ++i) {
      if (mech_.bodies[static_cast<std::size_t>(i)].rotor < 0) continue;
      const Pose<double> X_PF = rotor_placement(i);
      form(i, X_PF);
      place_rotor(i, X_PF);
    }
  }

  /// The joint that moves body i; none for World and for frames with prescribed motion.
  const Joint* joint_of(int i) const;

 private:
  const SpanningForest::Branch& branch(int i) const { return prepared_.forest.branches[static_cast<std::size_t>(i)]; }
  const Entity& entity(int e) const { return in_.model->entities()[static_cast<std::size_t>(e)]; }

  void write_environment();
  Pose<double> placement(int i) const;
  Pose<double> node_pose(int joint, std::string_view port) const;
  Pose<double> canonical(int i) const;
  void place(int i, const Pose<double>& X_PF);
  void write_joint(int i);
  void write_moving_frame(int i);
  void write_inertia(int i);
  void write_frames();
  void write_constituents();

  void write_elements();
  template <class K>
  void write_element(const Provenance::Entry&, const K&) {}
  void write_element(const Provenance::Entry& entry, const Joint& joint);
  void write_element(const Provenance::Entry& entry, const ConnectingRod& rod);
  void write_element(const Provenance::Entry& entry, const ContactPoint& contact);
  void write_element(const Provenance::Entry& entry, const Rolling& rolling);
  void write_element(const Provenance::Entry& entry, const Spring& spring);
  void write_element(const Provenance::Entry& entry, const Damper& damper);
  void write_element(const Provenance::Entry& entry, const SpringDamperActuator& sda);
  void write_element(const Provenance::Entry& entry, const ExternalForce& force);
  void write_element(const Provenance::Entry& entry, const Gear& gear);
  void write_element(const Provenance::Entry& entry, const Rotor& rotor);
  void write_element(const Provenance::Entry& entry, const Drive& drive);
  void write_force(const Provenance::Entry& entry, double stiffness, double damping, double rest, double force);
  void add_shaft_of(const Provenance::Entry& entry, int node, double factor, const ShaftSum& sum);
  void write_rotor(const Provenance::Entry& entry, const RotorNumbers<double>& numbers);
  void exchange_inertias(const RotorElement& rotor, const RotorNumbers<double>& numbers);
  Pose<double> rotor_placement(int i) const;
  void place_rotor(int i, const Pose<double>& X_PF);
  Vec3<double> joint_axis(int dof, int frame);
  void place_bodies();

  const Prepared& prepared_;
  const ModelGraph& in_;
  const Mechanism& mech_;
  Parameters<double>& par_;
  std::vector<Pose<double>> X_BU_;  ///< of each group's host in its flat body
  std::vector<Pose<double>> X_WB_;  ///< at the start; computed when a drive needs it
  bool bodies_are_placed_ = false;
};

/// Sets the length of every list, and the values that do not depend on numbers.
ARTICULA_EXPORT void size_parameters(const Mechanism& mech, Parameters<double>& par);

/// The flat form of a body, for a placement of its joint in the parent.
struct BodyForm {
  PoseForm form = PoseForm::general;
  AxisForm axis = AxisForm::general;
};
ARTICULA_EXPORT BodyForm find_form(JointKind kind, const Pose<double>& X_PF);

}  // namespace articula::build
