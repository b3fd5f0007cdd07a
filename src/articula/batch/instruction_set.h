#pragma once

#include <articula/scalar/instruction_set.h>  // a batch chooses one
