#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include <articula/base/error.h>
#include <articula/base/text.h>
#include <articula/generate/internal/body_text.h>
#include <articula/generate/internal/cuda_text.h>
#include <articula/generate/internal/function_text.h>
#include <articula/generate/internal/language.h>

namespace articula::generate {
namespace {

constexpr int threads_alone = 64;              ///< per block, with one state per thread
constexpr int registers = 65'536;              ///< per multiprocessor
constexpr int most_registers = 320;            ///< per thread: 255, and spilled values that fit the cache
constexpr int shared_bytes = 48 * 1024;        ///< per block, the default limit
constexpr std::size_t most_constants = 2'048;  ///< in constant memory, which all functions of a program share

/// Constants of doubles, which do not fit into instructions, are in constant memory; those of floats are in
/// instructions.
class Constants {
 public:
  std::string operator()(double x) {
    const double size = std::fabs(x);
    const bool short_one = (std::bit_cast<std::uint64_t>(size) & 0xffffffffu) == 0;
    auto found = std::find(values_.begin(), values_.end(), size);
    if (short_one || (found == values_.end() && values_.size() >= most_constants)) return concat("R(", literal(x), ")");
    if (found == values_.end()) found = values_.insert(values_.end(), size);
    const std::string text = concat("number<R>(", literal(size), ", ", found - values_.begin(), ")");
    return x < 0 ? concat("(-", text, ")") : text;
  }

  std::string text() const {
    if (values_.empty()) return "";
    return concat("#ifdef __CUDACC__\nstatic __constant__ double numbers[] = {\n", numbers_text(values_),
                  "};\ntemplate <class R> __device__ __forceinline__ R number(double x, int k)\n{\n"
                  "  return sizeof(R) == 8 ? R(numbers[k]) : R(x);\n}\n#else\n"
                  "template <class R> inline R number(double x, int) { return R(x); }\n#endif\n\n");
  }

 private:
  std::vector<double> values_;
};

Dialect cuda_dialect(Constants& constants) {
  Dialect dialect("R");
  dialect.constant = [&constants](double x) { return constants(x); };
  dialect.whole = [](double x) { return concat("R(", literal(x), ")"); };
  dialect.reciprocal = "reciprocal";
  dialect.leaves_out = below_diagonal_or_zero;
  return dialect;
}

/// Reads and writes number k of a state, where arrays point to its first number.
Dialect array_dialect(Constants& constants) {
  Dialect dialect = cuda_dialect(constants);
  dialect.variable = [](const std::string& array, int k) { return concat(array, "_", k); };
  dialect.read = [](const std::string& array, int k) {
    return concat("const R ", array, "_", k, " = load(", array, " + size_t(n) * ", k, ");");
  };
  dialect.store = [](const std::string& array, int k, const std::string& value) {
    return concat("keep(", array, " + size_t(n) * ", k, ", ", value, ");");
  };
  return dialect;
}

/// The execution plan of a function.
struct Plan {
  explicit Plan(const RecordedFunction& function)
      : schedule(make_schedule(function)), limbs(find_limbs(schedule)), alone(limb_by_limb(schedule, limbs)) {
    const int recorded = most_live(schedule);
    live = most_live(alone);
    if (live >= recorded) alone = schedule;
    live = std::min(live, recorded);
    if (limbs.count > 1 && !function.is_step()) split = split_by_limb(schedule, limbs);
  }

  /// The number of blocks per multiprocessor if each thread gets the registers it wants.
  static int blocks(int threads, int wanted) {
    int count = 1;
    while (count < 16 && registers / (threads * (count + 1)) / 8 * 8 >= std::min(wanted, 255)) ++count;
    return count;
  }

  CudaLaunch launch(int words) const {
    const int wanted = words * (live + 8);
    if (wanted <= most_registers || split.warps < 3 || split.slots * 32 * 4 * words > shared_bytes) {
      return {threads_alone, 1, blocks(threads_alone, wanted)};
    }
    // Warps that execute different code stall on instruction fetches: more warps gain more than a few spilled values
    // cost.
    const int threads = 32 * split.warps;
    return {threads, split.warps, std::max(2, blocks(threads, words * (split.live + 8) * 4 / 5))};
  }

  Schedule schedule;  ///< as recorded
  Limbs limbs;
  Schedule alone;  ///< for one thread per state
  Split split;
  int live = 0;
};

std::string shifts_text(const RecordedFunction& function) {
  std::string text;
  const auto shift = [&](const FunctionArray& array) {
    if (array.size() > 0) text += concat(text.empty() ? "" : " ", array.name, " += i;");
  };
  for (const FunctionArray& array : function.inputs) shift(array);
  for (const FunctionArray& array : function.outputs) shift(array);
  return concat("    ", text, "\n");
}

/// Number k of state i is array[k * states + i], so that neighbouring threads read neighbouring numbers.
std::string alone_text(const RecordedFunction& function, const Plan& plan, Constants& constants) {
  Dialect dialect = array_dialect(constants);
  dialect.indent = "    ";
  return concat("    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i >= n) return;\n",
                shifts_text(function), body_text(plan.alone, dialect));
}

/// Each warp of a block computes its part of the same 32 states. Threads beyond the last state repeat the last state.
std::string shared_text(const RecordedFunction& function, const Plan& plan, Constants& constants) {
  Dialect dialect = array_dialect(constants);
  dialect.indent = "      ";
  const Split& split = plan.split;
  // Limbs read inputs while the trunk computes its motion. Forces are needed late: they are read early only if
  // registers are free.
  dialect.reads_first = 2 * (split.live + 8) <= registers / (2 * 32 * split.warps) ? 4 : 2;
  std::string text = concat("    __shared__ R shared[", split.slots,
                            "][32];\n    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;\n"
                            "    const unsigned own = blockIdx.x * 32 + lane, i = own < n ? own : n - 1;\n"
                            "    R (*const x)[32] = (R (*)[32])&shared[0][lane];\n"
                            "    const auto meet = [] { asm volatile(\"bar.sync 1, ",
                            32 * split.warps, ";\" ::: \"memory\"); };\n", shifts_text(function));
  for (int warp = 0; warp < split.warps; ++warp) {
    text += concat("    ", warp == 0 ? "" : "else ", "if (warp == ", warp, ") {\n", warp_text(split, warp, dialect),
                   "    }\n");
  }
  return text;
}

std::string bounds_text(const CudaLaunch& single, const CudaLaunch& twice) {
  return concat("__launch_bounds__(sizeof(R) == 4 ? ", single.threads, " : ", twice.threads, ", sizeof(R) == 4 ? ",
                single.least_blocks, " : ", twice.least_blocks, ")");
}

std::string kernel_text(const RecordedFunction& function, const std::string& name, const Plan& plan,
                        Constants& constants) {
  const CudaLaunch single = plan.launch(1), twice = plan.launch(2);
  const bool share_single = single.threads_per_state > 1, share_twice = twice.threads_per_state > 1;
  std::string body;
  if (share_single != share_twice) {
    body = concat("#ifdef __CUDACC__\n  if constexpr (sizeof(R) == 8) {\n", shared_text(function, plan, constants),
                  "  } else\n#endif\n  {\n", alone_text(function, plan, constants), "  }\n");
  } else if (share_single) {
    body = concat("#ifdef __CUDACC__\n  {\n", shared_text(function, plan, constants), "  }\n#else\n  {\n",
                  alone_text(function, plan, constants), "  }\n#endif\n");
  } else {
    body = concat("  {\n", alone_text(function, plan, constants), "  }\n");
  }
  return concat("/* ", plan.schedule.operations, " operations a state, ", plan.live,
                " values at hand at most. */\ntemplate <class R>\n__global__ void ", bounds_text(single, twice), " ",
                name, "(int states, ", arguments_text(function, "const R *__restrict__ ", "R *__restrict__ "),
                ")\n{\n  const unsigned n = unsigned(states);\n", body, "}\n");
}

/// Sines and cosines of all angles, which are in variables.
std::string angles_text(const Schedule& schedule, const Dialect& dialect) {
  std::string text;
  for (std::size_t k = 0; k < schedule.angles.size(); ++k) {
    const Expression& e = schedule.graph()[schedule.angles[k]];
    const std::string& array = schedule.function->inputs[static_cast<std::size_t>(e.a)].name;
    text += concat(dialect.indent, "R s", k, ", c", k, ";\n", dialect.indent, "sine_and_cosine(",
                   dialect.element(array, e.b), ", &s", k, ", &c", k, ");\n");
  }
  return text;
}

/// Several steps in one kernel: the state stays in registers, forces are constant over all steps.
std::string rollout_text(const RecordedFunction& step, const std::string& name, const Plan& plan,
                         Constants& constants) {
  Dialect dialect = cuda_dialect(constants);
  dialect.indent = "    ";
  dialect.leaves_out = nullptr;
  dialect.element = [](const std::string& array, int k) { return concat(array, "_", k); };
  std::string read, next, take, write;
  for (const FunctionArray& array : step.inputs) {
    const auto result = std::find_if(step.outputs.begin(), step.outputs.end(),
                                     [&](const FunctionArray& output) { return output.role == array.role; });
    const bool changes = result != step.outputs.end();
    for (int k = 0; k < array.size(); ++k) {
      read +=
          concat("  ", changes ? "" : "const ", "R ", array.name, "_", k, " = ", array.name, "[", k, " * n + i];\n");
      if (!changes) continue;
      next += concat(k == 0 ? "    R " : ", ", result->name, "_", k, k + 1 == array.size() ? ";\n" : "");
      take += concat("    ", array.name, "_", k, " = ", result->name, "_", k, ";\n");
      write += concat("  ", result->name, "[", k, " * n + i] = ", array.name, "_", k, ";\n");
    }
  }
  return concat(
      "\n/* `steps` steps in one launch: the state stays in registers, the forces are held. */\ntemplate <class R>\n"
      "__global__ void __launch_bounds__(",
      threads_alone, ") ", name, "_rollout(int states, int steps, ",
      arguments_text(step, "const R *__restrict__ ", "R *__restrict__ "),
      ")\n{\n  const size_t n = size_t(states), i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;\n"
      "  if (i >= n) return;\n",
      read, "  for (int step = 0; step < steps; ++step) {\n", next, angles_text(plan.alone, dialect),
      body_text(plan.alone, dialect), take, "  }\n", write, "}\n");
}

std::string launch_text(const Plan& plan) {
  const CudaLaunch single = plan.launch(1), twice = plan.launch(2);
  return concat(
      "/* Launch kernels as <<<blocks<R>(states), threads<R>()>>>. */\n"
      "template <class R> constexpr int threads() { return sizeof(R) == 4 ? ",
      single.threads, " : ", twice.threads,
      "; }\ntemplate <class R> constexpr int threads_per_state() { return sizeof(R) == 4 ? ", single.threads_per_state,
      " : ", twice.threads_per_state,
      "; }\ntemplate <class R> constexpr int blocks(int states)\n{\n"
      "  const int at_once = threads<R>() / threads_per_state<R>();\n  return (states + at_once - 1) / "
      "at_once;\n}\n\n");
}

void add_function(Package& package, const RecordedFunction& function, const TestVectors& vectors,
                  const std::string& name) {
  package.files.push_back({name + ".cuh", cuda_header(function, name, package.model)});
  package.files.push_back({name + "_test.cu", cuda_test(function, name, vectors)});
}

void add_build(Package& package) {
  add_cmake(package, {.language = "CUDA",
                      .settings = "set(CMAKE_CUDA_STANDARD 17)\nif(NOT CMAKE_CUDA_ARCHITECTURES)\n"
                                  "  set(CMAKE_CUDA_ARCHITECTURES 90)\nendif()\n",
                      .ending = ".cu"});
}

}  // namespace

CudaLaunch cuda_launch(const RecordedFunction& function, bool single) { return Plan(function).launch(single ? 1 : 2); }

std::string cuda_header(const RecordedFunction& function, const std::string& name, const std::string& model) {
  constexpr int most_in_a_kernel = 20'000;  // for more, nvcc takes minutes
  if (const int operations = make_schedule(function).operations; function.in_loops || operations > most_in_a_kernel) {
    throw Error(
        "generate-too-large", {},
        concat(function.name, " takes ", operations,
               " operations, and a thread of a GPU gets no loops. Generate C or C++, or run batched on the CPU."));
  }
  const Plan plan(function);
  Constants constants;
  const std::string kernels = concat(kernel_text(function, name, plan, constants),
                                     function.is_step() ? rollout_text(function, name, plan, constants) : "");
  return concat(
      banner(), "#pragma once\n\n#include <math.h>\n\nnamespace ", name, "_device {\n\n", cuda_prelude_text(),
      constants.text(), launch_text(plan), description(function, model),
      "/* Number k of state i is array[k * states + i]. Results that are always zero, and those of symmetric\n"
      " * matrices below the diagonal, are not written. */\n",
      kernels, "\n}\n");
}

const Language cuda_language{
    .many_states = true,
    .add_function = add_function,
    .add_build = add_build,
    .notes =
        "CUDA; number k of state i is at `array[k * states + i]`. Each header says\nhow its kernel is launched. "
        "Compile with `nvcc -std=c++17 -O3 -arch=sm_90` or the architecture at hand.\n"};

}  // namespace articula::generate
