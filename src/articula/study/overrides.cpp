#include <articula/study/overrides.h>

#include <algorithm>
#include <array>
#include <type_traits>

#include <articula/base/findings.h>
#include <articula/base/text.h>
#include <articula/formats/internal/yaml_environment.h>
#include <articula/formats/internal/yaml_values.h>
#include <articula/study/internal/read_passage.h>
#include <articula/study/internal/set_property.h>

namespace articula::study {
namespace {

constexpr std::array families{Family::body, Family::joint, Family::element};

std::string_view section_of(const Kind& kind) {
  return std::visit([](const auto& k) { return std::decay_t<decltype(k)>::section; }, kind);
}

std::vector<std::string> property_names(const Entity& entity) {
  std::vector<std::string> names;
  std::visit(
      [&](const auto& kind) {
        kind.fields(kind, [&](std::string_view name, const auto&, const Dimension&) { names.emplace_back(name); });
      },
      entity.kind);
  return names;
}

/// The target of a path. The path is split at each dot in turn, since names may contain dots.
struct Target {
  const Entity* entity = nullptr;
  std::string property;   ///< the part of the path after the entity's name
  std::string component;  ///< the part of the path after the property, if any
};

bool has_property(const Entity& entity, std::string_view name) {
  const std::vector<std::string> names = property_names(entity);
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// All entities of a name, of any family; if `section` is not empty, of this section only.
std::vector<const Entity*> entities_called(const Model& model, std::string_view name, std::string_view section) {
  std::vector<const Entity*> found;
  for (const Family family : families) {
    const Entity* entity = model.find_path(name, family);
    if (entity != nullptr && (section.empty() || section == section_of(entity->kind))) found.push_back(entity);
  }
  return found;
}

struct Search {
  std::vector<Target> targets;     ///< with that property
  std::vector<const Entity*> met;  ///< entities of that name, with any properties
  std::string property;            ///< that was looked for in them
};

void search(const Model& model, std::string_view path, std::string_view section, Search& result) {
  for (std::size_t dot = path.find('.'); dot != std::string_view::npos; dot = path.find('.', dot + 1)) {
    const std::string_view rest = path.substr(dot + 1);
    const std::size_t next = rest.find('.');
    const std::string property(rest.substr(0, next));
    const std::string component(next == std::string_view::npos ? std::string_view() : rest.substr(next + 1));
    for (const Entity* entity : entities_called(model, path.substr(0, dot), section)) {
      result.met.push_back(entity);
      result.property = property;
      if (has_property(*entity, property)) result.targets.push_back({entity, property, component});
    }
  }
}

std::vector<std::string> all_names(const Model& model) {
  std::vector<std::string> names{"environment"};
  for (const Entity& entity : model.entities()) names.push_back(entity.name);
  return names;
}

[[noreturn]] void fail(const Override& wrong, std::string code, const std::string& what) {
  throw Error(std::move(code), wrong.value.where, concat("override ", quoted(wrong.path), ": ", what));
}

Target find_target(const Model& model, const Override& one) {
  Search result;
  search(model, one.path, "", result);
  if (result.met.empty()) {
    const std::size_t dot = one.path.find('.');
    if (dot != std::string::npos)
      search(model, std::string_view(one.path).substr(dot + 1), std::string_view(one.path).substr(0, dot), result);
  }
  if (result.targets.size() == 1) return result.targets.front();
  if (result.targets.size() > 1) {
    std::vector<std::string> ways;
    for (const Target& target : result.targets)
      ways.push_back(concat(section_of(target.entity->kind), ".", target.entity->name, ".", target.property));
    fail(one, "override-ambiguous", concat("it can mean several. Write one of: ", list_of(ways), "."));
  }
  if (!result.met.empty()) {
    const std::vector<std::string> names = property_names(*result.met.front());
    fail(one, "override-unknown",
         concat(to_text(*result.met.front()), " has no property ", quoted(result.property), ".",
                choices(result.property, "Properties", names)));
  }
  const std::string entity = one.path.substr(0, one.path.rfind('.'));
  const std::string none = one.path.find('.') == std::string::npos
                               ? "a path is entity.property, e.g. link7.mass."
                               : concat("the model has no entity ", quoted(entity), ".");
  fail(one, "override-unknown", concat(none, choices(entity, "Entities", all_names(model))));
}

/// One component of a value, by name; null if there is none of that name.
double* component_of(Vec3<double>& value, std::string_view name) {
  return name == "x" ? &value.x : name == "y" ? &value.y : name == "z" ? &value.z : nullptr;
}
double* component_of(SymMat3<double>& value, std::string_view name) {
  const std::array<std::pair<std::string_view, double*>, 6> all{{{"xx", &value.xx},
                                                                 {"yy", &value.yy},
                                                                 {"zz", &value.zz},
                                                                 {"xy", &value.xy},
                                                                 {"xz", &value.xz},
                                                                 {"yz", &value.yz}}};
  for (const auto& [each, number] : all) {
    if (each == name) return number;
  }
  return nullptr;
}
template <class T>
double* component_of(T&, std::string_view) {
  return nullptr;
}

template <class T>
constexpr std::string_view component_names() {
  if constexpr (std::is_same_v<T, Vec3<double>>) return "Components: x, y, z.";
  if constexpr (std::is_same_v<T, SymMat3<double>>) return "Components: xx, yy, zz, xy, xz, yz.";
  return "It has no components.";
}

template <class T>
void set_value(const Override& one, const Target& target, T& value, const Dimension& dimension) {
  double* component = target.component.empty() ? nullptr : component_of(value, target.component);
  if (!target.component.empty() && component == nullptr) {
    fail(one, "override-unknown",
         concat("property ", quoted(target.property), " has no component ", quoted(target.component), ". ",
                component_names<T>()));
  }
  read_passage(one.value, "override", one.path, [&](const Spot& spot) {
    if (component != nullptr) {
      read_value(spot, *component, dimension);
    } else {
      read_value(spot, value, dimension);
    }
  });
}

void apply_to_environment(const Override& one, Environment& environment) {
  const std::string key = one.path.substr(std::string_view("environment.").size());
  const std::vector<std::string> known(environment_keys.begin(), environment_keys.end());
  read_passage(one.value, "override", one.path, [&](const Spot& spot) {
    if (std::find(known.begin(), known.end(), key) == known.end())
      return spot.error("key-unknown", unknown_key(key, known));
    read_environment_property(Spot(spot, spot.node, key), key, environment);
  });
}

void apply_one(const Override& one, Model& model) {
  if (one.path.starts_with("environment.")) return apply_to_environment(one, model.environment);
  const Target target = find_target(model, one);
  // Entities are found in the model that was given to be changed.
  Kind& kind = const_cast<Entity*>(target.entity)->kind;
  std::visit(
      [&](auto& k) {
        k.fields(k, [&](std::string_view name, auto& value, const Dimension& dimension) {
          if (name == target.property) set_value(one, target, value, dimension);
        });
      },
      kind);
}

}  // namespace

std::optional<Dimension> override_dimension(const std::string& path, const Model& model) {
  if (path == "environment.gravity") return dimension::acceleration;
  std::optional<Dimension> found;
  try {
    const Target target = find_target(model, {path, {}});
    std::visit(
        [&](const auto& k) {
          k.fields(k, [&]<class T>(std::string_view name, const T&, const Dimension& dimension) {
            if (name == target.property && is_quantity<T>) found = dimension;
          });
        },
        target.entity->kind);
  } catch (const Error&) {
    // The error is reported when the override is applied.
  }
  return found;
}

void apply_overrides(const std::vector<Override>& overrides, Model& model) {
  Findings findings;
  for (const Override& each : overrides) {
    try {
      apply_one(each, model);
    } catch (const Error& error) {
      add_findings(findings, error.errors());
    }
  }
  throw_if_errors(findings);
}

}  // namespace articula::study
