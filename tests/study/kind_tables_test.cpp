// The tables of blocks, trajectories, tasks and signals: they are complete and true, and the pages hold them.
#include <articula/study/kind_tables.h>

#include <cctype>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <articula/base/text.h>
#include <articula/control/block_kinds.h>
#include <articula/control/trajectory_kinds.h>
#include <articula/study/prepare.h>
#include <articula/study/study_reader.h>
#include <articula/study/tasks/task_kinds.h>

#include "study/study_text.h"

namespace articula::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// --- Pages ------------------------------------------------------------------------------------------------------------

const std::filesystem::path docs = std::filesystem::path(ARTICULA_SOURCE_DIR) / "docs";

std::string line_of(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) line += concat(" ", cell, cell.empty() ? "|" : " |");
  return line + "\n";
}

std::string markdown(const ReferenceTable& table) {
  std::string text = line_of(table.titles) + "|";
  for (std::size_t k = 0; k < table.titles.size(); ++k) text += "---|";
  text += "\n";
  for (const auto& row : table.rows) text += line_of(row);
  return text;
}

/// The overview, and a passage for each kind.
std::string markdown(const std::vector<KindTable>& kinds) {
  ReferenceTable all = overview(kinds);
  for (std::size_t k = 0; k < kinds.size(); ++k)
    all.rows[k][0] = concat("[", all.rows[k][0], "](#", kinds[k].name, ")");
  std::string text = markdown(all);
  for (const KindTable& kind : kinds) {
    text += concat("\n### `", kind.name, "`\n", markdown(kind.properties));
    if (!kind.signals.rows.empty()) text += "\n" + markdown(kind.signals);
  }
  return text;
}

std::string sentence(std::string text) {
  text[0] = static_cast<char>(std::toupper(text[0]));
  return text + ".";
}

/// What stands in the pages between `<!-- generated: NAME -->` and `<!-- end -->`.
std::map<std::string, std::string> generated() {
  std::map<std::string, std::string> all{{"blocks", markdown(block_tables())},
                                         {"trajectories", markdown(trajectory_tables())},
                                         {"signals", markdown(signal_table())}};
  for (const KindTable& task : task_tables())
    all["task " + task.name] = sentence(task.about) + "\n\n" + markdown(task.properties);
  return all;
}

std::string content(const std::filesystem::path& file) {
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

TEST(KindTables, AreThoseOfThePages) {
  const bool write = std::getenv("ARTICULA_WRITE_TABLES") != nullptr;
  const std::map<std::string, std::string> wanted = generated();
  std::multiset<std::string> met;
  for (const auto& entry : std::filesystem::directory_iterator(docs)) {
    std::string page = content(entry.path());
    const std::string begin = "<!-- generated: ", end = "<!-- end -->";
    for (std::size_t at = page.find(begin); at != std::string::npos; at = page.find(begin, at + 1)) {
      const std::size_t name_at = at + begin.size(), from = page.find('\n', at) + 1, to = page.find(end, from);
      ASSERT_NE(to, std::string::npos) << entry.path();
      const std::string name = page.substr(name_at, page.find(" -->", name_at) - name_at);
      met.insert(name);
      ASSERT_TRUE(wanted.contains(name)) << entry.path() << ": no table is called " << name;
      if (write) {
        page.replace(from, to - from, wanted.at(name));
      } else {
        EXPECT_EQ(page.substr(from, to - from), wanted.at(name))
            << entry.path() << " and the program differ. Run `make docs-tables`, which writes the table.";
      }
    }
    if (write && page != content(entry.path())) std::ofstream(entry.path()) << page;
  }
  for (const auto& [name, text] : wanted) EXPECT_EQ(met.count(name), 1u) << name << " stands in one page, once";
}

// --- Properties -------------------------------------------------------------------------------------------------------

/// Whether a value says what it means: a number other than zero, a name.
bool speaks(double value) { return value != 0 && std::isfinite(value); }
bool speaks(const std::string& value) { return !value.empty(); }
template <class T>
bool speaks(const std::vector<T>& value) {
  return !value.empty();
}

template <class... Kinds>
void expect_meanings(std::variant<Kinds...>*) {
  const auto check = []<class K>(const K& kind) {
    K::fields(kind, [&]<class T>(std::string_view name, const T& value, const Dimension&, std::string_view meaning,
                                 std::string_view omitted = {}) {
      EXPECT_FALSE(meaning.empty()) << K::name << "." << name;
      if constexpr (requires { speaks(value); }) {
        EXPECT_TRUE(!speaks(value) || omitted.empty()) << K::name << "." << name << " has a default of its own";
      }
    });
    if constexpr (requires { K::required; }) {
      for (const std::string_view required : K::required) {
        bool found = false;
        K::fields(kind, [&](std::string_view name, const auto&, const Dimension&, std::string_view,
                            std::string_view omitted = {}) { found |= name == required && omitted == "required"; });
        EXPECT_TRUE(found) << K::name << "." << required;
      }
    }
  };
  (check(Kinds{}), ...);
}

TEST(KindTables, EveryPropertyHasAMeaningAndOneDefault) {
  expect_meanings(static_cast<BlockKind*>(nullptr));
  expect_meanings(static_cast<TrajectoryKind*>(nullptr));
  expect_meanings(static_cast<TaskKind*>(nullptr));
  for (const auto& tables : {block_tables(), trajectory_tables(), task_tables()}) {
    for (const KindTable& kind : tables) {
      EXPECT_FALSE(kind.about.empty()) << kind.name;
      for (const auto& row : kind.properties.rows) EXPECT_THAT(row, Not(testing::Contains(IsEmpty()))) << kind.name;
    }
  }
}

TEST(KindTables, UnitsAreThoseOfBothForms) {
  const auto row = [](const std::vector<KindTable>& kinds, std::string_view kind, std::string_view key) {
    for (const KindTable& each : kinds) {
      for (const auto& cells : each.properties.rows) {
        if (each.name == kind && cells.front() == concat("`", key, "`")) return cells;
      }
    }
    return std::vector<std::string>{};
  };
  using testing::ElementsAre;
  EXPECT_THAT(row(block_tables(), "pid", "integral"),
              ElementsAre("`integral`", "N·m/rad/s or N/m/s, list", "0", "integral gains"));
  EXPECT_THAT(row(block_tables(), "hydraulic_cylinder", "bulk_modulus"),
              ElementsAre("`bulk_modulus`", "Pa", "1.4e9", "bulk modulus β of the oil"));
  EXPECT_THAT(
      row(trajectory_tables(), "spline", "ends"),
      ElementsAre("`ends`", "`clamped`, `natural`, `not_a_knot`, `periodic`", "`clamped`", HasSubstr("speeds")));
  EXPECT_THAT(row(task_tables(), "simulate", "until"), ElementsAre("`until`", "s", "required", "end time"));
  EXPECT_THAT(row(task_tables(), "compare_integrators", "tolerances"),
              ElementsAre("`tolerances`", "number, list", "1e-3, 1e-6", "tolerances for each"));
}

// --- Signals ----------------------------------------------------------------------------------------------------------

/// A study with everything that gives signals.
const char* const everything = R"(
articula_study: 1
model: signals.yaml
trajectories:
  wave: {type: harmonic, joints: [shoulder, elbow]}
  all: {type: constant, joints: [shoulder, elbow], value: 0.1}
blocks:
  pd: {type: pd, joints: elbow, reference: wave, stiffness: 1, damping: 1}
  pid: {type: pid, joints: elbow, reference: wave, stiffness: 1, damping: 1, integral: 1}
  computed: {type: computed_torque, joints: elbow, reference: wave}
  gravity: {type: gravity_compensation, joints: elbow}
  forward: {type: feed_forward, joints: elbow, reference: wave}
  cascade: {type: cascade, joint: elbow, reference: wave, speed_time: 1, motor: motor, current_gain: 1, current_time: 1}
  torque: {type: torque, joints: elbow, value: 1}
  actuator: {type: ideal_actuator, joints: elbow, command: torque}
  motor: {type: dc_motor, joint: elbow, command: cascade.voltage, resistance: 1, inductance: 1, torque_constant: 1}
  inner: {type: pd, joints: elbow, reference: wave, stiffness: 1, damping: 1}
  digital: {type: sampled, block: inner, period: 1 ms, delay: 1.5 ms}
  other: {type: torque, joints: elbow, value: 1}
  gated: {type: switched, block: other, until: 1}
  spring: {type: spring_damper, joints: elbow, stiffness: 1}
  oil: {type: hydraulic_cylinder, joint: elbow, lever: 0.1, x_0: 0.2, stroke: 0.4, area_a: 1e-3, area_b: 1e-3,
        dead_volume_a: 1e-4, dead_volume_b: 1e-4, supply_pressure: 10 MPa}
  rubbing: {type: friction, joints: elbow}
  stops: {type: joint_stops, joints: elbow, lower: -3, upper: 3}
  end: {type: stop_when, signal: q.elbow, reaches: 100}
tasks:
  simulate: {type: simulate, until: 1, frames: [fore]}
  equilibrium: {type: equilibrium, blocks: [gravity], frames: [fore]}
  inverse_dynamics: {type: inverse_dynamics, along: all, until: 1, frames: [fore], cut_forces: [fore]}
  forward_kinematics: {type: forward_kinematics, along: all, until: 1}
  listed: {type: forward_kinematics, at: [[0, 0, 0, 0, 0, 0, 1]]}
  inverse_kinematics: {type: inverse_kinematics, frame: fore, targets: [{xyz: [0, 0, 1]}]}
  linearize: {type: linearize, blocks: []}
  compare_integrators: {type: compare_integrators, until: 1, blocks: [], integrators: rk45}
  sweep: {type: sweep, over: {fore.mass: [1, 2]}, task: {type: simulate, until: 1, blocks: []}}
)";

const char* const model = R"(
articula: 1
bodies:
  upper: {mass: 1, inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}
  fore: {mass: 1, com: [0, 0, 0.1], inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}
  cart: {mass: 1}
  bob: {mass: 1, inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}
joints:
  shoulder: {axis: y, from: world, to: upper}
  elbow: {axis: y, friction: 0.1, from: {upper: {xyz: [0, 0, 1]}}, to: fore}
  slide: {type: prismatic, from: world, to: cart}
  ball: {type: spherical, from: world, to: bob}
drives:
  motor: {joint: elbow, torque_limit: 5}
springs:
  coil: {form: torsional, stiffness: 1, from: {elbow: shaft}}
  rope: {stiffness: 1, from: world, to: {fore: {xyz: [1, 0, 1]}}}
)";

/// Another one, since torques of motors behind springs are not computed with all of that.
const char* const with_drives = R"(
articula_study: 1
model: drives.yaml
trajectories:
  wave: {type: harmonic, joints: shoulder}
tasks:
  elastic_inverse_dynamics: {type: elastic_inverse_dynamics, along: wave, until: 1}
)";

const char* const model_with_drives = R"(
articula: 1
bodies:
  upper: {mass: 1, inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}
joints:
  shoulder: {axis: y, from: world, to: upper}
drives:
  motor: {joint: shoulder, rotor_inertia: 1e-4, gear: 100, stiffness: 1e3}
)";

class KindTablesSignals : public testing::Test {
 protected:
  KindTablesSignals() {
    folder_.file("signals.yaml", model);
    Findings findings;
    prepared_ = prepare_study(read_study(everything, folder_.path("all.yaml"), findings));
    for (const Finding& finding : prepared_.findings) EXPECT_NE(finding.severity, Severity::error) << finding.message;
    folder_.file("drives.yaml", model_with_drives);
    driven_ = prepare_study(read_study(with_drives, folder_.path("driven.yaml"), findings));
  }

  const std::vector<Signal>& columns(std::string_view task) const {
    for (std::size_t k = 0; k < prepared_.plans.size(); ++k) {
      if (prepared_.study.tasks[k].name == task) return prepared_.plans[k].value().columns;
    }
    throw std::runtime_error("no such task");
  }

  testing_study::Folder folder_;
  PreparedStudy prepared_, driven_;
};

/// The names that an entry stands for: `pose.<frame>.{x,y,z}`.
std::regex pattern(std::string_view name, const std::map<std::string, std::string>& known) {
  static const std::map<char, std::string> special{{'.', "\\."}, {'[', "\\["}, {']', "\\]"},
                                                   {'{', "("},   {',', "|"},   {'}', ")"}};
  std::string text;
  for (std::size_t at = 0; at < name.size(); ++at) {
    if (name[at] == '<') {
      const std::size_t end = name.find('>', at);
      const auto found = known.find(std::string(name.substr(at + 1, end - at - 1)));
      text += found == known.end() ? ".+" : found->second;
      at = end;
    } else {
      text += special.contains(name[at]) ? special.at(name[at]) : std::string(1, name[at]);
    }
  }
  return std::regex(text);
}

bool allows(std::string_view units, std::string_view unit) {
  if (units == "any" || units == "unit of the output") return true;
  return concat(" or ", units, " or ").find(concat(" or ", unit, " or ")) != std::string::npos;
}

TEST_F(KindTablesSignals, AreThoseOfTheTasks) {
  std::string blocks;
  for (const BlockSpec& block : prepared_.study.blocks) blocks += (blocks.empty() ? "(" : "|") + block.name;
  const std::map<std::string, std::string> known{
      {"block", blocks + ")"}, {"trajectory", "(wave|all)"}, {"n", "[0-9]+"}, {"path", "fore\\.mass"}};
  std::map<std::string, std::set<const TaskSignal*>> met;
  for (const PreparedStudy* study : {&prepared_, &driven_}) {
    for (std::size_t k = 0; k < study->plans.size(); ++k) {
      const NamedTask& task = study->study.tasks[k];
      ASSERT_TRUE(study->plans[k]) << task.name;
      const std::string kind(kind_name(task.kind));
      for (const Signal& column : study->plans[k]->columns) {
        const TaskSignal* entry = nullptr;
        for (const TaskSignal& each : task_signals()) {
          const bool of_task = concat(" ", each.tasks, ",").find(concat(" ", kind, ",")) != std::string::npos;
          // The last one that fits is the most special.
          if (of_task && std::regex_match(column.name, pattern(each.name, known))) entry = &each;
        }
        ASSERT_NE(entry, nullptr) << kind << ": " << column.name;
        EXPECT_TRUE(allows(entry->unit, column.unit)) << column.name << " is in " << column.unit;
        met[kind].insert(entry);
      }
    }
  }
  for (const TaskSignal& each : task_signals()) {
    std::stringstream tasks{std::string(each.tasks)};
    for (std::string task; tasks >> task;) {
      if (task.back() == ',') task.pop_back();
      EXPECT_TRUE(met[task].contains(&each)) << task << " gives no " << each.name;
    }
    EXPECT_FALSE(each.meaning.empty()) << each.name;
  }
}

TEST_F(KindTablesSignals, AreThoseOfTheBlocks) {
  const std::map<std::string, std::string> known{{"joint", "elbow"}, {"output", "elbow"}, {"n", "[0-9]+"}};
  std::map<std::string_view, std::vector<SignalRow>> rows;
  []<class... Kinds>(auto& all, std::variant<Kinds...>*) {
    ((all[Kinds::name] = {Kinds::signals.begin(), Kinds::signals.end()}), ...);
  }(rows, static_cast<BlockKind*>(nullptr));
  const auto kind_of = [&](const std::string& block) {
    for (const BlockSpec& spec : prepared_.study.blocks) {
      if (spec.name == block) return std::visit([](const auto& kind) { return kind.name; }, spec.kind);
    }
    return std::string_view();
  };
  std::set<std::string> met;
  for (const BlockSpec& spec : prepared_.study.blocks) {
    std::vector<SignalRow> mine = rows.at(kind_of(spec.name));
    if (const std::string inner = wrapped_by(spec); !inner.empty()) {
      const auto& more = rows.at(kind_of(inner));
      mine.insert(mine.end(), more.begin(), more.end());
    }
    for (const Signal& column : columns("simulate")) {
      if (!column.name.starts_with(spec.name + ".")) continue;
      const std::string name = column.name.substr(spec.name.size() + 1);
      const auto row = std::find_if(mine.begin(), mine.end(), [&](const SignalRow& each) {
        return std::regex_match(name, pattern(each.name, known));
      });
      ASSERT_NE(row, mine.end()) << column.name;
      EXPECT_TRUE(allows(row->unit, column.unit)) << column.name << " is in " << column.unit;
      met.insert(concat(kind_of(spec.name), ".", row->name));
    }
  }
  for (const auto& [kind, all] : rows) {
    for (const SignalRow& row : all) EXPECT_TRUE(met.contains(concat(kind, ".", row.name))) << kind << "." << row.name;
  }
}

}  // namespace
}  // namespace articula::test
