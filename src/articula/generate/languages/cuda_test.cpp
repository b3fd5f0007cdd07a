#include <articula/base/text.h>
#include <articula/generate/internal/cuda_text.h>
#include <articula/generate/internal/dialect.h>
#include <articula/generate/internal/function_text.h>
#include <articula/generate/internal/names.h>

namespace articula::generate {
namespace {

constexpr double device_tolerance = 1e-12;   ///< of doubles, if the problem does not amplify rounding
constexpr double residual_tolerance = 1e-4;  ///< of floats: M·vdot + b − tau, relative
constexpr double general_tolerance = 1e-10;  ///< the default tolerance of test vectors

/// Arrays on a device, their distance from expected results, and timing.
constexpr const char* tools = R"(
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

  std::vector<R> on_host() const
  {
    std::vector<R> host(size_t(numbers) * states);
    must(cudaMemcpy(host.data(), data, sizeof(R) * host.size(), cudaMemcpyDeviceToHost));
    return host;
  }

  double distance(const double *expected, bool symmetric) const
  {
    const std::vector<R> host = on_host();
    int n = 0;
    while (n * n < numbers) ++n;
    double worst = 0.0;
    for (int i = 0; i < states; i += i < 4 * STATES || i + 64 > states ? 1 : 997 < states - 64 - i ? 997 : 1) {
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

/* The shortest of several times that some work takes, in nanoseconds. */
template <class Work>
static double timed(Work work)
{
  cudaEvent_t begin, end;
  must(cudaEventCreate(&begin));
  must(cudaEventCreate(&end));
  double best = 1e300;
  for (int trial = 0; trial < 25; ++trial) {
    must(cudaEventRecord(begin));
    work();
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

/* A hundred launches one by one, and as a graph that is launched once: nanoseconds of each. */
template <class Launch>
static void time_launches(const char *precision, int states, Launch launch)
{
  enum { LAUNCHES = 100 };
  const double plain = timed([&] { for (int k = 0; k < LAUNCHES; ++k) launch(cudaStream_t(0)); }) / LAUNCHES;
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t work;
  must(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  must(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  for (int k = 0; k < LAUNCHES; ++k) launch(stream);
  must(cudaStreamEndCapture(stream, &graph));
  must(cudaGraphInstantiate(&work, graph, 0));
  const double graphed = timed([&] { must(cudaGraphLaunch(work, cudaStream_t(0))); }) / LAUNCHES;
  printf("  %d states, %s: %.2f us a launch, %.2f us in a graph of %d\n", states, precision, plain / 1e3,
         graphed / 1e3, int(LAUNCHES));
  cudaGraphExecDestroy(work);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
}
)";

/// The residual of M·vdot + b = tau. Unlike the error of vdot it does not grow with the condition of M.
constexpr const char* residual = R"(
/* |M*vdot + b - tau| relative to |tau| + |b|, the largest over the test states. */
template <class R>
static double residual(const Array<R> &vdot)
{
  const std::vector<R> host = vdot.on_host();
  const int n = vdot.numbers;
  double worst = 0.0;
  for (int i = 0; i < STATES && i < vdot.states; ++i) {
    double rest = 0.0, tau = 0.0, b = 0.0;
    for (int k = 0; k < n; ++k) {
      double r = expected_bias[i][k] - given_tau[i][k];
      for (int j = 0; j < n; ++j) r += expected_M[i][k * n + j] * double(host[size_t(j) * vdot.states + i]);
      rest += r * r;
      tau += given_tau[i][k] * given_tau[i][k];
      b += expected_bias[i][k] * expected_bias[i][k];
    }
    worst = fmax(worst, rest >= 0.0 ? sqrt(rest) / (sqrt(tau) + sqrt(b)) : 1e300);
  }
  return worst;
}
)";

/// The arrays of a test: host tables, device copies for many states, and arguments of calls.
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

std::string residual_tables(const TestVectors& vectors) {
  std::string text;
  const auto table = [&](const std::string& name, const std::vector<std::vector<double>>& states) {
    text += concat("static const double ", name, "[", states.size(), "][", states[0].size(), "] = {\n");
    for (const std::vector<double>& state : states) text += concat("  {\n", numbers_text(state), "  },\n");
    text += "};\n";
  };
  table("expected_M", vectors.mass_matrix);
  table("expected_bias", vectors.bias);
  return text;
}

/// Measures launches with many states and with few, and compares the results.
std::string measure_text(const RecordedFunction& function, const std::string& name, bool accelerates) {
  const TestArrays arrays = test_arrays(function);
  const std::string space = name + "_device::";
  const std::string rollout =
      concat("  const double rollout = timed([&] { ", space, name,
             "_rollout<R><<<(states + 63) / 64, 64>>>(states, 100", arrays.arguments,
             "); }) / 100;\n  printf(\"  rollout of 100 steps: %.4f ns a state and step\\n\", rollout / states);\n");
  const std::string rest =
      concat("  const double rest = residual(vdot), allowed = sizeof(R) == 4 ? ", literal(residual_tolerance), " : ",
             literal(general_tolerance),
             ";\n  good = good && rest <= allowed;\n"
             "  printf(\"  M*vdot + b - tau, relative: %.3g, allowed %.3g: %s\\n\", rest, allowed, rest <= allowed ? "
             "\"good\" : \"BAD\");\n");
  return concat(
      "\ntemplate <class R>\nstatic bool test(const char *precision, int states, double tolerance)\n{\n", arrays.make,
      "  const auto launch = [&](cudaStream_t stream) {\n    ", space, name, "<R><<<", space, "blocks<R>(states), ",
      space, "threads<R>(), 0, stream>>>(states", arrays.arguments, ");\n  };\n",
      "  if (states <= 16384) time_launches(precision, states, launch);\n"
      "  const double ns = timed([&] { launch(cudaStream_t(0)); });\n  double worst = 0.0;\n",
      arrays.check, "  bool good = worst <= tolerance;\n  printf(\"", name,
      ", %s: %d states, %.4f ns a state, largest relative error %.3g, allowed %.3g: %s\\n\", precision, states,\n"
      "         ns / states, worst, tolerance, good ? \"good\" : \"BAD\");\n",
      accelerates ? rest : "", function.is_step() ? rollout : "", "  return good;\n}\n");
}

}  // namespace

std::string cuda_test(const RecordedFunction& function, const std::string& name, const TestVectors& vectors) {
  const bool accelerates = !vectors.mass_matrix.empty();
  const double tolerance = vectors.tolerance > general_tolerance ? vectors.tolerance : device_tolerance;
  return concat(banner(), "/* ", comment_text(vectors.origin), ". */\n#include \"", name,
                ".cuh\"\n\n#include <stdio.h>\n#include <stdlib.h>\n#include <vector>\n\nenum { STATES = ",
                vectors.inputs.size(), " };\n", tables_text(function, vectors, std::to_string(vectors.inputs.size())),
                accelerates ? residual_tables(vectors) : "", tools, accelerates ? residual : "",
                measure_text(function, name, accelerates),
                "\nint main(int argc, char **argv)\n{\n  int devices = 0;\n"
                "  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {\n"
                "    fprintf(stderr, \"there is no CUDA device on this machine\\n\");\n    return 4;\n  }\n"
                "  const int states = argc > 1 ? atoi(argv[1]) : 1 << 20;\n  bool good = true;\n"
                "  for (const int count : {4096, states}) {\n    good = test<double>(\"double\", count, ",
                literal(tolerance), ") && good;\n    good = test<float>(\"float\", count, ",
                literal(vectors.single_tolerance), ") && good;\n  }\n  return good ? 0 : 1;\n}\n");
}

}  // namespace articula::generate
