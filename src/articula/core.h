#pragma once

/// The public names of the library articula::core. It needs the headers of Eigen and Boost only.

#include <articula/base/error.h>
#include <articula/build/build.h>
#include <articula/build/number_sources.h>
#include <articula/build/refresh.h>
#include <articula/build/restructure.h>
#include <articula/build/shared_mechanism.h>
#include <articula/closure/dynamics.h>
#include <articula/dynamics/jacobian_frame.h>
#include <articula/mechanism/state.h>
#include <articula/model/lock_joints.h>
#include <articula/model/model.h>
#include <articula/network/network.h>
#include <articula/spatial/articulated_inertia.h>
#include <articula/spatial/orientation.h>
#include <articula/version.h>

namespace articula {

using base::Error, base::Finding, base::Findings, base::Severity, base::Where, base::to_text;

using spatial::ArticulatedInertia, spatial::Force, spatial::Inertia, spatial::LinkConvention, spatial::Mat3,
    spatial::Motion, spatial::Pose, spatial::Quaternion, spatial::Representation, spatial::Rotation, spatial::SymMat3,
    spatial::Vec3, spatial::cross, spatial::dot, spatial::norm, spatial::over, spatial::quaternion_of,
    spatial::rotation_about, spatial::rotation_from_rpy, spatial::rotation_of, spatial::rpy_of;

using joints::JointKind;

using model::Assembly, model::Attachment, model::Beam, model::Box, model::Capsule, model::CentralGravity, model::Color,
    model::ConnectingRod, model::Connection, model::Constituent, model::ContactPoint, model::Custom,
    model::CustomImplementation, model::CustomPort, model::CustomProperty, model::Cylinder, model::Damper,
    model::Direction, model::Displacement, model::Drive, model::Entity, model::Environment, model::ExteriorPorts,
    model::ExternalForce, model::Form, model::Frame, model::FrameMotion, model::Gear, model::Geometry, model::Gravity,
    model::Ground, model::Joint, model::JointLock, model::Kind, model::Limits, model::Mesh, model::Model, model::Part,
    model::Place, model::PortRef, model::PortType, model::ReferenceFrame, model::RigidBody, model::Rolling,
    model::Rotor, model::Shape, model::ShapeUse, model::Sphere, model::Spring, model::SpringDamperActuator,
    model::UniformGravity, model::at, model::lock_joints, model::mass_properties, model::to_lock, model::to_text,
    model::world_name, model::x_axis, model::y_axis, model::z_axis;

using mechanism::Drives, mechanism::Mechanism, mechanism::Parameters, mechanism::StateLayout,
    mechanism::check_quaternions, mechanism::check_state, mechanism::check_tangent, mechanism::neutral_configuration,
    mechanism::normalize_quaternions, mechanism::over;

using build::BuildOptions, build::Built, build::CheckOptions, build::Explanation, build::LoopInfo, build::Refresher,
    build::build_mechanism, build::check, build::connected, build::disconnected, build::require_regular_joints;

using dynamics::JacobianFrame, dynamics::Load;

using closure::Dynamics, closure::DynamicsOptions;

using network::AppliedForce, network::Network, network::NetworkOptions;

}  // namespace articula
