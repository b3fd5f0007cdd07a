// Every row of the table of operations computes its value in C, in packs, in straight lines and in loops.

#include <gtest/gtest.h>

#include <cstdlib>

#include <articula/generate/compile.h>

#include "support/temporary_folder.h"

namespace articula::test {
namespace {

constexpr double b = 0.9;

/// Each operation on the operands a·b and b. Neither is an input alone, since sines of inputs are computed differently.
RecordedFunction each_operation(bool in_loops) {
  RecordedFunction function;
  function.name = "each_operation";
  function.in_loops = in_loops;
  function.inputs.push_back({ArrayRole::frames, "given", "operands", {"a", "b"}, 2, false});
  const Recording recording(function.graph);
  const Trace y = recording.input(0, 1), x = recording.input(0, 0) * y;
  std::vector<int>& results = function.results.emplace_back();
  for (const OperationTraits& row : all_operations) {
    if (row.operands == 1) results.push_back(Trace::of(row.operation, x).place());
    if (row.operands == 2) results.push_back(Trace::of(row.operation, x, y).place());
  }
  function.outputs.push_back({ArrayRole::frames, "values", "", {}, static_cast<int>(results.size()), false});
  return function;
}

/// Compares with the table, lane by lane: `a` is 0.1, 0.2, ... in successive lanes.
template <class S>
void expect_values(const RecordedFunction& function, CompileOptions::Form form, std::size_t lanes, double tolerance) {
  const test::TemporaryFolder cache;
  const CompiledFunction code(function, {.cache = cache.path().string(), .form = form});
  alignas(64) S given[2 * 16], values[16 * all_operations.size()];
  const auto a = [](std::size_t lane) { return 0.1 * static_cast<double>(lane + 1); };
  for (std::size_t l = 0; l < lanes; ++l) given[l] = static_cast<S>(a(l)), given[lanes + l] = static_cast<S>(b);
  const S* in[] = {given};
  S* out[] = {values};
  code(in, out);
  for (std::size_t l = 0; l < lanes; ++l) {
    std::size_t k = 0;
    for (const OperationTraits& row : all_operations) {
      if (row.operands == 0) continue;
      EXPECT_NEAR(values[lanes * k++ + l], row.value(a(l) * b, b), tolerance) << row.in_c << " in lane " << l;
    }
  }
}

TEST(Operations, EachComputesItsValueInCAndInPacks) {
  if (std::system("command -v cc >/dev/null 2>&1") != 0) GTEST_SKIP() << "there is no C compiler";
  for (const bool in_loops : {false, true}) {
    SCOPED_TRACE(in_loops ? "in loops" : "in straight lines");
    const RecordedFunction function = each_operation(in_loops);
    expect_values<double>(function, CompileOptions::Form::one_state, 1, 1e-15);
    expect_values<double>(function, CompileOptions::Form::eight_doubles, 8, 1e-15);
    expect_values<float>(function, CompileOptions::Form::sixteen_floats, 16, 1e-6);
  }
}

}  // namespace
}  // namespace articula::test
