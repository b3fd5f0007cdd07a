// Any text: it is refused with an Error, or it holds states of finite numbers.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "eval.h"

using namespace articula::program;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const GivenStates given = read_states("", {reinterpret_cast<const char*>(data), size});
    for (const GivenState& state : given.states) {
      for (const auto* numbers : {&state.q, &state.v, &state.a, &state.tau}) {
        for (const double x : numbers->value_or(std::vector<double>{})) {
          if (!std::isfinite(x)) std::abort();
        }
      }
    }
  } catch (const Error&) {
  }
  return 0;
}
