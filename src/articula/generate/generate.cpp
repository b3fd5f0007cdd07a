#include <articula/generate/generate.h>

#include <articula/base/error.h>
#include <articula/base/text.h>
#include <articula/generate/internal/c_text.h>
#include <articula/generate/internal/names.h>
#include <articula/generate/internal/package_text.h>

namespace articula {
namespace {

/// Long straight lines fit no cache and take compilers long.
void require_size(const RecordedFunction& function, const Mechanism& mech, int most) {
  const int operations = make_schedule(function).operations;
  if (operations <= most) return;
  throw Error("generate-too-large", {},
              concat(function.name, " of ", quoted(mech.name), " takes ", operations,
                     " operations in a straight line, of ", "which ", most,
                     " are allowed: such code fits no cache and takes compilers very long. Run it as "
                     "\"flat\", whose loops do not grow with the mechanism."));
}

}  // namespace

std::vector<GeneratedFile> generate(const Model& model, const GenerateOptions& options) {
  const Built built = build(model);
  const std::string prefix = identifier(options.prefix.empty() ? built.mechanism.name : options.prefix);
  Package package{options, built.mechanism.name, prefix, {}, {}};
  RecordOptions how = options.record;
  how.most_operations = std::min(how.most_operations, 4 * options.most_operations);
  for (const Algorithm algorithm : options.algorithms) {
    RecordedFunction function = record(algorithm, built, how);
    require_size(function, built.mechanism, options.most_operations);
    const TestVectors vectors = make_test_vectors(algorithm, model, built, how, function, options.test_states);
    add_function(package, function, vectors);
  }
  add_readme_and_build(package);
  return std::move(package.files);
}

}  // namespace articula
