#pragma once

/// The public names of the whole library.

#include <articula/batch/batch.h>
#include <articula/batch/device_batch.h>
#include <articula/control/block_kinds.h>
#include <articula/control/inverse_kinematics.h>
#include <articula/control/motor_torques.h>
#include <articula/control/trajectory_kinds.h>
#include <articula/core.h>
#include <articula/formats/load.h>
#include <articula/generate/compile.h>
#include <articula/generate/generate.h>
#include <articula/integrate/problem_stepper.h>
#include <articula/report/report.h>
#include <articula/report/report_run.h>
#include <articula/simulate/equilibrium.h>
#include <articula/simulate/phased_simulation.h>
#include <articula/simulate/simulation.h>
#include <articula/solve/center_of_mass.h>
#include <articula/solve/derivatives.h>
#include <articula/solve/elastic_inverse_dynamics.h>
#include <articula/solve/equations_of_motion.h>
#include <articula/solve/forward_dynamics.h>
#include <articula/solve/forward_kinematics.h>
#include <articula/solve/inverse_dynamics.h>
#include <articula/solve/jacobian.h>
#include <articula/solve/mass_matrix.h>
#include <articula/solve/regressor.h>
#include <articula/store/compare.h>
#include <articula/store/export.h>
#include <articula/store/store.h>
#include <articula/study/kind_tables.h>
#include <articula/study/run.h>
#include <articula/study/study_reader.h>

namespace articula {

using scalar::InstructionSet, scalar::to_text;

using formats::ReadOptions, formats::load, formats::save;

using closure::Algorithm, closure::RunAs;

using integrate::Event, integrate::EventDirection, integrate::Integrator, integrate::IntegratorCounts,
    integrate::IntegratorOptions, integrate::Method, integrate::Problem, integrate::ProblemStepper,
    integrate::StepStatus, integrate::make_integrator;

using generate::CompileOptions, generate::CompiledFunction, generate::Device, generate::DeviceOptions,
    generate::FunctionArray, generate::GenerateOptions, generate::GeneratedFile, generate::RecordOptions,
    generate::RecordedFunction, generate::StatesAs, generate::Target, generate::c_source, generate::find_devices,
    generate::generate_code, generate::record;

using batch::BatchOptions, batch::BatchReport, batch::BatchState, batch::BatchedForwardDynamics,
    batch::BatchedForwardDynamicsDerivatives, batch::BatchedInverseDynamics, batch::BatchedInverseDynamicsDerivatives,
    batch::BatchedInverseMassMatrix, batch::BatchedKinematics, batch::BatchedMassMatrix, batch::BatchedRollout,
    batch::DeviceBatchOptions, batch::DeviceForwardDynamics, batch::DeviceForwardDynamicsDerivatives,
    batch::DeviceInverseDynamics, batch::DeviceInverseDynamicsDerivatives, batch::DeviceKinematics,
    batch::DeviceMassMatrix, batch::DeviceRollout, batch::RolloutMethod, batch::RolloutOptions, batch::to_text;

using solve::CenterOfMass, solve::Derivatives, solve::ElasticInverseDynamics, solve::EquationsOfMotion,
    solve::ForwardDynamics, solve::ForwardKinematics, solve::InverseDynamics, solve::Jacobian, solve::MassMatrix,
    solve::MatrixView, solve::MotionMatrices, solve::MovingFrame, solve::Regressor, solve::Report, solve::Solver,
    solve::SolverOptions, solve::State, solve::StateDerivatives, solve::VectorView, solve::WholeMechanism,
    solve::to_text;

using control::BSplineMotion, control::Block, control::BlockKind, control::BlockOf, control::BlockSite,
    control::BlockSpec, control::CartesianLine, control::CartesianPoints, control::CascadeControl,
    control::ComputedTorque, control::ConstantMotion, control::DcMotor, control::FeedForward, control::FilteredStep,
    control::Friction, control::GravityCompensation, control::HarmonicMotion, control::HydraulicCylinder,
    control::IdealActuator, control::Interpolation, control::InverseKinematics, control::InverseKinematicsOptions,
    control::InverseKinematicsReport, control::JointStops, control::JointTrajectory, control::Leads,
    control::MotorTorques, control::OnLimit, control::PdControl, control::PidControl, control::PolynomialMotion,
    control::PrescribedTorque, control::QuinticMotion, control::SampledBlock, control::Signal, control::SignalValue,
    control::SplineEnds, control::SplineMotion, control::SpringDamper, control::StopWhen, control::SwitchedBlock,
    control::SystemOptions, control::TableMotion, control::TorquesAlong, control::Trajectory,
    control::TrajectoryContext, control::TrajectoryKind, control::TrapezoidalMotion, control::make_block_kind,
    control::make_blocks, control::make_trajectory, control::orientation_only, control::position_only, control::to_text;

using simulate::Equilibrium, simulate::EquilibriumOptions, simulate::LimitPolicy, simulate::NamedTrajectory,
    simulate::Outcome, simulate::PhasedSimulation, simulate::Progress, simulate::RowSink, simulate::RunEnd,
    simulate::Simulation, simulate::SimulationOptions, simulate::StartState, simulate::StructureChange,
    simulate::System, simulate::find_equilibrium;

using store::CheckResult, store::Count, store::RunDifference, store::RunOrigin, store::RunStatus, store::RunSummary,
    store::Store, store::StoredRows, store::StoredRun, store::StoredSignal, store::StoredTask, store::TaskWriter,
    store::compare_runs, store::export_formats, store::export_run, store::find_export_format, store::to_text;

using report::ReportData, report::make_report_data, report::report_page, report::write_report;

using study::Override, study::PreparedStudy, study::RunOptions, study::RunProgress, study::RunReport, study::Setup,
    study::Study, study::TaskReport, study::Verdict, study::apply_overrides, study::load_study, study::prepare_study,
    study::read_study, study::resume_run, study::run_study;

}  // namespace articula
