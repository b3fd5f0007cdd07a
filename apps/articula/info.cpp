#include "info.h"

#include <cstdio>
#include <string_view>
#include <unordered_map>

#include <fmt/core.h>

#include <articula/formats/load.h>
#include <articula/solve/elastic_inverse_dynamics.h>

#include "command.h"

namespace articula::program {
namespace {

struct Options {
  std::string file;
  ReadOptions read;
  bool json = false, graph = false;
};

/// How drives are computed, and which derivatives torques of their motors depend on.
void describe_drives(Described& described, bool strict) {
  const Built full = articula::build::build_mechanism(described.model, {strict, Drives::elastic});
  const Mechanism& mech = full.mechanism;
  for (const RotorElement& rotor : mech.rotors) {
    DescribedDrive drive{mech.provenance.entities[static_cast<std::size_t>(rotor.entity)].name, "along_joint", "", {}};
    if (rotor.form == RotorForm::exchanged) drive.form = "exchanged";
    if (rotor.body >= 0) {
      drive.form = rotor.spring >= 0 ? "spring" : "body";
      drive.coordinate =
          mech.layout.v[static_cast<std::size_t>(mech.bodies[static_cast<std::size_t>(rotor.body)].v.first)];
    }
    described.drives.push_back(std::move(drive));
  }
  try {
    const ElasticInverseDynamics motors(described.model, {strict, std::nullopt});
    described.q_order = motors.order();
    for (std::size_t d = 0; d < described.drives.size(); ++d) described.drives[d].order = motors.drive_orders()[d];
  } catch (const Error& error) {
    described.no_torques = error.message();
  }
}

/// The description of a model: its graph, and its flat form if there is one.
Described describe(const Options& options, Findings& findings) {
  Described described{load(options.file, &findings, options.read)};
  try {
    described.built = articula::build::build_mechanism(described.model, {options.read.strict});
    findings.insert(findings.end(), described.built->findings.begin(), described.built->findings.end());
    if (!described.built->mechanism.rotors.empty()) describe_drives(described, options.read.strict);
  } catch (const Error& error) {
    Findings errors = error.errors();
    for (Finding& e : errors) {
      if (e.code != "not-computable") throw;
      e.severity = Severity::note;
    }
    findings.insert(findings.end(), errors.begin(), errors.end());
  }
  return described;
}

void run(const Options& options) {
  Findings findings;
  const Described described = describe(options, findings);
  tell(findings);
  const std::string text = options.graph  ? dot_text(described.model)
                           : options.json ? json_text(described)
                                          : plain_text(described);
  put(text, Then::end);
}

}  // namespace

std::vector<std::size_t> loop_lengths(const Built& built) {
  const Mechanism& mech = built.mechanism;
  // Cut joints come first among the loops, then rods; within each group names are unique.
  std::size_t cut_joints = 0;
  std::unordered_map<std::string_view, const Constraint*> joints, rods;
  for (const Constraint& constraint : mech.constraints) {
    const bool cut = constraint.kind == Constraint::Kind::cut_joint;
    if (!cut && constraint.kind != Constraint::Kind::rod) continue;
    cut_joints += cut ? 1 : 0;
    (cut ? joints : rods)
        .emplace(mech.provenance.entities[static_cast<std::size_t>(constraint.entity)].name, &constraint);
  }
  const auto body_at = [&](int frame) { return frame < 0 ? 0 : mech.frames[static_cast<std::size_t>(frame)].body; };
  std::vector<std::size_t> lengths;
  for (std::size_t k = 0; k < built.loops.size(); ++k) {
    const auto& among = k < cut_joints ? joints : rods;
    const auto found = among.find(built.loops[k].cut);
    std::size_t length = 1;
    int a = found == among.end() ? 0 : body_at(found->second->frame_F);
    int b = found == among.end() ? 0 : body_at(found->second->frame_M);
    for (; a != b; ++length) {
      int& lower = a > b ? a : b;
      lower = mech.bodies[static_cast<std::size_t>(lower)].parent;
    }
    lengths.push_back(length);
  }
  return lengths;
}

void add_info(const Command& app, int&) {
  auto options = std::make_shared<Options>();
  const Command command =
      app.add("info", "Describe a model: bodies, joints, degrees of freedom, mass, loops, what was rewritten");
  command.text("FILE", options->file, "The model: native YAML or URDF").required();
  add_read_options(command, options->read);
  const Argument json = command.flag("--json", options->json, "Print as JSON");
  command.flag("--graph", options->graph, "Print the graph of entities and connections as DOT, for Graphviz")
      .excludes(json);
  command.runs([options] { run(*options); });
}

}  // namespace articula::program
