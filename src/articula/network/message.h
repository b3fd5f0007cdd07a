#pragma once

#include <articula/spatial/articulated_inertia.h>
#include <articula/spatial/representation.h>

/// Messages between ports. A protocol is the set of messages that an algorithm sends through a spatial port, with their
/// sweeps; each extends the one before it.  [UNI 3.1, tables 3.1, 3.4, 3.9]
///
/// | protocol         | message          | sweep       | meaning                                                  |
/// |------------------|------------------|-------------|----------------------------------------------------------|
/// | kinematics       | X_W, V, A        | 1, outward  | pose, velocity and its rate of the port's frame          |
/// | Newton-Euler     | F                | 2, inward   | force that passes through the port, from inboard outward |
/// | articulated body | P, z             | 2, inward   | F = P·A + z, for any A                                   |
/// |                  | A                | 3, outward  | the acceleration that results                            |
///
/// V, A, F, P and z are written in one of three representations; A is the component-wise rate of V there.
///
/// Through shafts pass turns, before the first sweep, and torques, after the second.

namespace articula::network {

/// Outward: the motion of the frame of a port.
struct Motions {
  Pose<double> X_W;
  Motion<double> V, A;
};

/// Inward: what everything outboard of a port asks for, F = P·A + z.
struct Articulated {
  ArticulatedInertia<double> P;
  Force<double> z;

  Articulated& operator+=(const Articulated& b) {
    P += b.P, z += b.z;
    return *this;
  }
};

/// The motion of a shaft: of a sliding joint, its position and the rates of that.
struct Turn {
  double angle = 0, speed = 0, acceleration = 0;
};

/// The direction of motions through a port, found by the search for causality. Forces go the other way.
enum class PortRole : unsigned char {
  open,  ///< nothing leads here from a reference frame; of a shaft, from none whose turn is a coordinate
  in,    ///< it receives motions from a connection
  out,   ///< it sends motions into a connection
  cut,   ///< rigid connections lead around to it: its frame is known, no force is sent through it
};

}  // namespace articula::network
