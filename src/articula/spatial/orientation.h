#pragma once

#include <array>
#include <optional>
#include <string_view>

#include <articula/base/export.h>
#include <articula/spatial/pose.h>

namespace articula::spatial {

/// The ways people write orientations and displacements, each turned into a Rotation or Pose.
/// Angles in radians; quarter turns and their multiples give exact zeros and ones.  [UNI 2.2.1.2]

/// Cosine and sine, exact at multiples of a quarter turn that a double can express (1.5707963267948966, π, …).
struct CosSin {
  double c, s;
};
ARTICULA_EXPORT CosSin exact_cos_sin(double angle);

/// Fixed axes x, y, z in turn: R = Rz(yaw)·Ry(pitch)·Rx(roll), the convention of URDF.
ARTICULA_EXPORT Rotation<double> rotation_from_rpy(const Vec3<double>& roll_pitch_yaw);

/// The (roll, pitch, yaw) of R with pitch in [−π/2, π/2]; where pitch is ±π/2, roll is 0.
ARTICULA_EXPORT Vec3<double> rpy_of(const Rotation<double>& R);

/// Turned about the moving axes named by `sequence`, one after another: "zxz", "zyx", ... three letters of x, y, z.
/// None when the sequence is not three such letters with neighbours different.
ARTICULA_EXPORT std::optional<Rotation<double>> rotation_from_euler(std::string_view sequence,
                                                                    const Vec3<double>& angles);

/// About a direction of any length but zero.
ARTICULA_EXPORT Rotation<double> rotation_from_axis_angle(const Vec3<double>& axis, double angle);

/// The shortest turn that brings z onto `axis`: the frame in which a joint with that axis is written.
/// Onto −z it is the half turn about x. Exact for coordinate axes. @pre axis has unit length
ARTICULA_EXPORT Rotation<double> rotation_z_to(const Vec3<double>& axis);

/// The unit quaternion of R with w ≥ 0.
ARTICULA_EXPORT Quaternion<double> quaternion_of(const Rotation<double>& R);

/// How far R is from a rotation: the largest entry of RᵀR − 1; infinite for a reflection.
ARTICULA_EXPORT double departure_from_rotation(const Rotation<double>& R);

/// The rotation nearest to R.
ARTICULA_EXPORT Rotation<double> nearest_rotation(const Rotation<double>& R);

/// R, or the rotation that only swaps and flips axes, or that turns about one coordinate axis after doing so, if all
/// entries of R are within `tolerance` of it.
ARTICULA_EXPORT Rotation<double> snapped(const Rotation<double>& R, double tolerance);

/// The three tables of link parameters in use.
enum class LinkConvention {
  standard,  ///< Denavit-Hartenberg: Rz(theta)·Tz(d)·Tx(a)·Rx(alpha)
  craig,     ///< Craig's modified: Rx(alpha)·Tx(a)·Rz(theta)·Tz(d), with alpha and a of the link before
  khalil,    ///< Khalil-Kleinfinger: Rz(gamma)·Tz(b)·Rx(alpha)·Tx(d)·Rz(theta)·Tz(r)
};
constexpr std::array<std::string_view, 3> enum_names(LinkConvention) { return {"standard", "craig", "khalil"}; }

struct LinkParameters {
  double theta = 0, d = 0, a = 0, alpha = 0;  ///< in Khalil's letters: theta, r, d, alpha
  double gamma = 0, b = 0;                    ///< Khalil-Kleinfinger only, for branches
};

/// The pose of a link's frame in the one before it, at joint value zero, and on either side of the joint's axis:
/// `before` leads from the previous frame to the axis (z), `after` from the axis to the link's frame.
struct LinkDisplacement {
  Pose<double> before, after;
};
ARTICULA_EXPORT LinkDisplacement displacement(LinkConvention convention, const LinkParameters& link);

}  // namespace articula::spatial
