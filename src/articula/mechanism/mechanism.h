#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <vector>

#include <articula/base/export.h>
#include <articula/joints/kinds.h>
#include <articula/model/port.h>
#include <articula/spatial/axis.h>

namespace articula::mechanism {

/// Neighbouring places in a flat vector: `for (int k : body.v)`.
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

/// The most degrees of freedom a joint has.
inline constexpr int most_joint_dofs = 6;

/// Whether a degree of freedom moves by itself or as told.
enum class DofRole : unsigned char { free, prescribed };

/// A body and the joint that carries it. Body 0 is World; bodies stand depth first, so that all that hangs on body i
/// are its neighbours i + 1, …, beyond − 1.
///
/// The frame B of a body has its origin on its joint. Where the joint's axis is a coordinate axis of the parent's
/// frame, B is parallel to it at q = 0: the placement is then a pure shift and the joint an elementary turn or
/// slide, as `form` and `axis` say. Users never see these frames; theirs are in the frame table.
struct Body {
  int parent = -1;
  JointKind joint = JointKind::fixed;
  Range q, v;
  int beyond = 0, v_beyond = 0;       ///< the first body, and degree of freedom, that do not hang on it
  PoseForm form = PoseForm::general;  ///< what X_PB is at every q
  AxisForm axis = AxisForm::general;  ///< of a joint with one degree of freedom
  bool reversed = false;              ///< the parent holds the joint's M, not its F
  int entity = -1;                    ///< the joint's place in Provenance::entities
  int piece = 0, piece_P = 0;         ///< where the joint holds the body, and where it holds on to the parent
};

/// A piece of a flat body as the user connected it: one of the rigid entities that were merged into it, or a node
/// where ports meet. Entities and nodes take turns in a tree, rooted where the body's joint holds it; what is fixed
/// to World hangs on piece 0, the ground. A parent comes before its children. Cut forces pass from piece to piece.
struct Piece {
  int parent = -1;  ///< the piece that holds it; −1: the body's joint does, or nothing (the ground)
  int body = 0;
  int constituent = -1;   ///< whose inertia it has, a place in Provenance::constituents; −1: none
  int entity = -1;        ///< in Provenance::entities; −1: a node
  bool in_cycle = false;  ///< rigid connections lead around it: what its parent passes on to it is not determined
};

/// Bodies whose joints are coupled: by gears, rotors or loops. The independent rates ẏ give all: v = G·ẏ.
struct Cluster {
  enum class Closure : unsigned char { linear, loop };
  Closure closure = Closure::linear;
  std::vector<int> dofs;         ///< all degrees of freedom in it
  std::vector<int> independent;  ///< those that y is made of
  std::vector<int> dependent;    ///< those that follow from them
  Range rows;                    ///< its relations in Mechanism::couplings (linear)
  Range constraints;             ///< its loops in Mechanism::constraints
};

/// One linear relation between shafts: Σ factor·q = offset. Its numbers are in Parameters.
struct Coupling {
  std::vector<int> dofs;
  int entity = -1;
};

/// What holds two frames together, or keeps velocities equal, beside the tree's joints.
struct Constraint {
  enum class Kind : unsigned char { cut_joint, rod, contact, rolling };
  Kind kind = Kind::cut_joint;
  bool on_velocity = false;     ///< a relation between velocities only
  bool one_sided = false;       ///< may open
  bool active_at_start = true;  ///< which are active later is state, not structure
  JointKind joint = JointKind::fixed;
  int frame_F = -1, frame_M = -1;  ///< places in the frame table; −1: the ground
  int rows = 0;                    ///< how many equations at most
  int entity = -1;
};

/// Springs, dampers, actuators and external forces. Their numbers are in Parameters.
struct ForceElement {
  enum class Kind : unsigned char { line, shaft, wrench };
  Kind kind = Kind::line;
  int frame_F = -1, frame_M = -1;  ///< of a line, the ends; of a wrench, where it acts and in which axes it is given
  int dof_from = -1, dof_to = -1;  ///< of a shaft; −1: the housing
  int entity = -1;
};

/// A rotor that spins on a body, and what it drives.
struct RotorElement {
  int frame = -1;        ///< where it is mounted
  int dof = -1;          ///< the degree of freedom it turns with; −1: its shaft is connected to a gear only
  bool elastic = false;  ///< a spring lies between: its angle is a state of its own
  int entity = -1;
};

/// A frame that users see: a port of one of their bodies, wherever that body went.
struct FlatFrame {
  PortRef name;
  int body = 0;
  bool moves_in_body = false;  ///< its pose depends on deformation, not only on the body's frame
  int piece = -1;              ///< the piece that owns it; −1: an element does
  int node = -1;               ///< the piece where it meets what is connected to it
};

/// What a piece of the state is.
enum class StateKind : unsigned char { position, velocity, motor, actuator, modal, discrete };

struct StateBlock {
  StateKind kind = StateKind::position;
  std::string owner;  ///< the joint or element it belongs to
  Range range;        ///< among all states of its kind
};

/// The names of all states, block by block.
struct ARTICULA_EXPORT StateLayout {
  std::vector<StateBlock> blocks;
  std::vector<std::string> q, v;  ///< "elbow", or "base.x", ... for joints with several coordinates

  int count(StateKind kind) const;
};

/// Where the old state's entries are in a new one, after the structure changed: −1 where there is none.
struct StateMap {
  std::vector<int> q, v;
};
ARTICULA_EXPORT StateMap map_state(const StateLayout& from, const StateLayout& to);

/// A body as the user made it, inside the flat body it became part of.
struct ConstituentPlace {
  std::string name;
  int body = 0;
  int entity = -1;
};

/// From every entity to its flat place and back. Entities are counted as in the flattened model.
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

  /// The entry of that name, of kind "body", "joint", ...; none if there is none.
  const Entry* find(std::string_view kind, std::string_view name) const;
};

/// The coordinates y from which all others follow, q = γ(y), and their rates, v = G·ẏ (closure/coordinates.h): all of q
/// and v, unless joints are coupled.
struct IndependentCoordinates {
  std::vector<int> q, v;                      ///< their places among all
  std::vector<std::string> q_names, v_names;  ///< as in the layout
  std::vector<int> place;    ///< of each degree of freedom, its place in ẏ; −1: it follows from others
  std::vector<int> cluster;  ///< of each degree of freedom; −1: it moves by itself

  int nq() const { return static_cast<int>(q.size()); }
  int nv() const { return static_cast<int>(v.size()); }
  /// Where in y the coordinates of a body's joint begin that has more of them than degrees of freedom: none follows.
  int first_q(const Body& body) const {
    return static_cast<int>(std::lower_bound(q.begin(), q.end(), body.q.first) - q.begin());
  }
};

/// A mechanism ready to compute with: topology and layout. The numbers are in Parameters. Immutable, and shared by
/// threads; scratch belongs to the caller.
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
  bool uniform_gravity = true;
  int nq = 0, nv = 0;

  int size() const { return static_cast<int>(bodies.size()); }
  bool is_coupled() const { return !clusters.empty(); }  ///< some joints follow from others

  /// Place of a frame in the table; throws and names the choices.
  int frame(const PortRef& name) const;
};

/// The degree of freedom that carries the first one of a body: the last of what holds it; −1: none.
ARTICULA_EXPORT int carrier_of(const Mechanism& mech, const Body& body);

/// Where in q the coordinate of a degree of freedom stands. @pre its joint has as many coordinates as degrees of freedom
inline int position_of(const Mechanism& mech, int dof) {
  const Body& body = mech.bodies[static_cast<std::size_t>(mech.body_of_dof[static_cast<std::size_t>(dof)])];
  return body.q.first + (dof - body.v.first);
}

}  // namespace articula::mechanism
