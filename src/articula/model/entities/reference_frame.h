#pragma once

#include <vector>

#include <articula/model/constituent.h>
#include <articula/model/field.h>
#include <articula/model/port.h>

namespace articula::model {

/// The motion of a reference frame in World.
enum class FrameMotion {
  fixed,       ///< fixed at its placement
  prescribed,  ///< prescribed motion with six degrees of freedom, starting at its placement
};
constexpr std::array<std::string_view, 2> enum_names(FrameMotion) { return {"fixed", "prescribed"}; }

/// A frame with known motion: World itself, a base, a vehicle.  [UNI 2.2.1.4]
struct ReferenceFrame {
  static constexpr std::string_view name = "reference_frame", section = "reference_frames";

  FrameMotion motion = FrameMotion::fixed;
  Pose<double> placement;  ///< X_WR, at the start if it moves
  std::vector<Frame> frames;
  std::vector<Constituent> constituents;  ///< bodies that were merged into it

  friend bool operator==(const ReferenceFrame& a, const ReferenceFrame& b) {
    return a.motion == b.motion && a.placement == b.placement && same_frames(a.frames, b.frames) &&
           a.constituents == b.constituents;
  }

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    field("motion", self.motion, dimension::none);
    field("placement", self.placement, dimension::length);
    field("frames", self.frames, dimension::none);
    field("constituents", self.constituents, dimension::none);
  }
  template <class Visitor>
  void ports(Visitor&& port) const {
    port("", PortType::spatial);
    for (const Frame& frame : frames) port(frame.name, PortType::spatial);
  }
};

}  // namespace articula::model
