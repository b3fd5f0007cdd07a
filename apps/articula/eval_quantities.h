#pragma once

#include <articula/dynamics/jacobian_frame.h>

#include "eval.h"

/// What the files of eval's quantities share.
namespace articula::program {

/// A frame that was asked for by its text, and the axes in which its Jacobian is wanted.
struct AskedFrame {
  PortRef name;
  JacobianFrame in = JacobianFrame::local_world_aligned;
};

void write_pose(JsonText& out, const Pose<double>& X);
void write_motion(JsonText& out, std::string_view key, const Motion<double>& motion);

// In eval_structure.cpp. Each throws an Error for what it cannot be computed of.
std::unique_ptr<Quantity> make_closed_form(const Model& model, const SolverOptions& options);
std::unique_ptr<Quantity> make_operators(const Model& model, const SolverOptions& options);
/// `hand.tip+fore`: of these ports.
std::unique_ptr<Quantity> make_restriction(std::string_view ports, const Model& model, const SolverOptions& options);
std::unique_ptr<Quantity> make_parameter_jacobian(const AskedFrame& frame, const Model& model,
                                                  const SolverOptions& options);

}  // namespace articula::program
