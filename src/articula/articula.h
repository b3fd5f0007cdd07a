#pragma once

/// Articula's public names.

#include <articula/batch/batch.h>
#include <articula/batch/device_batch.h>
#include <articula/build/build.h>
#include <articula/build/number_sources.h>
#include <articula/build/refresh.h>
#include <articula/build/restructure.h>
#include <articula/build/shared_mechanism.h>
#include <articula/control/block_kinds.h>
#include <articula/control/inverse_kinematics.h>
#include <articula/control/trajectory_kinds.h>
#include <articula/formats/load.h>
#include <articula/generate/generate.h>
#include <articula/integrate/problem_stepper.h>
#include <articula/mechanism/state.h>
#include <articula/model/model.h>
#include <articula/report/report_run.h>
#include <articula/simulate/phased_simulation.h>
#include <articula/simulate/simulation.h>
#include <articula/solve/center_of_mass.h>
#include <articula/solve/derivatives.h>
#include <articula/solve/equations_of_motion.h>
#include <articula/solve/forward_dynamics.h>
#include <articula/solve/forward_kinematics.h>
#include <articula/solve/inverse_dynamics.h>
#include <articula/solve/jacobian.h>
#include <articula/solve/mass_matrix.h>
#include <articula/solve/regressor.h>
#include <articula/store/store.h>
#include <articula/study/kind_tables.h>
#include <articula/study/run.h>
#include <articula/study/study_reader.h>
#include <articula/version.h>
