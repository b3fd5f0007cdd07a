#pragma once

#include <articula/dynamics/jacobian_frame.h>

#include "eval.h"

/// Declarations that the files of eval's quantities share.
namespace articula::program {

/// A requested frame, and the axes of its Jacobian.
struct AskedFrame {
  PortRef name;
  JacobianFrame in = JacobianFrame::local_world_aligned;
};

void write_pose(JsonText& out, const Pose<double>& X);
void write_motion(JsonText& out, std::string_view key, const Motion<double>& motion);

// In eval_structure.cpp. Each throws an Error if the quantity cannot be computed.
std::unique_ptr<Quantity> make_closed_form(const Model& model, const SolverOptions& options);
std::unique_ptr<Quantity> make_operators(const Model& model, const SolverOptions& options);
/// `hand.tip+fore`: for these ports.
std::unique_ptr<Quantity> make_restriction(std::string_view ports, const Model& model, const SolverOptions& options);
std::unique_ptr<Quantity> make_parameter_jacobian(const AskedFrame& frame, const Model& model,
                                                  const SolverOptions& options);

}  // namespace articula::program
