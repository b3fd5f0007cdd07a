#include <articula/base/text.h>
#include <articula/generate/internal/lanes_text.h>
#include <articula/generate/internal/names.h>
#include <articula/generate/internal/package_text.h>

namespace articula {
namespace {

std::string test_call(const RecordedFunction& function, const std::string& space, const std::string& name) {
  std::string call;
  for (const FunctionArray& array : function.inputs) {
    if (array.size() > 0) call += concat(call.empty() ? "" : ", ", array.name);
  }
  for (const FunctionArray& array : function.outputs) call += concat(call.empty() ? "" : ", ", array.name);
  return concat(space, "::", name, "(", call, ")");
}

}  // namespace

bool below_diagonal_or_zero(const FunctionArray& array, int k, bool zero) {
  if (zero) return true;
  if (!array.symmetric) return false;
  int n = 0;
  while (n * n < array.size()) ++n;
  return k % n < k / n;
}

std::string cpp_header(const RecordedFunction& function, const std::string& name, const std::string& model,
                       bool single) {
  const FunctionText text = lanes_function_text(function, Workspace::as_compiled);
  constexpr std::string_view left_out =
      "/* Results that are always zero, and those of symmetric matrices below the diagonal, are not written. */\n";
  return concat(banner(), "#pragma once\n\n#include <math.h>\n\nnamespace ", name, "_lanes {\n\n",
                lanes_prelude_text(single, text), "\n", text.before, description(function, model), left_out,
                "inline void ", name, "(", arguments_text(function, "const pack *__restrict ", "pack *__restrict "),
                ")\n{\n", text.body, "}\n\n}\n");
}

/// All test states in the lanes of packs, one after another, and a time per state.
std::string cpp_test(const RecordedFunction& function, const std::string& name, const TestVectors& vectors,
                     bool single) {
  const std::string space = name + "_lanes";
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
      tables_text(function, vectors), arrays, lanes_distance_text(),
      "\nint main()\n{\n  const double tolerance = ", literal(single ? vectors.single_tolerance : vectors.tolerance),
      ";\n  double worst = 0.0;\n  for (int first = 0; first < STATES; ++first) {\n"
      "   for (int l = 0; l < lanes; ++l) {\n",
      fill, "   }\n   ", test_call(function, space, name), ";\n   for (int l = 0; l < lanes; ++l) {\n", check,
      "   }\n  }\n", lanes_timing_text(test_call(function, space, name), name));
}

void add_cpp_function(Package& package, const RecordedFunction& function, const TestVectors& vectors,
                      const std::string& name) {
  const bool single = package.options.single;
  package.files.push_back({name + "_lanes.h", cpp_header(function, name, package.model, single)});
  package.files.push_back({name + "_test.cpp", cpp_test(function, name, vectors, single)});
}

}  // namespace articula
