#include <articula/generate/internal/rolled.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <optional>
#include <span>

#include <articula/base/index.h>
#include <articula/generate/internal/free_slots.h>

namespace articula::generate {
namespace {

constexpr int window = 12;   ///< number of operations whose hash decides whether a cut is here
constexpr int radius = 160;  ///< minimum distance of cuts; 40 and 640 gave slower derivatives of a humanoid
constexpr int stage = 16;    ///< number of calls in a stage, after which results are copied to the outputs

/// For each lifetime, the maximum number of calls from the one that keeps a value to the last one that reads it.
constexpr std::array<int, lifetimes> longest = {2, 24, std::numeric_limits<int>::max()};

/// The hash of a statement: its operation and the kinds of its operands.
std::uint64_t look(const ExpressionGraph& graph, const Expression& e) {
  const auto kind = [&](int place) {
    const Operation operation = graph[place].operation;
    return operation <= Operation::input ? static_cast<std::uint64_t>(operation) : std::uint64_t{2};
  };
  std::uint64_t hash = static_cast<std::uint64_t>(e.operation) * 16 + kind(e.a) * 4;
  return operands(e.operation) > 1 ? hash + kind(e.b) : hash + 3;
}

std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 31)) * 0x9e3779b97f4a7c15u;
  return x ^ (x >> 29);
}

/// The ends of calls: after each statement whose hash is the minimum within the radius. If equal hashes follow within
/// the radius, the next one at this distance or farther.
std::vector<std::size_t> cuts(const ExpressionGraph& graph, const std::vector<int>& order) {
  std::vector<std::uint64_t> hashes;
  for (std::size_t k = 0; k < order.size(); ++k) {
    std::uint64_t hash = 0;
    for (std::size_t j = k + 1 >= window ? k + 1 - window : 0; j <= k; ++j)
      hash = mixed(hash + look(graph, graph[order[j]]) + 1);
    hashes.push_back(hash);
  }
  std::vector<std::size_t> ends;
  std::deque<std::size_t> least;  // candidates for the minimum of the window that ends at j, in increasing order
  for (std::size_t j = 0; j < order.size() + radius; ++j) {
    if (j < order.size()) {
      while (!least.empty() && hashes[least.back()] > hashes[j]) least.pop_back();
      least.push_back(j);
    }
    if (j < radius) continue;
    const std::size_t middle = j - radius;
    while (least.front() + radius < middle) least.pop_front();
    const bool is_near = !ends.empty() && middle + 1 - ends.back() < radius;
    if (hashes[least.front()] == hashes[middle] && !is_near) ends.push_back(middle + 1);
  }
  if (ends.empty() || ends.back() != order.size()) ends.push_back(order.size());
  return ends;
}

class Roller {
 public:
  Roller(const Schedule& schedule, const LeavesOut& leaves_out)
      : function_(*schedule.function), graph_(schedule.graph()), schedule_(schedule), targets_(at(graph_.size())) {
    for (std::size_t a = 0; a < function_.results.size(); ++a) {
      for (std::size_t i = 0; i < function_.results[a].size(); ++i) {
        const int array = static_cast<int>(a), entry = static_cast<int>(i);
        if (leaves_out && leaves_out(function_.outputs[a], entry, is_zero(function_, a, i))) continue;
        targets_[at(function_.results[a][i])].push_back({array, entry});
      }
    }
    rolled_.schedule = schedule;
  }

  RolledFunction roll() {
    slot_.assign(at(graph_.size()), -1);
    home_.resize(at(graph_.size()));
    first_slots();
    std::size_t begin = 0;
    for (const std::size_t end : cuts(graph_, schedule_.order)) {
      first_of_.push_back(begin);
      add_call(std::span(schedule_.order).subspan(begin, end - begin));
      begin = end;
    }
    find_writes();
    const std::vector<int> last = last_calls();
    mark_kept(last);
    number_slots(last);
    make_stages();
    name_bases();
    return std::move(rolled_);
  }

 private:
  struct Home {
    int call = -1, statement = -1;
  };
  struct Target {
    int array, entry;
  };

  Routine& routine_of(int call) { return rolled_.routines[at(rolled_.calls[at(call)].routine)]; }

  /// Assigns slots to inputs, sines, cosines and constant results.
  void first_slots() {
    std::vector<int> first;
    for (const FunctionArray& array : function_.inputs) {
      first.push_back(rolled_.slots);
      rolled_.slots += array.size();
    }
    const int angles = static_cast<int>(schedule_.angles.size()), padded = padded_angles(schedule_);
    rolled_.first_sine = rolled_.slots;
    rolled_.first_cosine = rolled_.first_sine + padded;
    rolled_.first_constant = rolled_.slots = rolled_.first_cosine + padded;
    for (int k = 0; k < angles; ++k) {
      const int sine = graph_.find({Operation::sine, schedule_.angles[at(k)], -1, 0});
      const int cosine = graph_.find({Operation::cosine, schedule_.angles[at(k)], -1, 0});
      if (sine >= 0) slot_[at(sine)] = rolled_.first_sine + k;
      if (cosine >= 0) slot_[at(cosine)] = rolled_.first_cosine + k;
    }
    for (int k = 0; k < graph_.size(); ++k) {
      if (graph_[k].operation == Operation::input) slot_[at(k)] = first[at(graph_[k].a)] + graph_[k].b;
    }
    for (int k = 0; k < graph_.size(); ++k) {
      if (graph_[k].operation != Operation::constant || targets_[at(k)].empty()) continue;
      slot_[at(k)] = rolled_.slots++;
      rolled_.constants.push_back(graph_[k].value);
    }
    for (const int angle : schedule_.angles) rolled_.angles.push_back(slot_[at(angle)]);
  }

  /// The bases of calls are initially all operands, as indices of expressions; they become slots later.
  void add_call(std::span<const int> order) {
    const int number = static_cast<int>(rolled_.calls.size());
    RoutineCall call;
    std::map<int, int> read_of;
    const auto operand = [&](int place) -> RoutineOperand {
      if (graph_[place].operation == Operation::constant) {
        call.constants.push_back(graph_[place].value);
        return {RoutineOperand::Kind::constant, static_cast<int>(call.constants.size()) - 1};
      }
      if (home_[at(place)].call == number) return {RoutineOperand::Kind::local, home_[at(place)].statement};
      const auto [read, is_new] = read_of.try_emplace(place, static_cast<int>(call.bases.size()));
      if (is_new) call.bases.push_back(place);
      return {RoutineOperand::Kind::read, read->second};
    };
    std::vector<RoutineStatement> statements;
    for (const int k : order) {
      const Expression& e = graph_[k];
      RoutineStatement statement{e.operation, operand(e.a), {}};
      if (operands(e.operation) > 1) statement.b = operand(e.b);
      const bool commutes = traits(e.operation).law == Law::commutes;
      if (commutes && statement.b < statement.a) std::swap(statement.a, statement.b);
      home_[at(k)] = {number, static_cast<int>(statements.size())};
      statements.push_back(statement);
    }
    const auto [routine, is_new] = routines_.try_emplace(statements, static_cast<int>(rolled_.routines.size()));
    call.routine = routine->second;
    if (is_new) {
      rolled_.operations += static_cast<int>(statements.size());
      Routine& added = rolled_.routines.emplace_back();
      added.statements = statements;
      added.kept.resize(statements.size());
    }
    rolled_.calls.push_back(std::move(call));
  }

  int place_of(int call, std::size_t statement) const { return schedule_.order[first_of_[at(call)] + statement]; }

  /// A statement that is a result of the same arrays in all calls of a routine is written by the routine.
  void find_writes() {
    entries_.resize(rolled_.calls.size());
    calls_of_.resize(rolled_.routines.size());
    for (int c = 0; c < static_cast<int>(rolled_.calls.size()); ++c)
      calls_of_[at(rolled_.calls[at(c)].routine)].push_back(c);
    for (std::size_t r = 0; r < rolled_.routines.size(); ++r) {
      Routine& routine = rolled_.routines[r];
      for (std::size_t s = 0; s < routine.statements.size(); ++s) {
        const std::vector<Target> some = targets_[at(place_of(calls_of_[r][0], s))];
        const bool same = std::all_of(calls_of_[r].begin(), calls_of_[r].end(), [&](int call) {
          const std::vector<Target>& own = targets_[at(place_of(call, s))];
          return std::equal(own.begin(), own.end(), some.begin(), some.end(),
                            [](const Target& a, const Target& b) { return a.array == b.array; });
        });
        if (!same) continue;
        for (std::size_t t = 0; t < some.size(); ++t) {
          routine.writes.push_back({static_cast<int>(s), some[t].array, 0, 0});
          for (const int call : calls_of_[r]) entries_[at(call)].push_back(targets_[at(place_of(call, s))][t].entry);
        }
        for (const int call : calls_of_[r]) targets_[at(place_of(call, s))].clear();
      }
    }
  }

  /// For each expression, the last call that needs its value; −1: it is no result and no other call reads it.
  std::vector<int> last_calls() const {
    std::vector<int> last(at(graph_.size()), -1);
    const int count = static_cast<int>(rolled_.calls.size());
    for (int c = 0; c < count; ++c) {
      for (const int place : rolled_.calls[at(c)].bases) last[at(place)] = c;
    }
    for (const int k : schedule_.order) {
      const int end_of_stage = std::min((home_[at(k)].call / stage + 1) * stage, count) - 1;
      if (!targets_[at(k)].empty()) last[at(k)] = std::max(last[at(k)], end_of_stage);
    }
    return last;
  }

  /// If any call of a routine must keep a value, all of them keep it, with the longest lifetime.
  void mark_kept(const std::vector<int>& last) {
    for (const int k : schedule_.order) {
      if (last[at(k)] < 0) continue;
      const auto [call, statement] = home_[at(k)];
      int& lifetime = routine_of(call).kept[at(statement)].lifetime;
      while (lifetime < 0 || last[at(k)] - call > longest[at(lifetime)]) ++lifetime;
    }
    for (Routine& routine : rolled_.routines) {
      for (auto& [lifetime, place] : routine.kept) {
        if (lifetime >= 0) place = routine.values[at(lifetime)]++;
      }
    }
  }

  /// Assigns slots to the kept values of each call and lifetime, so that they overlap no value that this or a later
  /// call reads.
  void number_slots(const std::vector<int>& last) {
    const int count = static_cast<int>(rolled_.calls.size());
    std::vector<std::array<int, lifetimes>> last_of(at(count));  // by call
    for (int c = 0; c < count; ++c) last_of[at(c)].fill(c);
    for (const int k : schedule_.order) {
      const auto [call, statement] = home_[at(k)];
      const int lifetime = routine_of(call).kept[at(statement)].lifetime;
      if (lifetime >= 0) last_of[at(call)][at(lifetime)] = std::max(last_of[at(call)][at(lifetime)], last[at(k)]);
    }
    for (std::size_t life = 0; life < lifetimes; ++life) {
      std::vector<std::vector<int>> end_with(at(count));
      for (int c = 0; c < count; ++c) end_with[at(last_of[at(c)][life])].push_back(c);
      FreeSlots free(rolled_.slots);
      for (int c = 0; c < count; ++c) {
        rolled_.calls[at(c)].first_slot[life] = free.take(routine_of(c).values[life]);
        for (const int done : end_with[at(c)])
          free.give(rolled_.calls[at(done)].first_slot[life], routine_of(done).values[life]);
      }
      rolled_.slots = free.end();
    }
    for (const int k : schedule_.order) {
      const auto [call, statement] = home_[at(k)];
      const auto [lifetime, place] = routine_of(call).kept[at(statement)];
      if (lifetime >= 0) slot_[at(k)] = rolled_.calls[at(call)].first_slot[at(lifetime)] + place;
    }
    for (RoutineCall& call : rolled_.calls) {
      for (int& read : call.bases) read = slot_[at(read)];
    }
  }

  void make_stages() {
    const int count = static_cast<int>(rolled_.calls.size());
    rolled_.stages.push_back({0, {}});
    for (int c = 0; c < count; c += stage) rolled_.stages.push_back({std::min(stage, count - c), {}});
    for (RolledStage& s : rolled_.stages) s.results.resize(function_.results.size());
    for (int k = 0; k < graph_.size(); ++k) {
      const int call = home_[at(k)].call;
      RolledStage& s = rolled_.stages[at(call < 0 ? 0 : 1 + call / stage)];
      for (const auto& [array, entry] : targets_[at(k)]) s.results[at(array)].push_back({entry, slot_[at(k)]});
    }
  }

  /// Finds operands and results with constant relative offsets in all calls of a routine; they share one base. Values
  /// that one call kept together are usually read together, and neighbouring results are written together.
  void name_bases() {
    for (std::size_t r = 0; r < rolled_.routines.size(); ++r) {
      Routine& routine = rolled_.routines[r];
      const std::vector<int>& calls = calls_of_[r];
      const auto slot = [&](int call, std::size_t k) { return rolled_.calls[at(call)].bases[k]; };
      const auto entry = [&](int call, std::size_t k) { return entries_[at(call)][k]; };
      const auto same_array = [&](std::size_t a, std::size_t b) {
        return routine.writes[a].array == routine.writes[b].array;
      };
      const std::vector<std::size_t> slots = named(
          calls, rolled_.calls[at(calls[0])].bases.size(), slot, [](auto, auto) { return true; },
          [&](int base, int offset) {
            routine.reads.push_back({base, offset});
          });
      routine.bases = static_cast<int>(slots.size());
      auto write = routine.writes.begin();
      const std::vector<std::size_t> entries =
          named(calls, routine.writes.size(), entry, same_array, [&](int base, int offset) {
            write->base = routine.bases + base;
            (write++)->offset = offset;
          });
      for (const int call : calls) {
        std::vector<int> bases;
        for (const std::size_t k : slots) bases.push_back(slot(call, k));
        for (const std::size_t k : entries) bases.push_back(entry(call, k));
        rolled_.calls[at(call)].bases = bases;
      }
    }
  }

  /// Returns the indices of the numbers that become bases. `say` gets the base and the offset of each number.
  template <class Number, class Alike, class Say>
  static std::vector<std::size_t> named(const std::vector<int>& calls, std::size_t count, const Number& number,
                                        const Alike& alike, const Say& say) {
    std::vector<std::size_t> names;
    const auto fixed_offset = [&](std::size_t a, std::size_t b) {
      const int offset = number(calls[0], b) - number(calls[0], a);
      const bool same = alike(a, b) && std::all_of(calls.begin(), calls.end(), [&](int call) {
                          return number(call, b) - number(call, a) == offset;
                        });
      return same ? std::optional(offset) : std::nullopt;
    };
    for (std::size_t k = 0; k < count; ++k) {
      std::size_t base = 0;
      while (base < names.size() && !fixed_offset(names[base], k)) ++base;
      if (base == names.size()) names.push_back(k);
      say(static_cast<int>(base), *fixed_offset(names[base], k));
    }
    return names;
  }

  const RecordedFunction& function_;
  const ExpressionGraph& graph_;
  const Schedule& schedule_;
  std::vector<std::vector<Target>> targets_;  ///< by expression: the results that it is and that no routine writes
  std::vector<Home> home_;                    ///< by expression
  std::vector<int> slot_;                     ///< by expression
  std::vector<std::size_t> first_of_;         ///< by call: its first statement in the schedule
  std::vector<std::vector<int>> entries_;     ///< by call: entries of the results that its routine writes
  std::vector<std::vector<int>> calls_of_;    ///< by routine
  std::map<std::vector<RoutineStatement>, int> routines_;
  RolledFunction rolled_;
};

}  // namespace

RolledFunction roll(const Schedule& schedule, const LeavesOut& leaves_out) {
  return Roller(schedule, leaves_out).roll();
}

}  // namespace articula::generate
