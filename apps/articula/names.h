#pragma once

#include <articula/base/modules.h>

/// The program sees the names of all modules.
namespace articula::program {
using namespace study;
}
