#pragma once

#include <articula/generate/internal/c_text.h>
#include <articula/generate/internal/loops_text.h>

namespace articula {

/// A function of packs; and the pack with what it calls. C and C++ alike, with vector extensions.
FunctionText lanes_function_text(const RecordedFunction& function, Workspace workspace);
std::string lanes_prelude_text(bool single, const FunctionText& text);

/// A function of packs as C with vector extensions, as it is compiled for many states.
std::string lanes_source(const RecordedFunction& function, const std::string& name, bool single);

/// What the test of a function of packs is made of.
std::string lanes_distance_text();
std::string lanes_timing_text(const std::string& call, const std::string& name);

/// `static const double given_q[STATES][7] = {...}` of all arrays.
std::string tables_text(const RecordedFunction& function, const TestVectors& vectors);

/// What packs and threads do not write: zeros, and what the other triangle of a symmetric matrix holds.
bool below_diagonal_or_zero(const FunctionArray& array, int k, bool zero);

std::string cpp_header(const RecordedFunction& function, const std::string& name, const std::string& model,
                       bool single);
std::string cpp_test(const RecordedFunction& function, const std::string& name, const TestVectors& vectors,
                     bool single);

}  // namespace articula
