#pragma once

#include <articula/base/rooms.h>

/// The program sees the names of all modules.
namespace articula::program {
using namespace study;
}
