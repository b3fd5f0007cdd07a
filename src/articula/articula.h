#pragma once

/// Articula's public names.

#include <articula/build/build.h>
#include <articula/build/refresh.h>
#include <articula/formats/load.h>
#include <articula/mechanism/state.h>
#include <articula/model/model.h>
#include <articula/solve/center_of_mass.h>
#include <articula/solve/derivatives.h>
#include <articula/solve/equations_of_motion.h>
#include <articula/solve/forward_dynamics.h>
#include <articula/solve/forward_kinematics.h>
#include <articula/solve/inverse_dynamics.h>
#include <articula/solve/jacobian.h>
#include <articula/solve/mass_matrix.h>
#include <articula/solve/regressor.h>
#include <articula/version.h>
