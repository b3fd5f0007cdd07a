#include <articula/base/text.h>
#include <articula/generate/internal/c_text.h>
#include <articula/generate/internal/names.h>

namespace articula {

std::string numbers_text(const std::vector<double>& numbers) {
  std::string text, line = "   ";
  for (const double x : numbers) {
    const std::string number = concat(" ", literal(x), ",");
    if (line.size() + number.size() > 110) {
      text += line + "\n";
      line = "   ";
    }
    line += number;
  }
  return text + line + "\n";
}

/// All states of one array, one after another.
static std::string table(const std::string& name, const std::vector<std::vector<std::vector<double>>>& states,
                         std::size_t array) {
  std::string text = concat("static const double ", name, "[STATES][", states[0][array].size(), "] = {\n");
  for (const auto& state : states) text += concat("  {\n", numbers_text(state[array]), "  },\n");
  return text + "};\n";
}

std::string c_test(const RecordedFunction& function, const std::string& name, const TestVectors& vectors) {
  std::string text =
      concat(banner(), "/* ", comment_text(vectors.origin), ". */\n#include \"", name,
             ".h\"\n\n#include <math.h>\n#include <stdio.h>\n\nenum { STATES = ", vectors.inputs.size(), " };\n\n");
  std::string call, results, checks;
  for (std::size_t a = 0; a < function.inputs.size(); ++a) {
    const FunctionArray& array = function.inputs[a];
    if (array.size() == 0) continue;
    text += table("given_" + array.name, vectors.inputs, a);
    call += concat(call.empty() ? "" : ", ", "given_", array.name, "[i]");
  }
  for (std::size_t a = 0; a < function.outputs.size(); ++a) {
    const FunctionArray& array = function.outputs[a];
    text += table("expected_" + array.name, vectors.expected, a);
    results += concat("  static double ", array.name, "[", array.size(), "];\n");
    call += concat(call.empty() ? "" : ", ", array.name);
    checks += concat("    worst = fmax(worst, distance(", array.name, ", expected_", array.name, "[i], ", array.size(),
                     "));\n");
  }
  return concat(text, R"(
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

}  // namespace articula
