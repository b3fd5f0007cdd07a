#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>

#include <fmt/core.h>

#include <articula/base/sha256.h>
#include <articula/base/text.h>
#include <articula/formats/load.h>
#include <articula/generate/generate.h>

#include "command.h"
#include "input.h"

namespace articula::program {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string model, out, command;
  std::vector<std::string> algorithms, frames;
  ReadOptions read;
  GenerateOptions generate;
};

/// `hand` or `hand.tip`; names may hold dots, so that the model decides which one is meant.
PortRef frame_of(const Mechanism& mech, const std::string& text) {
  for (const FlatFrame& frame : mech.frames) {
    if (to_text(frame.name) == text) return frame.name;
  }
  const std::size_t dot = text.rfind('.');
  const PortRef asked =
      dot == std::string::npos ? PortRef{text, ""} : PortRef{text.substr(0, dot), text.substr(dot + 1)};
  mech.frame(asked);  // throws, naming the choices
  return asked;
}

/// A file appears whole or not at all.
void write_file(const fs::path& path, const std::string& text) {
  const fs::path passing = path.string() + ".part";
  std::ofstream file(passing, std::ios::binary);
  file << text;
  file.close();
  std::error_code trouble;
  if (file) fs::rename(passing, path, trouble);
  if (!file || trouble) {
    std::error_code ignored;
    fs::remove(passing, ignored);
    throw Error("file-unwritable", {path.string(), 0},
                "it cannot be written: no permission, no space, or a folder of that name. Name another folder.");
  }
}

void run(Options options) {
  for (const std::string& list : options.algorithms) {
    for (std::size_t first = 0; first <= list.size();) {
      const std::size_t comma = std::min(list.find(',', first), list.size());
      options.generate.algorithms.push_back(algorithm_of(list.substr(first, comma - first)));
      first = comma + 1;
    }
  }
  Findings findings;
  const Model model = load(options.model, &findings, options.read);
  options.generate.build.strict = options.read.strict;
  options.generate.origin = concat("Model: ", quoted(model.name), " of ", options.model, ", SHA-256 ",
                                   sha256_text(read_input(options.model)), "\nCommand: ", options.command);
  const Built built = build(model, options.generate.build);
  findings.insert(findings.end(), built.findings.begin(), built.findings.end());
  tell(findings);
  for (const std::string& frame : options.frames) {
    options.generate.record.frames.push_back(frame_of(built.mechanism, frame));
  }
  const std::vector<GeneratedFile> files = generate(model, options.generate);
  std::error_code trouble;
  fs::create_directories(options.out, trouble);
  for (const GeneratedFile& file : files) write_file(fs::path(options.out) / file.name, file.text);
  say("wrote {} files to {}; its README.md says how to use and test them\n", files.size(), options.out);
}

}  // namespace

void add_generate(CLI::App& app, int&) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("generate", "Write C for a controller, C++ on SIMD lanes, or CUDA, with a test of its own");
  command->add_option("MODEL", options->model, "The model: native YAML or URDF")->required();
  std::string known;
  for (const std::string& name : algorithm_names()) known += (known.empty() ? "" : ", ") + name;
  command->add_option("--algorithm", options->algorithms, "Comma separated: " + known)
      ->required()
      ->allow_extra_args(false)
      ->option_text("LIST");
  const std::map<std::string, Target> targets{{"c", Target::c}, {"cpp", Target::cpp}, {"cuda", Target::cuda}};
  command->add_option("--target", options->generate.target, "C99 (default), C++ on lanes, or CUDA")
      ->transform(CLI::CheckedTransformer(targets).description(""))
      ->option_text("c|cpp|cuda");
  command->add_option("-o,--output", options->out, "The folder to write to, made if it is not there")
      ->required()
      ->option_text("DIR");
  command
      ->add_option(
          "--frame", options->frames,
          "A frame, by body or body.port: of a Jacobian, or of kinematics and motions (may be given more than once)")
      ->allow_extra_args(false)
      ->option_text("NAME");
  const std::map<std::string, JacobianFrame> axes{{"local", JacobianFrame::local},
                                                  {"world", JacobianFrame::world},
                                                  {"local_world_aligned", JacobianFrame::local_world_aligned}};
  command->add_option("--in", options->generate.record.jacobian_frame, "The frame that a Jacobian is expressed in")
      ->transform(CLI::CheckedTransformer(axes).description(""))
      ->option_text("local|world|local_world_aligned");
  command
      ->add_option("--symbolic", options->generate.record.symbolic,
                   "What stays an argument: gravity, a body, or body.mass, body.com, body.inertia (more than once)")
      ->allow_extra_args(false)
      ->option_text("NAME");
  command->add_option("--prefix", options->generate.prefix, "What all names begin with; the model's name if not given")
      ->option_text("NAME");
  command->add_flag("--single", options->generate.single, "float instead of double, on lanes; CUDA code takes both");
  add_read_options(*command, options->read);
  command->footer("docs/generate.md tells what the code does and how to use it in a controller.");
  command->callback([options] {
    options->command = command_line();
    run(*options);
  });
}

}  // namespace articula::program
