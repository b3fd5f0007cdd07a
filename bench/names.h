#pragma once

#include <articula/base/rooms.h>

/// Benchmarks see the names of all modules.
namespace articula::bench {
using namespace study;
}
