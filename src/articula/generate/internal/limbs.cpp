#include <articula/base/index.h>
#include <articula/generate/internal/limbs.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <numeric>

namespace articula::generate {
namespace {

constexpr int most_limbs = 62;  ///< the bits of a set without that of the trunk; further limbs count as trunk
constexpr int most_warps = 8;

/// The operands of an expression, −1 for none.
std::array<int, 2> operands_of(const Expression& e) {
  const int count = operands(e.operation);
  return {count > 0 ? e.a : -1, count > 1 ? e.b : -1};
}

template <class Visit>
void each_operand(const Expression& e, Visit&& visit) {
  for (const int k : operands_of(e)) {
    if (k >= 0) visit(k);
  }
}

/// Whether it is available everywhere without computation: inputs, constants, and sines and cosines of inputs.
bool is_given(const ExpressionGraph& graph, int k) {
  return operands(graph[k].operation) == 0 || is_of_angle(graph, graph[k]);
}

using Set = std::uint64_t;
bool is_one(Set set) { return set != 0 && (set & (set - 1)) == 0; }
int index_of(Set set) {
  int k = 0;
  while ((set >> k) > 1) ++k;
  return k;
}

/// The limb of a number of an array; −1 if the function has no limbs.
int limb_at(const std::vector<std::vector<int>>& limbs, std::size_t array, std::size_t k) {
  return array < limbs.size() && k < limbs[array].size() ? limbs[array][k] : -1;
}

std::vector<int> owners(const Schedule& schedule) {
  const RecordedFunction& function = *schedule.function;
  const ExpressionGraph& graph = function.graph;
  const auto bit = [](int limb) { return limb < 0 || limb >= most_limbs ? Set(0) : Set(1) << limb; };
  constexpr Set trunk = Set(1) << most_limbs;
  std::vector<Set> from(at(graph.size()), 0), to(at(graph.size()), 0);
  for (int k = 0; k < graph.size(); ++k) {
    const Expression& e = graph[k];
    if (e.operation == Operation::input) from[at(k)] = bit(limb_at(function.input_limbs, at(e.a), at(e.b)));
    each_operand(e, [&](int o) { from[at(k)] |= from[at(o)]; });
  }
  for (std::size_t a = 0; a < function.results.size(); ++a) {
    for (std::size_t i = 0; i < function.results[a].size(); ++i) {
      const Set limb = bit(limb_at(function.output_limbs, a, i));
      to[at(function.results[a][i])] |= limb != 0 ? limb : trunk;
    }
  }
  for (int k = graph.size() - 1; k >= 0; --k) {
    if (schedule.uses[at(k)] > 0) each_operand(graph[k], [&](int o) { to[at(o)] |= to[at(k)]; });
  }
  std::vector<int> owner(at(graph.size()), -1);
  for (std::size_t k = 0; k < owner.size(); ++k) {
    if (is_one(from[k])) {
      owner[k] = index_of(from[k]);
    } else if (is_one(to[k]) && to[k] != trunk) {
      owner[k] = index_of(to[k]);
    }
  }
  return owner;
}

/// The phase of each expression. A phase ends wherever a value passes to another owner. Phases are as late as possible,
/// but those of results as early as possible.
std::vector<int> phases_of(const Schedule& schedule, const std::vector<int>& owner, int& count) {
  const ExpressionGraph& graph = schedule.graph();
  std::vector<int> soonest(at(graph.size()), 0), phase(at(graph.size()), std::numeric_limits<int>::max());
  const auto handed = [&](int o, int k) { return owner[at(o)] != owner[at(k)] ? 1 : 0; };
  count = 1;
  for (const int k : schedule.order) {
    each_operand(graph[k], [&](int o) {
      if (!is_given(graph, o)) soonest[at(k)] = std::max(soonest[at(k)], soonest[at(o)] + handed(o, k));
    });
    count = std::max(count, soonest[at(k)] + 1);
  }
  for (const std::vector<int>& results : schedule.function->results) {
    for (const int k : results) phase[at(k)] = soonest[at(k)];
  }
  for (std::size_t i = schedule.order.size(); i-- > 0;) {
    const int k = schedule.order[i];
    each_operand(graph[k], [&](int o) { phase[at(o)] = std::min(phase[at(o)], phase[at(k)] - handed(o, k)); });
  }
  return phase;
}

/// Maximum number of live values in one warp. Values from other warps count from their first use.
int live_in_warp(const Split& split, int warp) {
  Schedule own = split.schedule;
  std::erase_if(own.order, [&](int k) { return split.warp[at(k)] != warp; });
  return most_live(own);
}

/// Assigns slots to values that pass between warps. A slot is free again after the phase of its last reader.
void give_slots(const Schedule& schedule, Split& split) {
  const ExpressionGraph& graph = schedule.graph();
  std::vector<int> last(at(graph.size()), -1);  // the last phase in which another warp reads it
  for (const int k : schedule.order) {
    each_operand(graph[k], [&](int o) {
      if (!is_given(graph, o) && split.warp[at(o)] != split.warp[at(k)])
        last[at(o)] = std::max(last[at(o)], split.phase[at(k)]);
    });
  }
  split.slot.assign(at(graph.size()), -1);
  std::vector<int> free;
  std::vector<std::vector<int>> freed(at(split.phases));
  for (int phase = 0; phase < split.phases; ++phase) {
    if (phase > 0) free.insert(free.end(), freed[at(phase - 1)].begin(), freed[at(phase - 1)].end());
    for (const int k : schedule.order) {
      if (last[at(k)] < 0 || split.phase[at(k)] != phase) continue;
      if (free.empty()) free.push_back(split.slots++);
      split.slot[at(k)] = free.back();
      freed[at(last[at(k)])].push_back(free.back());
      free.pop_back();
    }
  }
}

}  // namespace

Limbs find_limbs(const Schedule& schedule) {
  Limbs limbs;
  limbs.owner = owners(schedule);
  limbs.phase = phases_of(schedule, limbs.owner, limbs.phases);
  for (const int owner : limbs.owner) limbs.count = std::max(limbs.count, owner + 1);
  return limbs;
}

Schedule limb_by_limb(const Schedule& schedule, const Limbs& limbs) {
  const ExpressionGraph& graph = schedule.graph();
  Schedule result = schedule;
  result.order.clear();
  std::vector<int> left = schedule.uses;
  std::vector<bool> done(at(graph.size()), false);
  const auto take = [&](int k) {
    result.order.push_back(k);
    done[at(k)] = true;
    each_operand(graph[k], [&](int o) { --left[at(o)]; });
  };
  std::vector<std::vector<int>> by_turn(at(limbs.phases * (limbs.count + 1)));
  std::vector<int> sums;
  for (const int k : schedule.order) {
    by_turn[at(limbs.phase[at(k)] * (limbs.count + 1) + limbs.owner[at(k)] + 1)].push_back(k);
    const Operation operation = graph[k].operation;
    if (limbs.owner[at(k)] < 0 && (operation == Operation::add || operation == Operation::subtract)) sums.push_back(k);
  }
  // Whether a sum is the only use of its two operands, so that it reduces the live values by one.
  const auto gathers = [&](int k) {
    bool yes = !done[at(k)];
    each_operand(graph[k], [&](int o) { yes = yes && !is_given(graph, o) && done[at(o)] && left[at(o)] == 1; });
    return yes;
  };
  for (int phase = 0; phase < limbs.phases; ++phase) {
    // Limbs from the last to the first, the order in which inward recursions sum them.
    for (int turn = 0; turn <= limbs.count; ++turn) {
      const int owner = turn == 0 ? -1 : limbs.count - turn;
      for (const int k : by_turn[at(phase * (limbs.count + 1) + owner + 1)]) {
        if (!done[at(k)]) take(k);
      }
      if (turn == 0) continue;
      for (const int k : sums) {  // in recording order, so that sums of sums follow
        if (gathers(k)) take(k);
      }
    }
  }
  return result;
}

int most_live(const Schedule& schedule) {
  const ExpressionGraph& graph = schedule.graph();
  const std::vector<int>& order = schedule.order;
  constexpr int never = -1;
  std::vector<int> last(at(graph.size()), never);
  for (std::size_t i = 0; i < order.size(); ++i) {
    each_operand(graph[order[i]], [&](int o) { last[at(o)] = static_cast<int>(i); });
  }
  std::vector<bool> there(at(graph.size()), false);
  int live = 0, most = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const int k = order[i];
    const auto arrive = [&](int which) {
      if (there[at(which)] || operands(graph[which].operation) == 0) return;
      there[at(which)] = true;
      ++live;
    };
    each_operand(graph[k], arrive);
    if (last[at(k)] != never) arrive(k);
    most = std::max(most, live);
    each_operand(graph[k], [&](int o) {
      if (!there[at(o)] || last[at(o)] != static_cast<int>(i)) return;
      there[at(o)] = false;
      --live;
    });
  }
  return most;
}

Split split_by_limb(const Schedule& schedule, const Limbs& limbs) {
  std::vector<int> size(at(limbs.count), 0), by_size(at(limbs.count));
  for (const int k : schedule.order) {
    if (limbs.owner[at(k)] >= 0) ++size[at(limbs.owner[at(k)])];
  }
  std::iota(by_size.begin(), by_size.end(), 0);
  std::stable_sort(by_size.begin(), by_size.end(), [&](int a, int b) { return size[at(a)] > size[at(b)]; });

  // Limbs smaller than a third of the largest share the warp of the trunk; the others go to the warp with the least
  // work.
  std::vector<int> warp_of(at(limbs.count + 1), 0), load;
  for (const int limb : by_size) {
    if (3 * size[at(limb)] < size[at(by_size[0])]) continue;
    if (static_cast<int>(load.size()) < most_warps - 1) load.push_back(0);
    const auto least = std::min_element(load.begin(), load.end());
    warp_of[at(limb + 1)] = static_cast<int>(least - load.begin()) + 1;
    *least += size[at(limb)];
  }
  Split split;
  split.warps = static_cast<int>(load.size()) + 1;
  for (const int owner : limbs.owner) split.warp.push_back(warp_of[at(owner + 1)]);
  split.phase = phases_of(schedule, split.warp, split.phases);
  split.schedule = schedule;
  const auto turn = [&](int k) { return std::array{split.phase[at(k)], limbs.phase[at(k)], limbs.owner[at(k)]}; };
  auto& order = split.schedule.order;
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return turn(a) < turn(b); });
  give_slots(schedule, split);
  for (int warp = 0; warp < split.warps; ++warp) {
    split.live = std::max(split.live, live_in_warp(split, warp));
  }
  return split;
}

}  // namespace articula::generate
