#include <articula/generate/internal/lanes_text.h>

#include <articula/base/text.h>

namespace articula {
namespace {

/// As in C (c_source.cpp), with the quadrant taken from the low bits of the rounded number.
constexpr const char* doubles =
    R"(/// Sines and cosines of all lanes, within 2 units in the last place; angles beyond 1e5 go to libm.
static inline void sines_and_cosines(const pack *angles, pack *s, pack *c)
{
  const pack x = *angles;
  const real rounder = 0x1.8p52;
  const pack shifted = x * 0x1.45f306dc9c883p-1 + rounder;
  const pack n = shifted - rounder;
  const words quadrant = (words)shifted;
  const pack y = ((x - n * 0x1.921fb544p+0) - n * 0x1.0b4611a6p-34) - n * 0x1.3198a2e037073p-69;
  const pack z = y * y;
  const pack p = 8.33333333332248946124e-03 + z * (-1.98412698298579493134e-04 +
    z * (2.75573137070700676789e-06 + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)));
  const pack q = 4.16666666666666019037e-02 + z * (-1.38888888888741095749e-03 + z * (2.48015872894767294178e-05 +
    z * (-2.75573143513906633035e-07 + z * (2.08757232129817482790e-09 - z * 1.13596475577881948265e-11))));
  const pack half = 0.5 * z, w = 1.0 - half;
  const pack sine = y + (z * y) * (-1.66666666666666324348e-01 + z * p);
  const pack cosine = w + (((1.0 - w) - half) + (z * z) * q);
  const int sign = 62;
)";

/// The coefficients of Cephes' sinf and cosf on [−π/4, π/4].
constexpr const char* floats = R"(/// Sines and cosines of all lanes to float precision; angles beyond 1000 go to libm.
static inline void sines_and_cosines(const pack *angles, pack *s, pack *c)
{
  const pack x = *angles;
  const real rounder = 0x1.8p23f;
  const pack shifted = x * 0x1.45f306p-1f + rounder;
  const pack n = shifted - rounder;
  const words quadrant = (words)shifted;
  const pack y = ((x - n * 0x1.92p+0f) - n * 0x1.fb4p-12f) - n * 0x1.4442d2p-24f;
  const pack z = y * y;
  const pack sine = y + (z * y) * (-1.6666654611e-1f + z * (8.3321608736e-3f - z * 1.9515295891e-4f));
  const pack cosine = (1.0f - 0.5f * z) +
    (z * z) * (4.166664568298827e-2f + z * (-1.388731625493765e-3f + z * 2.443315711809948e-5f));
  const int sign = 30;
)";

constexpr const char* both = R"(  const words swap = -(quadrant & 1);
  const words S = (words)sine, C = (words)cosine, exchange = (S ^ C) & swap;
  *s = (pack)((S ^ exchange) ^ ((quadrant & 2) << sign));
  *c = (pack)((C ^ exchange) ^ (((quadrant + 1) & 2) << sign));
  const words small = (x <= largest_angle) & (x >= -largest_angle);
  long long all = -1;
  for (int l = 0; l < lanes; ++l) all &= small[l];
  if (all == 0) {
    for (int l = 0; l < lanes; ++l) {
      (*s)[l] = (real)sin((double)x[l]);
      (*c)[l] = (real)cos((double)x[l]);
    }
  }
}
)";

/// For the few functions that need them.
constexpr const char* roots = R"(static inline pack roots(pack x)
{
  for (int l = 0; l < lanes; ++l) x[l] = (real)sqrt((double)x[l]);
  return x;
}
)";
constexpr const char* sines =
    R"(static inline pack sines(pack x) { pack s, c; sines_and_cosines(&x, &s, &c); return s; }
static inline pack cosines(pack x) { pack s, c; sines_and_cosines(&x, &s, &c); return c; }
)";

const FunctionNames pack_names{"roots", "sines", "cosines"};

std::string angles_text(const RecordedFunction& function, const Schedule& schedule) {
  std::string text;
  for (std::size_t k = 0; k < schedule.angles.size(); ++k) {
    const Expression& e = function.graph[schedule.angles[k]];
    text += concat("  pack s", k, ", c", k, ";\n  sines_and_cosines(&",
                   function.inputs[static_cast<std::size_t>(e.a)].name, "[", e.b, "], &s", k, ", &c", k, ");\n");
  }
  return text;
}

FunctionText straight_text(const RecordedFunction& function, const Schedule& schedule) {
  Dialect dialect;
  dialect.scalar = "pack";
  dialect.element = [](const std::string& array, int k) { return concat(array, "[", k, "]"); };
  dialect.constant = [](double x) { return concat("(real)", literal(x)); };
  dialect.whole = [](double x) { return concat("zero + (real)", literal(x)); };
  dialect.names = pack_names;
  dialect.leaves_out = below_diagonal_or_zero;
  const std::string body = body_text(function, schedule, dialect);
  const bool uses_zero = body.find("= zero + ") != std::string::npos;
  return {concat("/* ", schedule.operations, " operations. */\n"),
          concat(uses_zero ? "  const pack zero = {0};\n" : "", angles_text(function, schedule), body,
                 unread_text(function, schedule))};
}

}  // namespace

FunctionText lanes_function_text(const RecordedFunction& function, Workspace workspace) {
  const Schedule schedule = make_schedule(function);
  if (!function.in_loops) return straight_text(function, schedule);
  const std::string sines = concat("for (i = 0; i < ", padded_angles(schedule),
                                   "; ++i) sines_and_cosines(&angles[i], &sines[i], &cosines[i]);");
  return loops_text(function, schedule, {"pack", "real", pack_names, workspace, sines, below_diagonal_or_zero});
}

std::string lanes_prelude_text(bool single, const FunctionText& text) {
  const std::string body = text.before + text.body;
  const bool angles = body.find("sines") != std::string::npos;
  return concat("typedef ", single ? "float" : "double",
                " real;\n\n/* As many states as one call computes; number k of a state is lane l of `array[k]`. */\n"
                "enum { lanes = ",
                single ? 16 : 8, " };\n", "typedef real pack __attribute__((vector_size(lanes * sizeof(real))));\n",
                angles ? concat("typedef ", single ? "int" : "long long",
                                " words __attribute__((vector_size(lanes * sizeof(real))));\n"
                                "static const real largest_angle = ",
                                single ? "1000.0f" : "1e5", ";\n\n", single ? floats : doubles, both)
                       : "",
                body.find("roots(") != std::string::npos ? roots : "",
                body.find(" sines(") != std::string::npos || body.find("cosines(t") != std::string::npos ? sines : "");
}

std::string lanes_source(const RecordedFunction& function, const std::string& name, bool single) {
  const FunctionText text = lanes_function_text(function, Workspace::of_caller);
  return concat("#include <math.h>\n\n", lanes_prelude_text(single, text), "\n", text.before, "void ", name, "(",
                arguments_text(function, "const pack *restrict ", "pack *restrict "), ")\n{\n", text.body, "}\n");
}

std::string tables_text(const RecordedFunction& function, const TestVectors& vectors) {
  std::string text;
  const auto table = [&](const std::string& name, const auto& states, std::size_t array) {
    text += concat("static const double ", name, "[", states.size(), "][", states[0][array].size(), "] = {\n");
    for (const auto& state : states) text += concat("  {\n", numbers_text(state[array]), "  },\n");
    text += "};\n";
  };
  for (std::size_t a = 0; a < function.inputs.size(); ++a) {
    if (function.inputs[a].size() > 0) table("given_" + function.inputs[a].name, vectors.inputs, a);
  }
  for (std::size_t a = 0; a < function.outputs.size(); ++a)
    table("expected_" + function.outputs[a].name, vectors.expected, a);
  return text;
}

std::string lanes_distance_text() {
  return R"(
/* How far apart in lane l, relative to what is expected; of symmetric matrices, the upper triangle. */
static double distance(const pack *x, const double *expected, int count, int l, bool symmetric)
{
  int n = 0;
  while (n * n < count) ++n;
  double apart = 0.0, size = 0.0;
  for (int k = 0; k < count; ++k) {
    if (symmetric && k % n < k / n) continue;
    const double d = double(x[k][l]) - expected[k];
    apart += d * d;
    size += expected[k] * expected[k];
  }
  if (!(apart >= 0.0)) return 1e300;
  return size > 0.0 ? sqrt(apart / size) : sqrt(apart);
}
)";
}

std::string lanes_timing_text(const std::string& call, const std::string& name) {
  return concat(R"(  double best = 1e300;
  for (int trial = 0; trial < 200; ++trial) {
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (int i = 0; i < 100; ++i) {
      )",
                call, R"(;
      __asm__ volatile("" ::: "memory");
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    const double ns = double(end.tv_sec - begin.tv_sec) * 1e9 + double(end.tv_nsec - begin.tv_nsec);
    best = fmin(best, ns / (100.0 * lanes));
  }
  printf(")",
                name,
                R"(: %d lanes, %.1f ns a state, largest relative error %.3g, allowed %.3g: %s\n", int(lanes), best,
         worst, tolerance, worst <= tolerance ? "good" : "BAD");
  return worst <= tolerance ? 0 : 1;
}
)");
}

}  // namespace articula
