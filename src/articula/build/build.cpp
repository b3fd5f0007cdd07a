#include <articula/build/build.h>

#include <articula/base/text.h>
#include <articula/build/flatten.h>
#include <articula/build/lower.h>
#include <articula/build/merge_rigid.h>
#include <articula/build/singular_joints.h>

namespace articula {
namespace {

void append(std::vector<Explanation>& all, const std::vector<Explanation>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

/// The stages up to the merged model. Throws as soon as a stage has errors, since the next stands on it.
Prepared prepare(const Model& model, const BuildOptions& options, Findings& findings) {
  Prepared prepared;
  Rewritten flat = flatten(model);
  append(prepared.explanations, flat.explanations);
  check_properties(flat.model, findings);
  check_structure(flat.model, findings);
  throw_if_errors(findings);
  Rewritten exact = options.snap > 0 ? snap_rotations(flat.model, options.snap) : std::move(flat);
  if (options.snap > 0) append(prepared.explanations, exact.explanations);
  prepared.flat = std::move(exact.model);
  prepared.merged = merge_rigid(prepared.flat);
  append(prepared.explanations, prepared.merged.explanations);
  check_physics(prepared.flat, prepared.merged.model, options, findings);
  return prepared;
}

/// The last stages: tree and loops, then flat arrays.
Built finish(Prepared& prepared, Findings& findings) {
  const MergedGraph graph(prepared.merged.model, findings);
  prepared.forest = make_spanning_forest(graph.model, graph.graph, graph.groups, findings);
  throw_if_errors(findings);
  Built built;
  Lowered lowered = lower(prepared, graph);
  built.mechanism = std::move(lowered.mechanism);
  built.parameters = std::move(lowered.parameters);
  const auto name = [&](int e) { return graph.model.entities()[static_cast<std::size_t>(e)].name; };
  for (const SpanningForest::Loop& loop : prepared.forest.loops) {
    LoopInfo info{name(loop.cut), {}};
    for (const int e : loop.joints) info.joints.push_back(name(e));
    built.explanations.push_back({"cut", concat("the loop of ", list_of(info.joints), " is cut at ", quoted(info.cut))});
    built.loops.push_back(std::move(info));
  }
  return built;
}

}  // namespace

Built build(const Model& model, const BuildOptions& options) {
  Findings findings;
  Prepared prepared = prepare(model, options, findings);
  Built built = finish(prepared, findings);
  append(prepared.explanations, built.explanations);
  built.explanations = std::move(prepared.explanations);
  built.findings = std::move(findings);
  return built;
}

Findings check(const Model& model, const CheckOptions& options) {
  Findings findings;
  try {
    Prepared prepared = prepare(model, {options}, findings);
    const Built built = finish(prepared, findings);
    for (const std::string& joint : find_singular_joints(built.mechanism, built.parameters, built.parameters.q_start)) {
      findings.push_back({Severity::warning, "joint-inertia-singular", {}, singular_joint_message(joint)});
    }
  } catch (const Error& error) {
    // What was found before the stage that gave up stays; `error` repeats those that made it do so.
    std::erase_if(findings, [](const Finding& f) { return f.severity == Severity::error; });
    findings.insert(findings.end(), error.errors().begin(), error.errors().end());
    // An entity that cannot be computed with yet is still a good description.
    for (Finding& f : findings) {
      if (f.code == "not-computable") f.severity = Severity::note;
    }
  }
  return findings;
}

void require_regular_joints(const Built& built, std::span<const double> q) {
  const auto joints = find_singular_joints(built.mechanism, built.parameters, q);
  if (!joints.empty()) throw Error("joint-inertia-singular", {}, singular_joint_message(joints.front()));
}

}  // namespace articula
