#pragma once

#include <articula/base/modules.h>

/// Tests see the names of all modules.
namespace articula::test {
using namespace study;
}
