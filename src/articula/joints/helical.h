#pragma once

#include <articula/joints/joint_kind.h>

namespace articula::joints {

/// A screw: turns about z by q and advances along z by pitch·q.
struct Helical : VectorCoordinates<1> {
  template <class T>
  struct Parameters {
    T pitch = T(0);  ///< advance per radian

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor&& field) {
      field("pitch", self.pitch, dimension::screw_pitch);
    }
    template <class Self>
    static auto members(Self& self) {
      return std::tie(self.pitch);
    }
    friend bool operator==(const Parameters&, const Parameters&) = default;
  };

  static constexpr std::string_view name = "helical";
  static constexpr AxisUse axis_use = AxisUse::one;
  static constexpr std::array q{Coordinate{"angle", dimension::angle}};
  static constexpr std::array v{Coordinate{"speed", dimension::angular_speed}};

  template <class T>
  static constexpr auto turns_and_slides(const Parameters<T>& par) {
    return std::array{turn_about<T>(2, 0), slide_along<T>(2, 0, par.pitch, "advance")};
  }
  template <class T>
  static Pose<T> X_FM(const Parameters<T>& par, const T* q) {
    return {rotation_about(2, q[0]), {T(0), T(0), par.pitch * q[0]}};
  }
  template <class T>
  static void H_M(const Parameters<T>& par, const T*, Motion<T>* H) {
    H[0] = {Vec3<T>::unit(2), {T(0), T(0), par.pitch}};
  }
  template <class T>
  static Motion<T> Hdot_v(const Parameters<T>&, const T*, const T*) {
    return Motion<T>::zero();
  }
};

}  // namespace articula::joints
