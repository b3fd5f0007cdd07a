#include <algorithm>

#include <articula/base/text.h>
#include <articula/generate/internal/body_text.h>
#include <articula/generate/internal/c_text.h>
#include <articula/generate/internal/function_text.h>
#include <articula/generate/internal/language.h>
#include <articula/generate/internal/names.h>

/// C99, one state per call.
namespace articula::generate {
namespace {

/// x = n·π/2 + y, |y| ≤ π/4; the polynomials of fdlibm's __kernel_sin and __kernel_cos; then exchange and signs by
/// quadrant, all without branches.
std::string sincos_text(int angles) {
  return concat("enum { ANGLES = ", angles, R"( };

/* Sines and cosines of all angles at once, in a loop that compilers vectorise: within 2 units in the last place. */
static void sines_and_cosines(const double *restrict x, double *restrict s, double *restrict c)
{
  const double rounder = 6755399441055744.0; /* 1.5 * 2^52: adding it leaves the nearest integer */
  int large = 0;
  int k;
  for (k = 0; k < ANGLES; ++k) {
    const double a = x[k];
    const double n = (a * 0x1.45f306dc9c883p-1 + rounder) - rounder;
    const double y = ((a - n * 0x1.921fb544p+0) - n * 0x1.0b4611a6p-34) - n * 0x1.3198a2e037073p-69;
    const double z = y * y;
    const double p = 8.33333333332248946124e-03 + z * (-1.98412698298579493134e-04 +
      z * (2.75573137070700676789e-06 + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)));
    const double q = 4.16666666666666019037e-02 + z * (-1.38888888888741095749e-03 + z * (2.48015872894767294178e-05 +
      z * (-2.75573143513906633035e-07 + z * (2.08757232129817482790e-09 - z * 1.13596475577881948265e-11))));
    const double half = 0.5 * z;
    const double w = 1.0 - half;
    const double sine = y + (z * y) * (-1.66666666666666324348e-01 + z * p);
    const double cosine = w + (((1.0 - w) - half) + (z * z) * q);
    /* n modulo 4, in exact arithmetic: odd quadrants swap sine and cosine, the upper two change signs. */
    const double pairs = (n * 0.5 + rounder) - rounder;
    const double odd = fabs(n - 2.0 * pairs);
    const double lower = 0.5 * (n - odd);
    const double turns = (lower * 0.5 + rounder) - rounder;
    const double sine_sign = 1.0 - 2.0 * fabs(lower - 2.0 * turns);
    const double cosine_sign = sine_sign - 2.0 * odd * sine_sign;
    s[k] = sine_sign * (odd != 0.0 ? cosine : sine);
    c[k] = cosine_sign * (odd != 0.0 ? sine : cosine);
    large |= !(fabs(a) <= 1e5);
  }
  if (large) { /* too large for this way, or not a number */
    for (k = 0; k < ANGLES; ++k) {
      s[k] = sin(x[k]);
      c[k] = cos(x[k]);
    }
  }
}
)");
}

/// Whether the angles are consecutive numbers of one input array.
bool are_neighbours(const Schedule& schedule) {
  for (std::size_t k = 1; k < schedule.angles.size(); ++k) {
    const Expression &one = schedule.graph()[schedule.angles[k - 1]], &next = schedule.graph()[schedule.angles[k]];
    if (next.a != one.a || next.b != one.b + 1) return false;
  }
  return true;
}

/// Computes `s0`, `c0`, ... from the angles among the inputs. Consecutive angles are read in place: after copying them
/// one by one, the processor could not load several at once until all stores are complete.
std::string angles_text(const Schedule& schedule) {
  const RecordedFunction& function = *schedule.function;
  std::string text;
  if (schedule.angles.empty()) return text;
  const auto input = [&](const Expression& e) { return function.inputs[static_cast<std::size_t>(e.a)].name; };
  std::string from = "angles";
  if (are_neighbours(schedule)) {
    const Expression& first = function.graph[schedule.angles[0]];
    from = concat(input(first), " + ", first.b);
  } else {
    text += "  double angles[ANGLES] = {";
    for (std::size_t k = 0; k < schedule.angles.size(); ++k) {
      const Expression& e = function.graph[schedule.angles[k]];
      text += concat(k == 0 ? "" : ", ", input(e), "[", e.b, "]");
    }
    text += "};\n";
  }
  text += concat("  double sines[ANGLES], cosines[ANGLES];\n  sines_and_cosines(", from, ", sines, cosines);\n");
  const auto name = [&](Operation operation, std::size_t k, std::string_view short_name, std::string_view array) {
    const int place = function.graph.find({operation, schedule.angles[k], -1, 0});
    if (place < 0 || schedule.uses[static_cast<std::size_t>(place)] == 0) return;
    text += concat("  const double ", short_name, k, " = ", array, "[", k, "];\n");
  };
  for (std::size_t k = 0; k < schedule.angles.size(); ++k) {
    name(Operation::sine, k, "s", "sines");
    name(Operation::cosine, k, "c", "cosines");
  }
  return text;
}

/// Arrays with many zero results are cleared first, eight numbers per iteration, which compilers turn into wide stores
/// and not into a call of memset.
class Zeros {
 public:
  explicit Zeros(const RecordedFunction& function) {
    constexpr std::size_t many = 16;
    for (std::size_t a = 0; a < function.outputs.size(); ++a) {
      std::size_t zeros = 0;
      for (std::size_t k = 0; k < function.results[a].size(); ++k) zeros += is_zero(function, a, k) ? 1 : 0;
      if (zeros >= many) add(function.outputs[a]);
    }
  }

  const std::string& text() const { return text_; }

  /// Whether a result needs no statement of its own.
  bool have(const FunctionArray& array, bool zero) const {
    return zero && std::find(arrays_.begin(), arrays_.end(), array.name) != arrays_.end();
  }

 private:
  void add(const FunctionArray& array) {
    arrays_.push_back(array.name);
    text_ += concat("  for (int k = 0; k + 8 <= ", array.size(), "; k += 8) {\n");
    for (int k = 0; k < 8; ++k) text_ += concat("    ", array.name, "[k + ", k, "] = 0.0;\n");
    text_ += "  }\n";
    for (int k = array.size() / 8 * 8; k < array.size(); ++k) text_ += concat("  ", array.name, "[", k, "] = 0.0;\n");
  }

  std::vector<std::string> arrays_;
  std::string text_;
};

/// One statement per operation, or loops.
FunctionText text_of(const Schedule& schedule, Workspace workspace) {
  const RecordedFunction& function = *schedule.function;
  const Zeros zeros(function);
  Dialect dialect;
  dialect.leaves_out = [&](const FunctionArray& array, int, bool zero) { return zeros.have(array, zero); };
  FunctionText text;
  if (function.in_loops) {
    text = loops_text(roll(schedule, dialect.leaves_out), dialect, workspace,
                      "sines_and_cosines(angles, sines, cosines);");
  } else {
    text.before = concat("/* ", schedule.operations, " operations. */\n");
    text.body = concat(angles_text(schedule), body_text(schedule, dialect), unread_text(schedule));
  }
  text.body.insert(0, zeros.text());
  return text;
}

std::string header_text(const RecordedFunction& function, const std::string& name, const std::string& model) {
  std::string guard;
  for (const char c : name) guard += static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  std::string sizes;
  const auto size = [&](const FunctionArray& array) {
    if (array.size() > 0)
      sizes += concat(sizes.empty() ? "  " : ",\n  ", name, "_", array.name, "_size = ", array.size());
  };
  for (const FunctionArray& array : function.inputs) size(array);
  for (const FunctionArray& array : function.outputs) size(array);
  return concat(banner(), "#ifndef ", guard, "_H\n#define ", guard,
                "_H\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\nenum {\n", sizes, "\n};\n\n",
                description(function, model), "void ", name, "(",
                arguments_text(function, "const double *", "double *"),
                ");\n\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
}

std::string test_text(const RecordedFunction& function, const std::string& name, const TestVectors& vectors) {
  std::string call, results, checks;
  for (const FunctionArray& array : function.inputs) {
    if (array.size() > 0) call += concat(call.empty() ? "" : ", ", "given_", array.name, "[i]");
  }
  for (const FunctionArray& array : function.outputs) {
    results += concat("  static double ", array.name, "[", array.size(), "];\n");
    call += concat(call.empty() ? "" : ", ", array.name);
    checks += concat("    worst = fmax(worst, distance(", array.name, ", expected_", array.name, "[i], ", array.size(),
                     "));\n");
  }
  const std::string head =
      concat(banner(), "/* ", comment_text(vectors.origin), ". */\n#include \"", name,
             ".h\"\n\n#include <math.h>\n#include <stdio.h>\n\nenum { STATES = ", vectors.inputs.size(), " };\n\n");
  return concat(head, tables_text(function, vectors, "STATES"), R"(
/* How far apart, relative to what is expected; what is not a number is far. */
static double distance(const double *x, const double *expected, int n)
{
  double apart = 0.0, size = 0.0;
  int k;
  for (k = 0; k < n; ++k) {
    apart += (x[k] - expected[k]) * (x[k] - expected[k]);
    size += expected[k] * expected[k];
  }
  if (!(apart >= 0.0)) return 1e300;
  return size > 0.0 ? sqrt(apart / size) : sqrt(apart);
}

int main(void)
{
)",
                results, "  const double tolerance = ", literal(vectors.tolerance), R"(;
  double worst = 0.0;
  int i;
  for (i = 0; i < STATES; ++i) {
    )",
                name, "(", call, ");\n", checks, "  }\n  printf(\"", name,
                R"(: %d states, largest relative error %.3g, allowed %.3g: %s\n", (int)STATES, worst, tolerance,
         worst <= tolerance ? "good" : "BAD");
  return worst <= tolerance ? 0 : 1;
}
)");
}

void add_function(Package& package, const RecordedFunction& function, const TestVectors& vectors,
                  const std::string& name) {
  package.files.push_back({name + ".h", header_text(function, name, package.model)});
  package.files.push_back({name + ".c", concat(banner(), "#include \"", name, ".h\"\n\n", c_source(function, name))});
  package.files.push_back({name + "_test.c", test_text(function, name, vectors)});
}

void add_build(Package& package) {
  add_cmake(package, {.language = "C",
                      .settings = "set(CMAKE_C_STANDARD 99)\nadd_compile_options(-ffp-contract=fast -fno-math-errno)\n",
                      .ending = ".c",
                      .has_sources = true,
                      .library = "m"});
}

}  // namespace

std::string c_source(const RecordedFunction& function, const std::string& name) {
  return c_source(function, name, Workspace::as_compiled);
}

std::string c_source(const RecordedFunction& function, const std::string& name, Workspace workspace) {
  const Schedule schedule = make_schedule(function);
  const int angles = !function.in_loops && are_neighbours(schedule) ? static_cast<int>(schedule.angles.size())
                                                                    : padded_angles(schedule);
  const auto [before, body] = text_of(schedule, workspace);
  return concat("#include <math.h>\n\n", schedule.angles.empty() ? "" : sincos_text(angles), "\n", before, "void ",
                name, "(", arguments_text(function, "const double *restrict ", "double *restrict "), ")\n{\n", body,
                "}\n");
}

const Language c_language{
    .add_function = add_function,
    .add_build = add_build,
    .notes =
        "C99; no allocation, no library but libm; fit for real-time loops.\nFast with `-O3 -march=native "
        "-ffp-contract=fast -fno-math-errno`; never use `-ffast-math`.\n",
    .has_workspace = true};

}  // namespace articula::generate
