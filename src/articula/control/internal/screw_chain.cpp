#include <articula/control/internal/screw_chain.h>

#include <algorithm>
#include <cmath>

#include <articula/dynamics/jacobian.h>
#include <articula/mechanism/state.h>

namespace articula::control {

Vec3<double> turned(const Vec3<double>& h, double angle, const Vec3<double>& x) {
  const Vec3<double> along = h * dot(h, x), across = x - along;
  return along + across * std::cos(angle) + cross(h, across) * std::sin(angle);
}

Vec3<double> turned(const Axis& axis, double angle, const Vec3<double>& point) {
  return axis.o + turned(axis.h, angle, point - axis.o);
}

Rotation<double> turn_about(const Vec3<double>& h, double angle) {
  Rotation<double> R;
  for (int j = 0; j < 3; ++j) {
    const Vec3<double> column = turned(h, angle, Vec3<double>::unit(j));
    for (int i = 0; i < 3; ++i) R.m(i, j) = column[i];
  }
  return R;
}

std::optional<double> angle_about(const Vec3<double>& h, const Vec3<double>& a, const Vec3<double>& b) {
  constexpr double vanishes = 1e-9;
  const Vec3<double> u = a - h * dot(h, a), w = b - h * dot(h, b);
  if (norm(u) <= vanishes * norm(a) || norm(w) <= vanishes * norm(b)) return std::nullopt;
  return std::atan2(dot(h, cross(u, w)), dot(u, w));
}

ScrewChain::ScrewChain(const Mechanism& mech, const Parameters<double>& par, int frame) {
  const std::vector<double> q = neutral_configuration(mech);
  Positions<double> kin(mech);
  WorldPoses<double> poses(mech);
  positions<double, double>(mech, par, q, kin);
  world_poses<double, double>(mech, par, kin, poses);
  X_WF_0 = frame_pose(mech, par, poses, frame);

  const int body = mech.frames[static_cast<std::size_t>(frame)].body;
  const Viewpoint<double> from_world(X_WF_0, JacobianFrame::world);
  std::vector<Motion<double>> screws;
  for_each_column(mech, par, kin, poses, body, from_world, [&](int dof, const Motion<double>& V) {
    dofs.push_back(dof);
    screws.push_back(V);
  });
  std::sort(dofs.begin(), dofs.end());
  std::reverse(screws.begin(), screws.end());
  all_turn = std::all_of(dofs.begin(), dofs.end(), [&](int dof) {
    const auto carrier = static_cast<std::size_t>(mech.body_of_dof[static_cast<std::size_t>(dof)]);
    return traits(mech.bodies[carrier].joint).is_turn();
  });
  if (!all_turn) return;
  // V = (h, o × h), with o the point of the axis that is nearest to World's origin.
  for (const Motion<double>& V : screws) axes.push_back({V.w, cross(V.w, V.v)});
  for (const Axis& axis : axes) {
    const Vec3<double> way = X_WF_0.p - axis.o;
    size = std::max(size, norm(way - axis.h * dot(axis.h, way)));
  }
}

}  // namespace articula::control
