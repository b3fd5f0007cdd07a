#include <articula/generate/internal/symbolic.h>

#include <algorithm>

#include <articula/base/error.h>
#include <articula/base/text.h>
#include <articula/build/rotors.h>
#include <articula/mechanism/parameter_fields.h>

namespace articula::generate {
namespace {

/// The parameters of a constituent that remain arguments.
struct Chosen {
  std::size_t constituent;
  bool mass, com, inertia;
};

class Arguments {
 public:
  Arguments(const Recording& recording, int array, FunctionArray& described)
      : recording_(recording), array_(array), described_(described) {}

  Trace operator()(std::string name) {
    described_.entries.push_back(std::move(name));
    return recording_.input(array_, described_.count++);
  }
  Vec3<Trace> vec3(const std::string& name) {
    const Trace x = (*this)(name + ".x"), y = (*this)(name + ".y");
    return {x, y, (*this)(name + ".z")};
  }

 private:
  const Recording& recording_;
  int array_;
  FunctionArray& described_;
};

/// The inertia of a body about its frame, with some parameters as arguments and the others constant.
Inertia<Trace> inertia_of(const Chosen& chosen, const std::string& name, const Inertia<double>& known,
                          Arguments& argument) {
  const double m = known.m;
  const Vec3<double> c = m == 0 ? Vec3<double>::zero() : known.h * (1 / m);
  Trace mass = m;
  Vec3<Trace> com = over<Trace>(c);
  SymMat3<Trace> J = over<Trace>(m == 0 ? known.I : inertia_about_center(known));
  if (chosen.mass) mass = argument(name + ".mass");
  if (chosen.com) com = argument.vec3(name + ".com");
  if (chosen.inertia) {
    Trace* const entries[] = {&J.xx, &J.xy, &J.xz, &J.yy, &J.yz, &J.zz};
    const char* const names[] = {"xx", "xy", "xz", "yy", "yz", "zz"};
    for (int k = 0; k < 6; ++k) *entries[k] = argument(name + ".inertia." + names[k]);
  }
  return inertia_about_origin(mass, com, J);
}

/// `hand` selects all parameters of a body, `hand.mass` one of them.
Chosen choose(const Mechanism& mech, const std::string& name) {
  std::vector<std::string> known{"gravity"};
  const auto& constituents = mech.provenance.constituents;
  for (std::size_t c = 0; c < constituents.size(); ++c) {
    const std::string& body = constituents[c].name;
    if (constituents[c].body == 0) continue;
    if (name == body) return {c, true, true, true};
    if (name == body + ".mass") return {c, true, false, false};
    if (name == body + ".com") return {c, false, true, false};
    if (name == body + ".inertia") return {c, false, false, true};
    for (const char* part : {"", ".mass", ".com", ".inertia"}) known.push_back(body + part);
  }
  const auto near = closest(name, known);
  throw Error("symbolic-unknown", {},
              concat(quoted(name), " is nothing that can stay an argument.",
                     near ? concat(" Did you mean ", quoted(*near), "?") : "",
                     " Name gravity, a body that moves, or one of its parts: ", list_of(known), "."));
}

}  // namespace

Parameters<Trace> symbolic_parameters(const Mechanism& mech, const Parameters<double>& numbers,
                                      const std::vector<std::string>& names, const Recording& recording, int array,
                                      FunctionArray& described) {
  Parameters<Trace> par = over<Trace>(numbers);
  Arguments argument(recording, array, described);

  std::vector<Chosen> chosen;
  for (const std::string& name : names) {
    if (name == "gravity") {
      if (!mech.uniform_gravity) {
        throw Error("symbolic-unknown", {},
                    concat("\"gravity\" of ", quoted(mech.name),
                           " depends on the place, so that no vector can stay an argument for it. Name other numbers, "
                           "or give the environment a uniform gravity."));
      }
      par.gravity_W = argument.vec3("gravity");
      continue;
    }
    const Chosen more = choose(mech, name);
    const auto same =
        std::find_if(chosen.begin(), chosen.end(), [&](const Chosen& c) { return c.constituent == more.constituent; });
    if (same == chosen.end()) {
      chosen.push_back(more);
    } else {
      same->mass |= more.mass, same->com |= more.com, same->inertia |= more.inertia;
    }
  }
  // The inertia of a flat body is the sum over its constituents. If all are constant, the existing sum is kept bit by
  // bit.
  std::vector<bool> changed(mech.bodies.size(), false);
  const auto& constituents = mech.provenance.constituents;
  for (const Chosen& each_one : chosen) {
    const std::size_t c = each_one.constituent;
    par.M_C[c] = inertia_of(each_one, constituents[c].name, numbers.M_C[c], argument);
    changed[static_cast<std::size_t>(constituents[c].body)] = true;
  }
  for (std::size_t i = 1; i < changed.size(); ++i) {
    if (changed[i]) par.M_B[i] = over<Trace>(inertia_of_rotors(mech, numbers, static_cast<int>(i)));
  }
  for (std::size_t c = 0; c < constituents.size(); ++c) {
    const auto body = static_cast<std::size_t>(constituents[c].body);
    if (changed[body]) par.M_B[body] += par.X_BC[c] * par.M_C[c];
  }
  return par;
}

double parameter_value(const Built& built, const std::string& name) {
  const auto number = [](const Vec3<double>& x, char axis) { return x[axis - 'x']; };
  if (name.starts_with("gravity.")) return number(built.parameters.gravity_W, name.back());
  const auto& constituents = built.mechanism.provenance.constituents;
  for (std::size_t c = 0; c < constituents.size(); ++c) {
    const std::string& body = constituents[c].name;
    if (!name.starts_with(body + ".")) continue;
    const std::string part = name.substr(body.size() + 1);
    const Inertia<double>& M = built.parameters.M_C[c];
    const Vec3<double> com = M.m == 0 ? Vec3<double>::zero() : M.h * (1 / M.m);
    if (part == "mass") return M.m;
    if (part.starts_with("com.") && part.size() == 5) return number(com, part[4]);
    if (!part.starts_with("inertia.") || part.size() != 10) continue;
    return (M.m == 0 ? M.I : inertia_about_center(M))(part[8] - 'x', part[9] - 'x');
  }
  return 0;
}

}  // namespace articula::generate
