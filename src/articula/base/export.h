#pragma once

/// Symbols are hidden unless marked; the marked ones are exported by a shared library.
#define ARTICULA_EXPORT __attribute__((visibility("default")))
