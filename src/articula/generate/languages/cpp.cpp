#include <articula/base/text.h>
#include <articula/generate/internal/body_text.h>
#include <articula/generate/internal/function_text.h>
#include <articula/generate/internal/lanes_text.h>
#include <articula/generate/internal/language.h>
#include <articula/generate/internal/loops_text.h>
#include <articula/generate/internal/names.h>

/// C++ on SIMD lanes, a pack of states per call: C with the vector extensions of GCC and clang, except for the header.
namespace articula::generate {
namespace {

/// As in C (c.cpp), with the quadrant from the low bits of the rounded number.
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

constexpr const char* sines =
    R"(static inline pack sines(pack x) { pack s, c; sines_and_cosines(&x, &s, &c); return s; }
static inline pack cosines(pack x) { pack s, c; sines_and_cosines(&x, &s, &c); return c; }
)";

/// Other functions of packs: sines and cosines alone by the functions above, all others lane by lane.
std::string functions_text(const Schedule& schedule) {
  std::string text;
  for (const OperationTraits& row : all_operations) {
    const bool is_sine = row.operation == Operation::sine || row.operation == Operation::cosine;
    if (is_sine || !row.is_function() || !schedule.computes(row.operation)) continue;
    const bool takes_two = row.operands == 2;
    text += concat("static inline pack ", row.of_packs, "(pack x", takes_two ? ", pack y" : "",
                   ")\n{\n  for (int l = 0; l < lanes; ++l) x[l] = (real)", row.in_c, "((double)x[l]",
                   takes_two ? ", (double)y[l]" : "", ");\n  return x;\n}\n");
  }
  return text + (schedule.computes(Operation::sine) || schedule.computes(Operation::cosine) ? sines : "");
}

std::string angles_text(const Schedule& schedule) {
  const RecordedFunction& function = *schedule.function;
  std::string text;
  for (std::size_t k = 0; k < schedule.angles.size(); ++k) {
    const Expression& e = function.graph[schedule.angles[k]];
    text += concat("  pack s", k, ", c", k, ";\n  sines_and_cosines(&",
                   function.inputs[static_cast<std::size_t>(e.a)].name, "[", e.b, "], &s", k, ", &c", k, ");\n");
  }
  return text;
}

FunctionText text_of(const Schedule& schedule, Workspace workspace) {
  Dialect dialect("pack");
  dialect.real = "real";
  dialect.operation = operation_of_packs_text;
  dialect.constant = [](double x) { return concat("(real)", literal(x)); };
  dialect.whole = [](double x) { return concat("zero + (real)", literal(x)); };
  dialect.leaves_out = below_diagonal_or_zero;
  if (schedule.function->in_loops) {
    const std::string all_sines = concat("for (i = 0; i < ", padded_angles(schedule),
                                         "; ++i) sines_and_cosines(&angles[i], &sines[i], &cosines[i]);");
    return loops_text(roll(schedule, dialect.leaves_out), dialect, workspace, all_sines);
  }
  const std::string body = body_text(schedule, dialect);
  const bool uses_zero = body.find("= zero + ") != std::string::npos;
  return {concat("/* ", schedule.operations, " operations. */\n"),
          concat(uses_zero ? "  const pack zero = {0};\n" : "", angles_text(schedule), body, unread_text(schedule))};
}

/// The type of packs, and the functions in use.
std::string prelude_text(const Schedule& schedule, bool single) {
  const bool angles =
      !schedule.angles.empty() || schedule.computes(Operation::sine) || schedule.computes(Operation::cosine);
  return concat("typedef ", single ? "float" : "double",
                " real;\n\n/* As many states as one call computes; number k of a state is lane l of `array[k]`. */\n"
                "enum { lanes = ",
                single ? 16 : 8, " };\n", "typedef real pack __attribute__((vector_size(lanes * sizeof(real))));\n",
                angles ? concat("typedef ", single ? "int" : "long long",
                                " words __attribute__((vector_size(lanes * sizeof(real))));\n"
                                "static const real largest_angle = ",
                                single ? "1000.0f" : "1e5", ";\n\n", single ? floats : doubles, both)
                       : "",
                functions_text(schedule));
}

constexpr const char* distance = R"(
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

std::string timing_text(const std::string& call, const std::string& name) {
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

std::string header_text(const RecordedFunction& function, const std::string& name, const std::string& model,
                        bool single) {
  const Schedule schedule = make_schedule(function);
  const FunctionText text = text_of(schedule, Workspace::as_compiled);
  constexpr std::string_view left_out =
      "/* Results that are always zero, and those of symmetric matrices below the diagonal, are not written. */\n";
  return concat(banner(), "#pragma once\n\n#include <math.h>\n\nnamespace ", name, "_lanes {\n\n",
                prelude_text(schedule, single), "\n", text.before, description(function, model), left_out,
                "inline void ", name, "(", arguments_text(function, "const pack *__restrict ", "pack *__restrict "),
                ")\n{\n", text.body, "}\n\n}\n");
}

/// All test states in the lanes of consecutive packs, and the time per state.
std::string test_text(const RecordedFunction& function, const std::string& name, const TestVectors& vectors,
                      bool single) {
  const std::string space = name + "_lanes", call = concat(space, "::", name, "(", call_text(function), ")");
  std::string arrays, fill, check;
  for (const FunctionArray& array : function.inputs) {
    if (array.size() == 0) continue;
    arrays += concat("static ", space, "::pack ", array.name, "[", array.size(), "];\n");
    fill += concat("    for (int k = 0; k < ", array.size(), "; ++k) ", array.name, "[k][l] = real(given_", array.name,
                   "[(first + l) % STATES][k]);\n");
  }
  for (std::size_t a = 0; a < function.outputs.size(); ++a) {
    const FunctionArray& array = function.outputs[a];
    arrays += concat("static ", space, "::pack ", array.name, "[", array.size(), "];\n");
    check += concat("    worst = fmax(worst, distance(", array.name, ", expected_", array.name,
                    "[(first + l) % STATES], ", array.size(), ", l, ", array.symmetric ? "true" : "false", "));\n");
  }
  return concat(
      banner(), "/* ", comment_text(vectors.origin), ". */\n#include \"", name,
      "_lanes.h\"\n\n#include <stdio.h>\n#include <time.h>\n\nusing ", space, "::real;\nusing ", space,
      "::pack;\nusing ", space, "::lanes;\nenum { STATES = ", vectors.inputs.size(), " };\n\n",
      tables_text(function, vectors, std::to_string(vectors.inputs.size())), arrays, distance,
      "\nint main()\n{\n  const double tolerance = ", literal(single ? vectors.single_tolerance : vectors.tolerance),
      ";\n  double worst = 0.0;\n  for (int first = 0; first < STATES; ++first) {\n"
      "   for (int l = 0; l < lanes; ++l) {\n",
      fill, "   }\n   ", call, ";\n   for (int l = 0; l < lanes; ++l) {\n", check, "   }\n  }\n",
      timing_text(call, name));
}

void add_function(Package& package, const RecordedFunction& function, const TestVectors& vectors,
                  const std::string& name) {
  const bool single = package.options.single;
  package.files.push_back({name + "_lanes.h", header_text(function, name, package.model, single)});
  package.files.push_back({name + "_test.cpp", test_text(function, name, vectors, single)});
}

void add_build(Package& package) {
  add_cmake(package, {.language = "CXX",
                      .settings = "set(CMAKE_CXX_STANDARD 17)\n"
                                  "add_compile_options(-O3 -march=native -ffp-contract=fast -fno-math-errno)\n",
                      .ending = ".cpp"});
}

}  // namespace

std::string lanes_source(const RecordedFunction& function, const std::string& name, bool single) {
  const Schedule schedule = make_schedule(function);
  const FunctionText text = text_of(schedule, Workspace::of_caller);
  return concat("#include <math.h>\n\n", prelude_text(schedule, single), "\n", text.before, "void ", name, "(",
                arguments_text(function, "const pack *restrict ", "pack *restrict "), ")\n{\n", text.body, "}\n");
}

const Language cpp_language{
    .many_states = true,
    .add_function = add_function,
    .add_build = add_build,
    .notes =
        "C++17 with the vector extensions of GCC and clang: one call computes a\npack of states, number k of lane l "
        "at `array[k][l]`. Compile with `-O3 -march=native -ffp-contract=fast`; never use\n`-ffast-math`.\n",
    .has_workspace = true};

}  // namespace articula::generate
