#include <articula/base/text.h>
#include <articula/generate/internal/cuda_text.h>
#include <articula/generate/internal/lanes_text.h>
#include <articula/generate/internal/names.h>
#include <articula/generate/internal/package_text.h>

namespace articula {
namespace {

Dialect cuda_dialect() {
  Dialect dialect;
  dialect.scalar = "R";
  dialect.constant = dialect.whole = [](double x) { return concat("R(", literal(x), ")"); };
  dialect.leaves_out = below_diagonal_or_zero;
  return dialect;
}

/// Sines and cosines of all angles; `element` reads an input.
std::string angles_text(const RecordedFunction& function, const Schedule& schedule, const Dialect& dialect) {
  std::string text;
  for (std::size_t k = 0; k < schedule.angles.size(); ++k) {
    const Expression& e = function.graph[schedule.angles[k]];
    text +=
        concat(dialect.indent, "R s", k, ", c", k, ";\n", dialect.indent, "sine_and_cosine(",
               dialect.element(function.inputs[static_cast<std::size_t>(e.a)].name, e.b), ", &s", k, ", &c", k, ");\n");
  }
  return text;
}

/// One thread, one state: number k of state i is array[k * states + i], so that neighbours read neighbours.
std::string kernel_text(const RecordedFunction& function, const std::string& name) {
  const Schedule schedule = make_schedule(function);
  Dialect dialect = cuda_dialect();
  dialect.element = [](const std::string& array, int k) { return concat(array, "[", k, " * n + i]"); };
  return concat("/* ", schedule.operations,
                " operations a state. */\ntemplate <class R>\n__global__ void __launch_bounds__(128) ", name,
                "(int states, ", arguments_text(function, "const R *__restrict__ ", "R *__restrict__ "),
                ")\n{\n  const size_t n = size_t(states), i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;\n"
                "  if (i >= n) return;\n",
                angles_text(function, schedule, dialect), body_text(function, schedule, dialect), "}\n");
}

/// K steps in one kernel: the state stays in registers, forces are held over all steps.
std::string rollout_text(const RecordedFunction& step, const std::string& name) {
  const Schedule schedule = make_schedule(step);
  Dialect dialect = cuda_dialect();
  dialect.indent = "    ";
  dialect.leaves_out = nullptr;
  dialect.element = [](const std::string& array, int k) { return concat(array, "_", k); };
  const int nq = step.inputs[0].size(), nv = step.inputs[1].size();
  std::string read, next, take, write;
  for (int k = 0; k < nq; ++k) {
    read += concat("  R q_", k, " = q[", k, " * n + i];\n");
    next += concat(k == 0 ? "    R " : ", ", "q_next_", k);
    take += concat("    q_", k, " = q_next_", k, ";\n");
    write += concat("  q_next[", k, " * n + i] = q_", k, ";\n");
  }
  next += ";\n";
  for (int k = 0; k < nv; ++k) {
    read += concat("  R v_", k, " = v[", k, " * n + i];\n  const R tau_h_", k, " = tau_h[", k, " * n + i];\n");
    next += concat(k == 0 ? "    R " : ", ", "v_next_", k);
    take += concat("    v_", k, " = v_next_", k, ";\n");
    write += concat("  v_next[", k, " * n + i] = v_", k, ";\n");
  }
  next += ";\n";
  read += concat("  const R tau_h_", nv, " = tau_h[", nv, " * n + i];\n");
  for (int k = 0; k < step.inputs.back().size(); ++k) read += concat("  const R p_", k, " = p[", k, " * n + i];\n");
  return concat(
      "\n/* `steps` steps in one launch: the state stays in registers, the forces are held. */\ntemplate <class R>\n"
      "__global__ void __launch_bounds__(128) ",
      name, "_rollout(int states, int steps, ", arguments_text(step, "const R *__restrict__ ", "R *__restrict__ "),
      ")\n{\n  const size_t n = size_t(states), i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;\n"
      "  if (i >= n) return;\n",
      read, "  for (int step = 0; step < steps; ++step) {\n", next, angles_text(step, schedule, dialect),
      body_text(step, schedule, dialect), take, "  }\n", write, "}\n");
}

/// The arrays of a test: host tables spread over many states, device copies, and what is called with them.
struct TestArrays {
  std::string make, arguments, check;
};

TestArrays test_arrays(const RecordedFunction& function) {
  TestArrays text;
  const auto more = [&](const std::string& name) { text.arguments += concat(", ", name, ".data"); };
  for (const FunctionArray& array : function.inputs) {
    if (array.size() == 0) continue;
    text.make += concat("  Array<R> ", array.name, "(", array.size(), ", states, &given_", array.name, "[0][0]);\n");
    more(array.name);
  }
  for (const FunctionArray& array : function.outputs) {
    text.make += concat("  Array<R> ", array.name, "(", array.size(), ", states, nullptr);\n");
    more(array.name);
    text.check += concat("  worst = fmax(worst, ", array.name, ".distance(&expected_", array.name, "[0][0], ",
                         array.symmetric ? "true" : "false", "));\n");
  }
  return text;
}

std::string test_text(const RecordedFunction& function, const std::string& name, const TestVectors& vectors) {
  const TestArrays arrays = test_arrays(function);
  const bool step = function.name == "step";
  const std::string rollout = concat("  const double rollout = timed([&] { ", name, "_device::", name,
                                     "_rollout<R><<<blocks, 128>>>(states, 100", arrays.arguments,
                                     "); }) / 100;\n  printf(\"  rollout of 100 steps: %.4f ns a state and step\\n\", "
                                     "rollout / states);\n");
  return concat(
      banner(), "/* ", comment_text(vectors.origin), ". */\n#include \"", name,
      ".cuh\"\n\n#include <stdio.h>\n#include <stdlib.h>\n#include <vector>\n\nenum { STATES = ", vectors.inputs.size(),
      " };\n", tables_text(function, vectors), cuda_test_tools_text(),
      "\ntemplate <class R>\nstatic bool test(const char *precision, int states, double tolerance)\n{\n", arrays.make,
      "  const int blocks = (states + 127) / 128;\n  const double ns = timed([&] { ", name, "_device::", name,
      "<R><<<blocks, 128>>>(states", arrays.arguments, "); });\n  double worst = 0.0;\n", arrays.check, "  printf(\"",
      name,
      ", %s: %d states, %.4f ns a state, largest relative error %.3g, allowed %.3g: %s\\n\", precision, states,\n"
      "         ns / states, worst, tolerance, worst <= tolerance ? \"good\" : \"BAD\");\n",
      step ? rollout : "", "  return worst <= tolerance;\n}\n\nint main(int argc, char **argv)\n{\n",
      "  int devices = 0;\n  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {\n"
      "    fprintf(stderr, \"there is no CUDA device on this machine\\n\");\n    return 4;\n  }\n"
      "  const int states = argc > 1 ? atoi(argv[1]) : 1 << 20;\n  const bool doubles = test<double>(\"double\", "
      "states, ",
      literal(vectors.tolerance), ");\n  const bool floats = test<float>(\"float\", states, ",
      literal(vectors.single_tolerance), ");\n  return doubles && floats ? 0 : 1;\n}\n");
}

}  // namespace

CudaLaunch cuda_launch(const RecordedFunction&, bool) { return {}; }

std::string cuda_header(const RecordedFunction& function, const std::string& name, const std::string& model) {
  return concat(
      banner(), "#pragma once\n\n#include <math.h>\n\nnamespace ", name, "_device {\n\n",
      "__device__ __forceinline__ void sine_and_cosine(double x, double *s, double *c) { sincos(x, s, c); }\n"
      "__device__ __forceinline__ void sine_and_cosine(float x, float *s, float *c) { sincosf(x, s, c); }\n\n",
      description(function, model),
      "/* Number k of state i is array[k * states + i]. Results that are always zero, and those of symmetric\n"
      " * matrices below the diagonal, are not written. */\n",
      kernel_text(function, name), function.name == "step" ? rollout_text(function, name) : "", "\n}\n");
}

std::string cuda_test_tools_text() {
  return R"(
static void must(cudaError_t error)
{
  if (error == cudaSuccess) return;
  fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(error));
  exit(4);
}

/* An array of all states on the device. Test states take turns; number k of state i is at [k * states + i]. */
template <class R>
struct Array {
  Array(int numbers, int states, const double *given) : numbers(numbers), states(states)
  {
    must(cudaMalloc(&data, sizeof(R) * size_t(numbers) * states));
    must(cudaMemset(data, 0, sizeof(R) * size_t(numbers) * states));
    if (given == nullptr) return;
    std::vector<R> host(size_t(numbers) * states);
    for (int k = 0; k < numbers; ++k)
      for (int i = 0; i < states; ++i) host[size_t(k) * states + i] = R(given[(i % STATES) * numbers + k]);
    must(cudaMemcpy(data, host.data(), sizeof(R) * host.size(), cudaMemcpyHostToDevice));
  }
  ~Array() { cudaFree(data); }

  double distance(const double *expected, bool symmetric) const
  {
    std::vector<R> host(size_t(numbers) * states);
    must(cudaMemcpy(host.data(), data, sizeof(R) * host.size(), cudaMemcpyDeviceToHost));
    int n = 0;
    while (n * n < numbers) ++n;
    double worst = 0.0;
    for (int i = 0; i < states; i += i < 4 * STATES ? 1 : 997) {
      double apart = 0.0, size = 0.0;
      for (int k = 0; k < numbers; ++k) {
        if (symmetric && k % n < k / n) continue;
        const double e = expected[(i % STATES) * numbers + k], d = double(host[size_t(k) * states + i]) - e;
        apart += d * d;
        size += e * e;
      }
      worst = fmax(worst, apart >= 0.0 ? sqrt(apart / (size > 0.0 ? size : 1.0)) : 1e300);
    }
    return worst;
  }

  int numbers, states;
  R *data = nullptr;
};

/* The shortest of several launches, in nanoseconds. */
template <class Launch>
static double timed(Launch launch)
{
  cudaEvent_t begin, end;
  must(cudaEventCreate(&begin));
  must(cudaEventCreate(&end));
  double best = 1e300;
  for (int trial = 0; trial < 12; ++trial) {
    must(cudaEventRecord(begin));
    launch();
    must(cudaEventRecord(end));
    must(cudaEventSynchronize(end));
    must(cudaGetLastError());
    float ms = 0;
    must(cudaEventElapsedTime(&ms, begin, end));
    best = fmin(best, 1e6 * ms);
  }
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  return best;
}
)";
}

void add_cuda_function(Package& package, const RecordedFunction& function, const TestVectors& vectors,
                       const std::string& name) {
  package.files.push_back({name + ".cuh", cuda_header(function, name, package.model)});
  package.files.push_back({name + "_test.cu", test_text(function, name, vectors)});
}

}  // namespace articula
