#include <articula/build/refresh.h>

#include <algorithm>

#include <articula/base/index.h>
#include <articula/base/text.h>
#include <articula/build/builder_counts.h>
#include <articula/build/coupled_shafts.h>
#include <articula/build/flatten.h>
#include <articula/build/lower_numbers.h>
#include <articula/build/merge_rigid.h>
#include <articula/build/renumber.h>
#include <articula/build/snap_rotations.h>
#include <articula/build/stages.h>

namespace articula::build {
namespace {

[[noreturn]] void refuse(const Where& where, const std::string& what) {
  throw Error(
      "structure-changed", where,
      concat(what, " A refresh takes other numbers of the same structure; use reconfigure for another structure."));
}

std::string called(const Entity& entity, const std::string& path) {
  return concat(kind_name(entity.kind), " ", quoted(path.empty() ? entity.name : concat(path, "/", entity.name)));
}

std::string text_of(const Connection& connection) {
  std::vector<std::string> names;
  for (const PortRef& ref : connection.ports) names.push_back(to_text(ref));
  return concat("the connection of ", list_of(names));
}

/// Throws at the first element that is not what it was. `text` says what it is, `same` whether it still is.
template <class Items, class Same, class Text, class Place>
void require_same(const Items& then, const Items& now, const Same& same, const Text& text, const Place& where) {
  const auto [old, other] = std::mismatch(then.begin(), then.end(), now.begin(), now.end(), same);
  if (old == then.end() && other == now.end()) return;
  if (old == then.end()) refuse(where(*other), concat(text(*other), " is new."));
  if (other == now.end()) refuse(where(*old), concat(text(*old), " is gone."));
  refuse(where(*other), concat(text(*other), " stands where ", text(*old), " was."));
}

/// Entities, parts and connections of one assembly, without those of its parts.
void require_same_structure(const Assembly& then, const Assembly& now, const std::string& path) {
  const auto where = [](const auto& item) { return item.where; };
  require_same(
      then.entities(), now.entities(),
      [](const Entity& a, const Entity& b) { return a.name == b.name && a.kind.index() == b.kind.index(); },
      [&](const Entity& entity) { return called(entity, path); }, where);
  for (std::size_t e = 0; e < then.entities().size(); ++e) {
    const Entity& entity = now.entities()[e];
    const std::string_view property = structural_difference(then.entities()[e].kind, entity.kind);
    if (!property.empty()) refuse(entity.where, concat(called(entity, path), ": its `", property, "` is another."));
  }
  require_same(
      then.parts(), now.parts(), [](const Part& a, const Part& b) { return a.name == b.name; },
      [&](const Part& part) {
        return concat("part ", quoted(path.empty() ? part.name : concat(path, "/", part.name)));
      },
      where);
  require_same(then.connections(), now.connections(), std::equal_to<>(), text_of, where);
}

/// `uniform`, or the name of a field.
std::string_view name_of(const Gravity& gravity) {
  return std::visit(
      []<class Kind>(const Kind&) -> std::string_view {
        if constexpr (std::is_same_v<Kind, UniformGravity>) {
          return "uniform";
        } else {
          return Kind::name;
        }
      },
      gravity);
}

/// A memory pool that is released as a whole. If it is exhausted, memory comes from the heap, and the pool is enlarged
/// for the next use.
class Arena : public std::pmr::memory_resource {
 public:
  void clear() {
    if (wanted_ > room_.size()) room_.resize(2 * wanted_);
    used_ = wanted_ = 0;
  }

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    const std::size_t size = (bytes + granule - 1) / granule * granule;
    wanted_ += size;
    if (alignment > granule || used_ + size > room_.size()) {
      return std::pmr::new_delete_resource()->allocate(bytes, alignment);
    }
    used_ += size;
    return room_.data() + used_ - size;
  }
  void do_deallocate(void* p, std::size_t bytes, std::size_t alignment) override {
    const auto* first = static_cast<std::byte*>(p);
    if (!std::less<>()(first, room_.data()) && std::less<>()(first, room_.data() + room_.size())) return;
    std::pmr::new_delete_resource()->deallocate(p, bytes, alignment);
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

  static constexpr std::size_t granule = alignof(std::max_align_t);
  std::vector<std::byte> room_;
  std::size_t used_ = 0, wanted_ = 0;
};

}  // namespace

/// What every stage of building left behind, each with its numbers to be written again: the flat model from the
/// user's, the merged model from the flat one, the parameters from both.
struct Refresher::Stages {
  /// Where an entity of the flat model is in the user's.
  struct Source {
    int assembly, entity;
  };

  Stages(const Model& like, const BuildOptions& build_options)
      : options(build_options),
        model(like),
        places(assemblies_of(model)),
        built(build_mechanism(model, options, prepared)),
        next(built.parameters),
        numbers(prepared, built.mechanism, next) {
    find_sources();
    for (const ModelGraph* of : {prepared.rigid.get(), prepared.merged.get()}) {
      if (of != nullptr) reserve(ours(*of->model));
    }
    dependent = solve_couplings(*prepared.flat, built.mechanism, next).dependent;
    // Once through, so that all room there is to take is taken.
    read(model);
    write(false);
    arena.clear();
  }

  void refresh(const Model& changed, Parameters<double>& par, bool exactly) {
    read(changed);
    write(exactly);
    par = next;
    detail::count_refresh();
  }

  void find_sources() {
    locate_assemblies(model, places, assemblies);
    sources.resize(prepared.flat->entities().size());
    for (std::size_t k = 0; k < assemblies.size(); ++k) {
      const auto& entities = assemblies[k]->entities();
      for (std::size_t e = 0; e < entities.size(); ++e) {
        const std::string name = k == 0 ? entities[e].name : concat(places[k].path, "/", entities[e].name);
        const Entity* flat = prepared.flat->find(name, family_of(entities[e].kind));
        sources[static_cast<std::size_t>(flat - prepared.flat->entities().data())] = {static_cast<int>(k),
                                                                                      static_cast<int>(e)};
      }
    }
  }

  /// The models that were made for building, or the copy of the model: none is used elsewhere.
  static Model& ours(const Model& made) { return const_cast<Model&>(made); }

  static void reserve(Model& made) {
    for (int e = 0; e < static_cast<int>(made.entities().size()); ++e) reserve_lists(kind_of(made, e));
  }

  void require_structure_of(const Model& changed) {
    if (changed.environment.gravity.index() != model.environment.gravity.index()) {
      refuse({}, concat("environment: gravity was ", name_of(model.environment.gravity), " and is ",
                        name_of(changed.environment.gravity), " now."));
    }
    if (changed.exterior != model.exterior) refuse({}, "exterior: other joints or frames are named.");
    // An assembly is looked into before its parts are: they are in place when theirs comes.
    locate_assemblies(model, places, assemblies);
    others.assign(1, &changed);
    for (std::size_t k = 0; k < places.size(); ++k) {
      if (k > 0) others.push_back(&others[at(places[k].parent)]->parts()[at(places[k].part)].assembly);
      require_same_structure(*assemblies[k], *others[k], places[k].path);
    }
  }

  /// The flat model and the merged one, with the numbers of `changed`.
  void read(const Model& changed) {
    require_structure_of(changed);
    Findings findings;
    Model& flat = ours(*prepared.flat);
    flat.environment = changed.environment;
    flat.imported = changed.imported;
    flat.snap = changed.snap;
    for (int e = 0; e < static_cast<int>(sources.size()); ++e) {
      const auto [assembly, entity] = sources[at(e)];
      copy_numbers(others[at(assembly)]->entities()[at(entity)].kind, kind_of(flat, e));
    }
    check_properties(flat, findings);
    if (changed.snap > 0) {
      for (int e = 0; e < static_cast<int>(sources.size()); ++e) snap_rotations_of(kind_of(flat, e), changed.snap);
    }
    ModelGraph& merged = *prepared.merged;
    ModelGraph& rigid = prepared.rigid == nullptr ? merged : *prepared.rigid;
    place_rigid_groups(flat, rigid.groups, findings);
    refuse_as_build_does(changed, findings);
    if (&rigid != &merged) {
      renumber_merged(flat, rigid.graph, rigid.groups, prepared.origin, ours(*merged.model));
      place_rigid_groups(*merged.model, merged.groups, findings);
    }
    check_physics(flat, *merged.model, options, findings, Severity::error);
    refuse_as_build_does(changed, findings);
  }

  /// The builder says it, with all that it finds and where.
  void refuse_as_build_does(const Model& changed, const Findings& findings) const {
    if (findings.empty()) return;
    build_mechanism(changed, options);
    throw_if_errors(findings);
  }

  /// The parameters, from the flat model and the merged one.
  /// @param exactly whether general axes must stay general
  void write(bool exactly) {
    numbers.write([&](int i, const Pose<double>& X_PF) { require_form(i, X_PF, exactly); });
    if (next.couplings.empty()) return;
    arena.clear();
    const SolvedCouplings solved = solve_couplings(*prepared.flat, built.mechanism, next, &arena);
    const std::pmr::vector<bool>& now = solved.dependent;
    const auto other = std::mismatch(now.begin(), now.end(), dependent.begin()).first;
    if (other == now.end()) return write_closures(solved, built.mechanism, next);
    refuse({}, concat("gears: with these ratios, other shafts follow from the rest than before, among them ",
                      quoted(built.mechanism.layout.v[static_cast<std::size_t>(other - now.begin())]), "."));
  }

  void require_form(int i, const Pose<double>& X_PF, bool exactly) const {
    constexpr std::string_view letters = "xyz";
    const Body& body = built.mechanism.bodies[at(i)];
    const bool general = body.axis == AxisForm::general;
    if ((general && !exactly) || find_form(body.joint, X_PF).axis == body.axis) return;
    const Vec3<double> axis = X_PF.R.m.column(2);
    const std::string was = general ? "no coordinate axis"
                                    : concat("the coordinate axis ", letters[static_cast<std::size_t>(body.axis) % 3]);
    refuse(changed_entity(body.entity).where,
           concat(to_text(prepared.flat->entities()[at(body.entity)]), ": its axis was ", was,
                  " of the body before it, and is (", axis.x, ", ", axis.y, ", ", axis.z, ") there now."));
  }
  const Entity& changed_entity(int e) const {
    return others[at(sources[at(e)].assembly)]->entities()[at(sources[at(e)].entity)];
  }

  BuildOptions options;
  Model model;                                      ///< a copy of the user's; only its structure matters
  std::vector<AssemblyPlace> places;                ///< its assemblies, and where they are
  std::vector<const Assembly*> assemblies, others;  ///< in it, and in the model that is read
  Prepared prepared;
  Built built;
  std::vector<Source> sources;  ///< of each entity of the flat model
  Parameters<double> next;      ///< all of them, before the user's own are touched
  Numbers numbers;
  std::pmr::vector<bool> dependent;  ///< degrees of freedom that follow from others
  Arena arena;
};

Refresher::Refresher(const Model& model, const BuildOptions& options)
    : stages_(std::make_unique<Stages>(model, options)) {}
Refresher::~Refresher() = default;
Refresher::Refresher(Refresher&&) noexcept = default;
Refresher& Refresher::operator=(Refresher&&) noexcept = default;

const Built& Refresher::built() const { return stages_->built; }

void Refresher::refresh(const Model& changed, Parameters<double>& par) { stages_->refresh(changed, par, false); }
void Refresher::refresh_exactly(const Model& changed, Parameters<double>& par) { stages_->refresh(changed, par, true); }

}  // namespace articula::build
