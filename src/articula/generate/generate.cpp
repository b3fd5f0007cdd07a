#include <articula/generate/generate.h>

#include <articula/base/error.h>
#include <articula/base/text.h>
#include <articula/generate/internal/function_text.h>
#include <articula/generate/internal/language.h>
#include <articula/generate/internal/names.h>
#include <articula/generate/internal/rolled.h>

namespace articula::generate {
namespace {

/// Long code exceeds the instruction cache and takes long to compile.
void require_size(const RecordedFunction& function, const Mechanism& mech, const GenerateOptions& options) {
  if (!function.in_loops) return;
  const Schedule schedule = make_schedule(function);
  const int operations = roll(schedule).operations;
  if (operations <= options.most_operations) return;
  throw Error("generate-too-large", {},
              concat(function.name, " of ", quoted(mech.name), " takes ", schedule.operations,
                     " operations; what repeats written once, ", operations, " are left, and ", options.most_operations,
                     " are allowed: longer code takes compilers very long. Run it as \"flat\", whose loops do not grow "
                     "with the mechanism."));
}

/// The mechanism with its drives locked, and in `how` those drives.
Built with_chain(const Model& model, const GenerateOptions& options, RecordOptions& how) {
  if (options.target != Target::c) {
    throw Error("generate-not-available", {},
                concat("elastic_inverse_dynamics of ", quoted(model.name),
                       " is generated as C only. Take away --target, or ask for it in a run of its own."));
  }
  const auto built_with = [&](Drives drives) {
    BuildOptions build = options.build;
    build.drives = drives;
    return build_mechanism(model, build);
  };
  const bool rigid = options.build.drives == Drives::rigid;
  Built locked = built_with(Drives::locked);
  computable({.algorithm = Algorithm::elastic_inverse_dynamics,
              .run_as = RunAs::generated,
              .who = name_of(Algorithm::elastic_inverse_dynamics)},
             locked.mechanism);
  const Built full = built_with(Drives::elastic);
  how.chain = std::make_shared<const drives::ElasticChain>(locked.mechanism, locked.parameters, full.mechanism,
                                                           full.parameters, rigid);
  return locked;
}

/// Adds the origin below the banner of every source.
void name_origin(const std::string& origin, std::vector<GeneratedFile>& files) {
  if (origin.empty()) return;
  std::string comment = "/* ";
  for (const char c : origin) {
    const bool ends = c == '/' && comment.back() == '*';  // prevents the text from ending the comment
    comment += concat(ends ? " " : "", c, c == '\n' ? "   " : "");
  }
  comment += " */\n";
  for (GeneratedFile& file : files) {
    if (file.text.starts_with(banner())) file.text.insert(banner().size(), comment);
  }
}

}  // namespace

std::vector<GeneratedFile> generate_code(const Model& model, const GenerateOptions& options) {
  if (options.single && !language_of(options.target).many_states) {
    throw Error("generate-not-available", {},
                concat("code in ", all_targets[static_cast<std::size_t>(options.target)].title,
                       " computes in double precision. Take away --single, or choose C++ on lanes."));
  }
  const Built built = build_mechanism(model, options.build);
  const std::string prefix = identifier(options.prefix.empty() ? built.mechanism.name : options.prefix);
  Package package{options, built.mechanism.name, prefix, {}, {}, {}};
  RecordOptions how = options.record;
  const Language& language = language_of(options.target);
  how.many_states = language.many_states;
  for (const Algorithm algorithm : options.algorithms) {
    const bool elastic = algorithm == Algorithm::elastic_inverse_dynamics;
    std::optional<Built> locked;  // by which elastic drives are computed
    if (elastic) locked = with_chain(model, options, how);
    const Built& of = locked ? *locked : built;
    RecordedFunction function = record(algorithm, of, how);
    require_size(function, of.mechanism, options);
    const TestVectors vectors = elastic ? make_elastic_vectors(of, how, function, options.test_states)
                                        : make_test_vectors(algorithm, model, of, how, function, options.test_states);
    const std::string name = concat(prefix, "_", function.name);
    package.functions.push_back(name);
    if (function.in_loops) package.in_loops.push_back(name);
    language.add_function(package, function, vectors, name);
  }
  add_readme_and_build(package);
  name_origin(options.origin, package.files);
  return std::move(package.files);
}

}  // namespace articula::generate
