#pragma once

/// Articula's public names.

#include <articula/build/build.h>
#include <articula/build/refresh.h>
#include <articula/formats/load.h>
#include <articula/mechanism/state.h>
#include <articula/model/model.h>
#include <articula/version.h>
