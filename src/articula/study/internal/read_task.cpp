#include <articula/study/internal/read_task.h>

#include <cmath>

#include <articula/base/number.h>
#include <articula/study/internal/set_property.h>

namespace articula::study {

/// The number of values of a range. `1e3` is a whole number, too.
static bool read_count(const Spot& spot, int& count) {
  constexpr int most = 1'000'000;
  const auto number = spot.node.is_scalar() ? to_number(spot.node.text()) : std::nullopt;
  if (!number || *number != std::floor(*number) || *number < 2 || *number > most) {
    spot.error(number ? "value-range" : "number-invalid",
               concat(" is ", what_stands(spot.node), ". A whole number from 2 to ", most, " is needed, e.g. 10."));
    return false;
  }
  count = static_cast<int>(*number);
  return true;
}

/// `{from: 0.1, to: 1, count: 10}`: equidistant values, with both ends.
static bool read_range(const Spot& spot, SweepValues& values) {
  Keys keys(spot, "A list of values is needed, or {from: 0.1, to: 1, count: 10}.");
  if (!keys.ok()) return false;
  std::string from, to;
  int count = 0;
  const auto count_spot = keys.find("count");
  const bool complete =
      read_key(keys, "from", from, dimension::none) && read_key(keys, "to", to, dimension::none) && count_spot;
  keys.finish({"from", "to", "count"});
  if (complete && !read_count(*count_spot, count)) return false;
  if (!complete) {
    spot.error("value-missing", ": from, to and count are needed, e.g. {from: 0.1, to: 1, count: 10}.");
    return false;
  }
  const QuantityOrWhy first = to_quantity(from), last = to_quantity(to);
  if (!first.quantity || !last.quantity) {
    spot.error("number-invalid", with_period(concat(": ", first.quantity ? last.why : first.why)));
    return false;
  }
  const double a = first.quantity->value, b = last.quantity->value;
  const std::optional<Dimension> unit =
      first.quantity->dimension ? first.quantity->dimension : last.quantity->dimension;
  // If one end has a unit, the other one needs one too, unless it is zero.
  const auto agrees = [&](const Quantity& end) { return end.dimension == unit || (!end.dimension && end.value == 0); };
  if (!agrees(*first.quantity) || !agrees(*last.quantity)) {
    spot.error("unit-dimension", concat(": from is ", quoted(from), " and to is ", quoted(to),
                                        ". Both ends need units of the same kind; write the unit at both."));
    return false;
  }
  values.set({a, b, static_cast<std::size_t>(count),
              unit && *unit != dimension::none ? concat(" ", unit_text(*unit)) : "", spot.where()});
  return true;
}

static bool read_value(const Spot& spot, std::vector<SweepAxis>& value, const Dimension&) {
  if (!spot.node.is_mapping() || spot.node.size() == 0) {
    spot.wrong_type("Values by path are needed, e.g. {link7.mass: [0.1, 0.5, 1]}.");
    return false;
  }
  constexpr std::size_t most = 100;
  if (spot.node.size() > most) {
    spot.error("study-too-large", concat(" has ", spot.node.size(), " entries. At most ", most,
                                         " are allowed: sweep over fewer properties at a time."));
    return false;
  }
  bool ok = true;
  for (std::size_t k = 0; k < spot.node.size(); ++k) {
    const Spot values(spot, spot.node.value(k), spot.node.key(k).text());
    SweepAxis axis{std::string(values.label()), {}, values.where()};
    if (values.node.is_sequence()) {
      for (std::size_t i = 0; i < values.node.size(); ++i)
        axis.values.add(passage_of(values.node.item(i), spot.subject.file));
      if (axis.values.size() == 0) {
        values.error("value-missing", ": there are no values.");
        ok = false;
      }
    } else {
      ok &= read_range(values, axis.values);
    }
    value.push_back(std::move(axis));
  }
  return ok;
}

static bool read_value(const Spot& spot, std::shared_ptr<const NamedTask>& value, const Dimension&) {
  NamedTask task{.name = "task", .kind = {}, .overrides = {}, .start = {}, .where = spot.where()};
  if (!read_task(spot, task)) return false;
  if (std::holds_alternative<SweepTask>(task.kind)) {
    spot.error("value-unknown", ": a sweep inside a sweep. Sweep over several parameters at once instead.");
    return false;
  }
  value = std::make_shared<const NamedTask>(std::move(task));
  return true;
}

bool read_task(const Spot& spot, NamedTask& task) {
  constexpr std::array<std::string_view, 2> common{"override", "start"};
  Keys keys(spot, "A task is a mapping with a type, e.g. {type: simulate, until: 1 s}.");
  read_key(keys, "override", task.overrides, dimension::none);
  read_key(keys, "start", task.start, dimension::none);
  return read_kind(keys, task.kind, common);
}

void set_task_property(TaskKind& task, std::string_view property, std::string_view what, const Override& one) {
  set_property(task, property, what, one);
}

std::optional<Dimension> task_dimension(const TaskKind& task, std::string_view property) {
  return property_dimension(task, property);
}

}  // namespace articula::study
