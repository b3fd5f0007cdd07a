#include <articula/study/kind_tables.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <articula/base/text.h>
#include <articula/control/block_kinds.h>
#include <articula/control/trajectory_kinds.h>
#include <articula/study/tasks/task_kinds.h>

namespace articula::study {
namespace {

// --- What values a property takes -------------------------------------------------------------------------------------

template <class T>
concept Choice = requires { enum_names(T{}); };

std::string code(std::string_view text) { return concat("`", text, "`"); }

std::string joined(const std::vector<std::string>& texts, std::string_view between) {
  std::string all;
  for (const std::string& text : texts) all += all.empty() ? text : concat(between, text);
  return all;
}

template <Choice E>
std::string choices_of() {
  std::vector<std::string> all;
  for (const std::string_view name : enum_names(E{})) all.push_back(code(name));
  return joined(all, ", ");
}

// By the type of the member; `unit` is that of its numbers.
std::string value_of(double, const std::string& unit) { return unit; }
std::string value_of(const std::optional<double>&, const std::string& unit) { return unit; }
std::string value_of(const std::vector<double>&, const std::string& unit) { return unit + ", list"; }
std::string value_of(const Rows&, const std::string& unit) { return unit + ", rows"; }
std::string value_of(const Vec3<double>&, const std::string& unit) { return unit + ", vector"; }
std::string value_of(bool, const std::string&) { return "truth"; }
std::string value_of(int, const std::string&) { return "whole number"; }
std::string value_of(const std::string&, const std::string&) { return "text"; }
std::string value_of(const std::vector<std::string>&, const std::string&) { return "names"; }
std::string value_of(const PortRef&, const std::string&) { return "frame"; }
std::string value_of(const std::vector<PortRef>&, const std::string&) { return "frames"; }
std::string value_of(const Pose<double>&, const std::string&) { return "placement"; }
std::string value_of(const std::optional<Pose<double>>&, const std::string&) { return "placement"; }
std::string value_of(const std::vector<Pose<double>>&, const std::string&) { return "placements"; }
std::string value_of(const SignalValue&, const std::string&) { return "any unit"; }
std::string value_of(const std::vector<StructureChange>&, const std::string&) { return "list"; }
std::string value_of(const std::vector<StatedCount>&, const std::string&) { return "list"; }
std::string value_of(const std::vector<SweepAxis>&, const std::string&) { return "paths → values"; }
std::string value_of(const std::shared_ptr<const NamedTask>&, const std::string&) { return "task"; }
template <Choice E>
std::string value_of(E, const std::string&) {
  return choices_of<E>();
}
template <Choice E>
std::string value_of(const std::vector<E>&, const std::string&) {
  return "list of " + choices_of<E>();
}

template <Choice E>
std::string value_of(const std::optional<E>&, const std::string&) {
  return choices_of<E>();
}

// --- Defaults ---------------------------------------------------------------------------------------------------------

/// Empty for a value without a text: an infinite number, an empty name or list.
template <class T>
std::string default_of(const T&) {
  return "";
}
std::string default_of(double value) {
  std::string text = std::isfinite(value) ? short_number(value) : "";
  if (const std::size_t at = text.find("e+0"); at != std::string::npos) text.erase(at + 1, 2);  // 1.4e9
  return text;
}
std::string default_of(bool value) { return code(value ? "true" : "false"); }
std::string default_of(int value) { return std::to_string(value); }
std::string default_of(const std::string& value) { return value.empty() ? "" : code(value); }
std::string default_of(const SignalValue& value) { return default_of(value.value); }
std::string default_of(const Vec3<double>& value) { return value == Vec3<double>::zero() ? "0" : ""; }
template <Choice E>
std::string default_of(const E& value) {
  return code(enum_names(E{})[static_cast<std::size_t>(value)]);
}
template <class T>
std::string default_of(const std::vector<T>& values) {
  std::vector<std::string> all;
  for (const T& value : values) all.push_back(default_of(value));
  return joined(all, ", ");
}

// --- Tables -----------------------------------------------------------------------------------------------------------

/// A unit in a table, where `no unit` and `1` are not omitted.
std::string unit_cell(std::string_view unit) {
  if (unit == "no unit") return "number";
  return unit == "1" ? "1" : printed_unit(unit);
}

/// The forms of a kind, which differ in the units of its properties.
template <class K>
std::vector<K> forms_of() {
  std::vector<K> all(2);
  if constexpr (requires { all[0].form; }) {
    all[0].form = Form::torsional, all[1].form = Form::translational;
  } else if constexpr (requires { all[0].moves; }) {
    all[0].moves = Moves::turning, all[1].moves = Moves::sliding;
  }
  return all;
}

template <class K>
ReferenceTable properties_of() {
  std::map<std::string, std::vector<std::string>, std::less<>> units;
  for (const K& form : forms_of<K>()) {
    K::fields(form, [&](std::string_view name, const auto&, const Dimension& dimension, auto&&...) {
      std::vector<std::string>& all = units[std::string(name)];
      std::string unit = unit_cell(unit_text(dimension));
      if (std::find(all.begin(), all.end(), unit) == all.end()) all.push_back(std::move(unit));
    });
  }
  ReferenceTable table{{"key", "value", "default", "meaning"}, {}};
  const K kind{};
  K::fields(kind, [&](std::string_view name, const auto& value, const Dimension&, std::string_view meaning,
                      std::string_view omitted = {}) {
    table.rows.push_back({code(name), value_of(value, joined(units.find(name)->second, " or ")),
                          omitted.empty() ? default_of(value) : std::string(omitted), std::string(meaning)});
  });
  return table;
}

template <class K>
KindTable table_of() {
  KindTable table{std::string(K::name), std::string(K::about), "", properties_of<K>(), {}};
  if constexpr (requires { K::smooth; }) table.smooth = K::smooth;
  if constexpr (requires { std::span<const SignalRow>(K::signals); }) {
    table.signals.titles = {"signal", "unit", "meaning"};
    for (const SignalRow& row : K::signals)
      table.signals.rows.push_back({code(row.name), unit_cell(row.unit), std::string(row.meaning)});
  }
  return table;
}

template <class... Kinds>
std::vector<KindTable> tables_of(std::variant<Kinds...>*) {
  return {table_of<Kinds>()...};
}

}  // namespace

std::vector<KindTable> block_tables() { return tables_of(static_cast<BlockKind*>(nullptr)); }
std::vector<KindTable> trajectory_tables() { return tables_of(static_cast<TrajectoryKind*>(nullptr)); }
std::vector<KindTable> task_tables() { return tables_of(static_cast<TaskKind*>(nullptr)); }

ReferenceTable overview(const std::vector<KindTable>& kinds) {
  ReferenceTable table{{"type", "what it does"}, {}};
  const bool smooth =
      std::any_of(kinds.begin(), kinds.end(), [](const KindTable& each) { return !each.smooth.empty(); });
  if (smooth) table.titles.emplace_back("smooth to order");
  for (const KindTable& kind : kinds) {
    table.rows.push_back({code(kind.name), kind.about});
    if (smooth) table.rows.back().push_back(kind.smooth);
  }
  return table;
}

const std::vector<TaskSignal>& task_signals() {
  constexpr std::string_view runs = "simulate, equilibrium", forces = "simulate, equilibrium, inverse_dynamics",
                             modes = "linearize", poses = "forward_kinematics", targets = "inverse_kinematics",
                             cases = "compare_integrators", points = "sweep";
  static const std::vector<TaskSignal> all{
      {"t", "s", "simulate, equilibrium, inverse_dynamics, elastic_inverse_dynamics, forward_kinematics, linearize",
       "time"},
      {"q.<coordinate>", "rad or m or 1",
       "simulate, equilibrium, inverse_dynamics, elastic_inverse_dynamics, forward_kinematics, inverse_kinematics",
       "position of a joint: one angle or distance for each degree of freedom; of a spherical or free joint the "
       "quaternion `qx`, `qy`, `qz`, `qw`"},
      {"v.<dof>", "rad/s or m/s", "simulate, equilibrium, inverse_dynamics, elastic_inverse_dynamics",
       "velocity of a degree of freedom"},
      {"a.<dof>", "rad/s^2 or m/s^2", forces, "acceleration of a degree of freedom"},
      {"tau.<dof>", "N*m or N", forces,
       "sum of the forces on a degree of freedom; if it is prescribed, the force that its motion requires; if it "
       "follows "
       "others through a gear, the force that the gear transmits plus the forces that act on the joint directly"},
      {"<trajectory>.q.<dof>", "rad or m", runs, "position of a trajectory"},
      {"<trajectory>.v.<dof>", "rad/s or m/s", runs, "velocity of a trajectory"},
      {"<trajectory>.a.<dof>", "rad/s^2 or m/s^2", runs, "acceleration of a trajectory"},
      {"joint.<dof>.friction", "N*m or N", runs, "Coulomb friction of a joint"},
      {"joint.<dof>.slip", "1", runs, "whether the joint slides (−1, 1) or sticks (0)"},
      {"joint.<dof>.drive", "N*m or N", runs,
       "what blocks exert through the drives of a joint, if these have a torque_limit; of an elastic drive, of its "
       "motor"},
      {"joint.<dof>.saturated", "1", runs, "whether the drives are at their limit (−1, 1) or not (0)"},
      {"element.<name>.length", "m", runs, "distance between the ends of a spring, damper or actuator of the model"},
      {"element.<name>.force", "N", runs, "its force along this line; a positive force pushes the ends apart"},
      {"element.<name>.angle", "rad", runs, "angle between the shafts of a spring, damper or actuator of the model"},
      {"element.<name>.torque", "N*m", runs, "its torque"},
      {"energy.{kinetic,potential}", "J", runs, "energies"},
      {"pose.<frame>.{x,y,z}", "m", "simulate, equilibrium, inverse_dynamics, forward_kinematics",
       "position of a frame in World"},
      {"pose.<frame>.{qx,qy,qz,qw}", "1", "simulate, equilibrium, inverse_dynamics, forward_kinematics",
       "orientation of a frame in World, a quaternion"},
      {"velocity.<frame>.{wx,wy,wz}", "rad/s", poses, "angular velocity of a frame, in the axes of World"},
      {"velocity.<frame>.{x,y,z}", "m/s", poses, "velocity of the origin of a frame, in the axes of World"},
      {"acceleration.<frame>.{wx,wy,wz}", "rad/s^2", poses, "angular acceleration of a frame, in the axes of World"},
      {"acceleration.<frame>.{x,y,z}", "m/s^2", poses, "acceleration of the origin of a frame, in the axes of World"},
      {"cut.<port>.{mx,my,mz}", "N*m", "inverse_dynamics", "moment through a port"},
      {"cut.<port>.{fx,fy,fz}", "N", "inverse_dynamics", "force through a port"},
      {"tau.<drive>.motor", "N*m", "elastic_inverse_dynamics",
       "torque of the motor; `q.<drive>.motor` and `v.<drive>.motor` are the angle and speed of its rotor"},
      {"spring.<drive>", "N*m or N", "elastic_inverse_dynamics", "torque of the spring of a drive on its joint"},
      {"case", "1", "forward_kinematics, compare_integrators", "number of the row, from 1"},
      {"{target,solution}", "1", targets, "number of the target, and of its solution, from 1"},
      {"found", "1", targets, "1, or 0 if the target is out of reach: the row is then the nearest configuration"},
      {"position_error", "m", targets, "remaining error of the position"},
      {"angle_error", "rad", targets, "remaining error of the orientation"},
      {"eigenvalue.<n>.re", "1/s", modes, "real part of the n-th eigenvalue, slow modes first"},
      {"eigenvalue.<n>.im", "rad/s", modes, "imaginary part of the n-th eigenvalue"},
      {"frequency.<n>", "Hz", modes, "natural frequency of the n-th mode"},
      {"damping.<n>", "1", modes, "damping ratio of the n-th mode; 1 is critical"},
      {"A[<state>][<state>]", "", modes, "entry of A, e.g. `A[v.elbow][q.elbow]`"},
      {"B[<state>][tau.<dof>]", "", modes, "entry of B"},
      {"{integrator,analytic,setting}", "1", cases,
       "number of the integrator, whether its Jacobian is analytic, and its tolerance or step"},
      {"{rates,rates_for_jacobians}", "1", cases, "statistics, as of `simulate`"},
      {"{steps,rejected,jacobians,factorizations}", "1", cases, "likewise"},
      {"error", "1", cases, "error at the end, if there is a reference motion"},
      {"<path>", "any", points, "value of the parameter at a point, e.g. `link7.mass`"},
      {"ok", "1", points, "1, or 0 if the point could not be computed"},
      {"count.<statistic>", "1", points, "a statistic of the inner task"},
      {"<signal>.{first,final,minimum,maximum}", "any", points, "values of a signal of the inner task"},
      {"<block>.<output>", "any", runs, "output or state of a block: see `articula help block TYPE`"},
  };
  return all;
}

ReferenceTable signal_table() {
  ReferenceTable table{{"signal", "unit", "meaning", "tasks"}, {}};
  for (const TaskSignal& each : task_signals())
    table.rows.push_back({code(each.name), unit_cell(each.unit), std::string(each.meaning), std::string(each.tasks)});
  return table;
}

}  // namespace articula::study
