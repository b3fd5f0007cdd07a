#pragma once

/// Symbols are hidden unless marked: what is part of the library's face is visible in a shared build.
#define ARTICULA_EXPORT __attribute__((visibility("default")))
