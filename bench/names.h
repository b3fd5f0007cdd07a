#pragma once

#include <articula/base/modules.h>

/// Benchmarks see the names of all modules.
namespace articula::bench {
using namespace study;
}
