#include <articula/build/build.h>

#include <articula/base/findings.h>
#include <articula/base/text.h>
#include <articula/build/flatten.h>
#include <articula/build/lower.h>
#include <articula/build/merge_rigid.h>
#include <articula/build/not_computed.h>
#include <articula/build/rotors.h>
#include <articula/build/singular_joints.h>
#include <articula/build/snap_rotations.h>
#include <articula/build/stages.h>

namespace articula::build {
namespace {

void append(std::vector<Explanation>& all, const std::vector<Explanation>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

/// A model that is owned elsewhere.
std::shared_ptr<const Model> borrowed(const Model& model) { return {std::shared_ptr<const Model>(), &model}; }

/// Stores the result of a rewrite and its explanation.
std::shared_ptr<const Model> taken(Rewritten&& rewritten, Prepared& prepared) {
  append(prepared.explanations, rewritten.explanations);
  prepared.moved = std::move(rewritten.moved);
  return std::make_shared<Model>(std::move(rewritten.model));
}

/// The stages up to the merged model. Throws as soon as a stage has errors, since later stages depend on it.
Prepared prepare(const Model& model, const BuildOptions& options, Findings& findings) {
  Prepared prepared;
  prepared.flat = model.parts().empty() ? borrowed(model) : taken(flatten(model), prepared);
  check_properties(*prepared.flat, findings);
  if (has_rotations_to_snap(*prepared.flat)) prepared.flat = taken(snap_rotations(*prepared.flat), prepared);
  prepared.merged = std::make_unique<ModelGraph>(prepared.flat, findings);
  check_structure(*prepared.flat, prepared.merged->graph, findings);
  throw_if_errors(findings);
  if (!is_merged(*prepared.flat, prepared.merged->groups)) {
    prepared.rigid = std::move(prepared.merged);
    Merged merged = merge_rigid(*prepared.flat, prepared.rigid->graph, prepared.rigid->groups);
    prepared.origin = std::move(merged.origin);
    prepared.merged = std::make_unique<ModelGraph>(taken(std::move(merged), prepared), findings);
  }
  check_physics(*prepared.flat, *prepared.merged->model, options, findings);
  return prepared;
}

/// A cut joint is a constraint, which has no coordinate that damping, friction or limits could act on.
void warn_of_lost_properties(const Entity& cut, Findings& findings) {
  const auto* joint = std::get_if<Joint>(&cut.kind);
  if (joint == nullptr) return;
  std::vector<std::string> lost;
  if (joint->damping != 0) lost.emplace_back("damping");
  if (joint->friction != 0) lost.emplace_back("friction");
  if (!joint->limits.empty()) lost.emplace_back("limits");
  if (lost.empty()) return;
  add_finding(findings, {Severity::warning, "cut-joint-loses", cut.where,
                         concat(to_text(cut), " is where its loop is cut, so that its ", list_of(lost),
                                " cannot act. To keep them, let another joint of the loop close it.")});
}

/// The last stages: tree and loops, then flat arrays.
Built finish(Prepared& prepared, Drives drives, Findings& findings) {
  const Model& merged = *prepared.merged->model;
  prepared.forest = make_spanning_forest(merged, prepared.merged->graph, prepared.merged->groups, findings);
  throw_if_errors(findings);
  for (const SpanningForest::Loop& loop : prepared.forest.loops) {
    warn_of_lost_properties(merged.entities()[static_cast<std::size_t>(loop.cut)], findings);
  }
  prepared.rotors = plan_rotors(merged, prepared.merged->graph, prepared.merged->groups, drives);
  add_rotor_branches(prepared.rotors, prepared.forest);
  Built built;
  Lowered lowered = lower(prepared, drives);
  built.mechanism = std::move(lowered.mechanism);
  built.parameters = std::move(lowered.parameters);
  warn_of_light_carriers(*prepared.flat, built.mechanism, built.parameters, findings);
  const auto name = [&](int e) { return merged.entities()[static_cast<std::size_t>(e)].name; };
  for (const SpanningForest::Loop& loop : prepared.forest.loops) {
    LoopInfo info{name(loop.cut), {}};
    for (const int e : loop.joints) info.joints.push_back(name(e));
    built.explanations.push_back(
        {"cut",
         concat("the loop of ", list_of(info.joints),
                info.joints.size() < loop.length ? concat(" and ", loop.length - info.joints.size(), " more") : "",
                " is cut at ", quoted(info.cut))});
    built.loops.push_back(std::move(info));
  }
  for (const RotorPlan& rotor : prepared.rotors) {
    if (rotor.form == RotorForm::body)
      built.explanations.push_back({"split", concat("the rotor of ", quoted(name(rotor.entity)),
                                                    " is a body of its own, which its carrier holds by a joint")});
  }
  return built;
}

}  // namespace

Built build_mechanism(const Model& model, const BuildOptions& options, Prepared& prepared) {
  Findings findings;
  prepared = prepare(model, options, findings);
  Built built = finish(prepared, options.drives.value_or(Drives::locked), findings);
  append(prepared.explanations, built.explanations);
  built.explanations = std::move(prepared.explanations);
  built.findings = std::move(findings);
  return built;
}

Built build_mechanism(const Model& model, const BuildOptions& options) {
  Prepared prepared;
  return build_mechanism(model, options, prepared);
}

Findings check(const Model& model, const CheckOptions& options) {
  Findings findings;
  try {
    Prepared prepared = prepare(model, options, findings);
    const Built built = finish(prepared, options.drives.value_or(Drives::elastic), findings);
    for (const std::string& joint :
         find_singular_joints(built.mechanism, built.parameters, built.parameters.q_start, built.mechanism.roles)) {
      const Entity* const owner = prepared.flat->find(joint, Family::joint);
      add_finding(findings, {Severity::warning, "joint-inertia-singular", owner == nullptr ? Where{} : owner->where,
                             singular_joint_message(joint)});
    }
    const Findings unused = find_unused(*prepared.flat, built.mechanism);
    add_findings(findings, unused);
  } catch (const Error& error) {
    // Findings of earlier stages are kept; `error` repeats those of the stage that failed.
    std::erase_if(findings, [](const Finding& f) { return f.severity == Severity::error; });
    add_findings(findings, error.errors());
    // An entity that is not computed yet is still a valid description.
    for (Finding& f : findings) {
      if (f.code == "not-computable") f.severity = Severity::note;
    }
  }
  return findings;
}

void require_regular_joints(const Built& built, std::span<const double> q) {
  const auto joints = find_singular_joints(built.mechanism, built.parameters, q, built.mechanism.roles);
  if (!joints.empty()) throw Error("joint-inertia-singular", {}, singular_joint_message(joints.front()));
}

}  // namespace articula::build
