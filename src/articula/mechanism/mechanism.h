#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <articula/base/export.h>
#include <articula/joints/kinds.h>
#include <articula/model/port.h>
#include <articula/spatial/axis.h>

namespace articula::mechanism {

/// Consecutive indices in a flat vector: `for (int k : body.v)`.
struct Range {
  int first = 0, count = 0;

  struct Iterator {
    using iterator_category = std::forward_iterator_tag;
    using value_type = int;
    using difference_type = std::ptrdiff_t;
    using pointer = const int*;
    using reference = int;

    int k;
    int operator*() const { return k; }
    Iterator& operator++() {
      ++k;
      return *this;
    }
    Iterator operator++(int) { return {k++}; }
    friend bool operator==(const Iterator&, const Iterator&) = default;
  };
  Iterator begin() const { return {first}; }
  Iterator end() const { return {first + count}; }

  friend bool operator==(const Range&, const Range&) = default;
};

/// Maximum number of degrees of freedom of a joint.
inline constexpr int most_joint_dofs = 6;

/// Whether the motion of a degree of freedom is computed or prescribed.
enum class DofRole : unsigned char { free, prescribed };

/// How drives and rotors are computed.
enum class Drives : unsigned char {
  locked,   ///< rotors are at rest in the bodies that they are mounted on
  rigid,    ///< rotors rotate with the joints that they drive; springs of drives are taken as rigid
  elastic,  ///< as the model says: behind a spring, the angle of a rotor is a coordinate of its own
};
constexpr std::array<std::string_view, 3> enum_names(Drives) { return {"locked", "rigid", "elastic"}; }

/// A body and the joint that carries it. Body 0 is World; bodies are in depth-first order, so that the descendants of
/// body i are i + 1, …, beyond − 1.
///
/// The origin of the frame B of a body is on its joint. If the joint's axis is a coordinate axis of the parent's frame,
/// B is parallel to that frame at q = 0: the placement is then a pure shift and the joint an elementary rotation or
/// translation, as given by `form` and `axis`. Users do not see these frames; theirs are in the frame table.
struct Body {
  int parent = -1;
  JointKind joint = JointKind::fixed;
  Range q, v;
  int beyond = 0, v_beyond = 0;       ///< the first body, and degree of freedom, after its subtree
  PoseForm form = PoseForm::general;  ///< the form of X_PB at every q
  AxisForm axis = AxisForm::general;  ///< of a joint with one degree of freedom
  bool reversed = false;              ///< the parent has frame M of the joint, not F
  bool has_armature = false;          ///< rotors add to the inertia along its joint (Parameters::armature)
  int rotor = -1;                     ///< its index in Mechanism::rotors, if it is a rotor
  int entity = -1;                    ///< the joint's index in Provenance::entities, or the rotor's
  int piece = 0, piece_P = 0;         ///< the pieces to which the joint is attached, on the body and on the parent
};

/// A piece of a flat body as the user connected it: one of the rigid entities that were merged into it, or a node where
/// ports meet. Entities and nodes alternate in a tree; its root is the piece to which the body's joint is attached.
/// Pieces that are fixed to World are descendants of piece 0, the ground. A parent precedes its children. Cut forces
/// pass from piece to piece.
struct Piece {
  int parent = -1;  ///< −1: connected to the body's joint, or to nothing (the ground)
  int body = 0;
  int constituent = -1;   ///< index in Provenance::constituents of its inertia; −1: none
  int entity = -1;        ///< in Provenance::entities; −1: a node
  bool in_cycle = false;  ///< part of a cycle of rigid connections: the force from its parent is not determined
};

/// Bodies whose joints are coupled by gears, rotors or loops. The independent rates ẏ determine all: v = G·ẏ.
struct Cluster {
  enum class Closure : unsigned char { linear, loop };
  Closure closure = Closure::linear;
  std::vector<int> dofs;         ///< all its degrees of freedom
  std::vector<int> independent;  ///< those in y
  std::vector<int> dependent;    ///< those that depend on them
  Range rows;                    ///< its relations in Mechanism::couplings (linear)
  Range constraints;             ///< its loops in Mechanism::constraints
};

/// One linear relation between shafts: Σ factor·q = offset. The factors are in Parameters.
struct Coupling {
  std::vector<int> dofs;
  int entity = -1;
};

/// A relation between two frames, or between velocities, in addition to the joints of the tree.
struct Constraint {
  enum class Kind : unsigned char { cut_joint, rod, contact, rolling };
  Kind kind = Kind::cut_joint;
  bool on_velocity = false;     ///< a relation between velocities only
  bool one_sided = false;       ///< may open
  bool active_at_start = true;  ///< later activity is state, not structure
  JointKind joint = JointKind::fixed;
  int frame_F = -1, frame_M = -1;  ///< indices in the frame table; −1: the ground
  int rows = 0;                    ///< maximum number of equations
  int entity = -1;
};

/// Springs, dampers, actuators and external forces. Their parameters are in Parameters.
struct ForceElement {
  enum class Kind : unsigned char { line, shaft, wrench };
  Kind kind = Kind::line;
  int frame_F = -1, frame_M = -1;  ///< of a line, its ends; of a wrench, its point of action and the frame of its axes
  std::vector<int> dofs;           ///< of a shaft: those that its deflection depends on
  int entity = -1;
};

/// How the inertia of a rotor is computed (build/rotors.h).
enum class RotorForm : unsigned char {
  locked,       ///< as at rest in the body that it is mounted on
  along_joint,  ///< as armature of its joint: nothing carries it
  exchanged,    ///< by armature and an exchange of inertias between the two bodies of its joint
  body,         ///< as a body of its own
};

/// A rotor that is mounted on a body.
struct RotorElement {
  int frame = -1;        ///< where it is mounted; −1: on World, or nowhere
  int dof = -1;          ///< the degree of freedom of the joint on its shaft; −1: none
  bool elastic = false;  ///< there is a spring between it and its joint
  RotorForm form = RotorForm::locked;
  bool on_from = false;  ///< exchanged: it is mounted on `from` of its joint, not on `to`
  int body = -1;         ///< that is the rotor; −1: none
  int coupling = -1;     ///< the gear between the rotor and its joint, in Mechanism::couplings; −1: none
  int spring = -1;       ///< the spring between the rotor and its joint, in Mechanism::forces; −1: none
  int resisted = -1;     ///< the degree of freedom that friction of the drive acts on; −1: none
  int entity = -1;

  bool is_turning() const { return form != RotorForm::locked; }
};

/// A frame of the user's model: a port of one of its bodies, independent of the flat body that contains it.
struct FlatFrame {
  PortRef name;
  int body = 0;
  bool moves_in_body = false;  ///< its pose depends on deformation, not only on the body's frame
  int piece = -1;              ///< the piece that owns it; −1: owned by an element
  int node = -1;               ///< the piece where it is connected
};

/// The kind of a state variable.
enum class StateKind : unsigned char { position, velocity, motor, actuator, modal, discrete };

struct StateBlock {
  StateKind kind = StateKind::position;
  std::string owner;  ///< the joint or element it belongs to
  Range range;        ///< among all states of its kind
};

/// The names of all state variables, by block.
struct ARTICULA_EXPORT StateLayout {
  std::vector<StateBlock> blocks;
  std::vector<std::string> q, v;  ///< "elbow", or "base.x", ... for joints with several coordinates

  int count(StateKind kind) const;
};

/// For each entry of an old state, its index in the new state after a change of structure; −1: none.
struct StateMap {
  std::vector<int> q, v;
};
ARTICULA_EXPORT StateMap map_state(const StateLayout& from, const StateLayout& to);

/// A body of the user's model, and the flat body that contains it.
struct ConstituentPlace {
  std::string name;
  int body = 0;
  int entity = -1;
};

/// The map between entities and their indices in the mechanism. Entities are numbered as in the flattened model.
struct ARTICULA_EXPORT Provenance {
  enum class Place : unsigned char { none, body, joint, constraint, force, coupling, rotor, merged };
  struct Entry {
    std::string name;
    std::string kind;
    Place place = Place::none;
    int index = -1;  ///< in bodies (of a joint: the body it carries), constraints, ... of the Mechanism
  };
  std::vector<Entry> entities;
  std::vector<ConstituentPlace> constituents;

  /// The entry with that name and kind ("body", "joint", ...); null if there is none.
  const Entry* find(std::string_view kind, std::string_view name) const;
};

/// The coordinates y that determine all others, q = γ(y), and their rates, v = G·ẏ (closure/coordinates.h): all of q
/// and v, unless joints are coupled.
struct IndependentCoordinates {
  std::vector<int> q, v;                      ///< their indices in all of q and v
  std::vector<std::string> q_names, v_names;  ///< as in the layout
  std::vector<int> place;                     ///< for each degree of freedom, its index in ẏ; −1: dependent
  std::vector<int> cluster;                   ///< for each degree of freedom; −1: not coupled

  int nq() const { return static_cast<int>(q.size()); }
  int nv() const { return static_cast<int>(v.size()); }
  /// The index in y of the first coordinate of a body's joint that has more coordinates than degrees of freedom; all of
  /// these coordinates are independent.
  int first_q(const Body& body) const {
    return static_cast<int>(std::lower_bound(q.begin(), q.end(), body.q.first) - q.begin());
  }
};

/// A mechanism ready for computation: topology and layout. The numbers are in Parameters. Immutable, and shared by
/// threads; the caller owns workspaces.
struct ARTICULA_EXPORT Mechanism {
  std::string name;
  std::vector<Body> bodies;
  std::vector<int> body_of_dof;
  std::vector<DofRole> roles;
  std::vector<Cluster> clusters;
  std::vector<Coupling> couplings;
  std::vector<Constraint> constraints;
  std::vector<ForceElement> forces;
  std::vector<RotorElement> rotors;
  std::vector<FlatFrame> frames;
  std::vector<Piece> pieces;
  StateLayout layout;
  IndependentCoordinates independent;
  Provenance provenance;
  Drives drives = Drives::locked;
  bool has_armature = false;  ///< of some body
  bool uniform_gravity = true;
  int nq = 0, nv = 0;

  int size() const { return static_cast<int>(bodies.size()); }
  bool is_coupled() const { return !clusters.empty(); }  ///< some joints depend on others

  /// The index of a frame in the frame table; throws and lists the choices.
  int frame(const PortRef& name) const;
};

/// The parent of a body's first degree of freedom: the last degree of freedom of its nearest ancestor that has any; −1:
/// none.
ARTICULA_EXPORT int carrier_of(const Mechanism& mech, const Body& body);

/// The name of the joint that carries a body; of a rotor, that of its coordinate.
ARTICULA_EXPORT const std::string& joint_name(const Mechanism& mech, const Body& body);

/// The index in q of the coordinate of a degree of freedom. @pre its joint has as many coordinates as degrees of
/// freedom
inline int position_of(const Mechanism& mech, int dof) {
  const Body& body = mech.bodies[static_cast<std::size_t>(mech.body_of_dof[static_cast<std::size_t>(dof)])];
  return body.q.first + (dof - body.v.first);
}

}  // namespace articula::mechanism
