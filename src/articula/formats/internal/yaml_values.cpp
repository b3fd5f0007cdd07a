#include <articula/formats/internal/yaml_values.h>

#include <algorithm>

#include <articula/base/number.h>
#include <articula/formats/internal/degrees.h>
#include <articula/formats/internal/unit_direction.h>

namespace articula::formats {

std::string with_period(std::string text) {
  if (!text.ends_with('.') && !text.ends_with('?')) text += '.';
  return text;
}

bool read_value(const Spot& spot, double& value, const Dimension& dimension) {
  if (!spot.node.is_scalar()) {
    spot.wrong_type("A number is needed, e.g. 0.5.");
    return false;
  }
  const ValueOrWhy read = to_value(spot.node.text(), dimension);
  if (!read.value) {
    spot.error(read.code, with_period(concat(": ", read.why)));
    return false;
  }
  value = *read.value;
  return true;
}

bool read_value(const Spot& spot, int& value, const Dimension&) {
  const auto number = spot.node.is_scalar() ? to_integer(spot.node.text()) : std::nullopt;
  if (!number) {
    spot.error(spot.node.is_scalar() ? "number-invalid" : "value-type",
               concat(" is ", what_stands(spot.node), ". A whole number is needed, e.g. 4."));
    return false;
  }
  value = *number;
  return true;
}

bool read_value(const Spot& spot, bool& value, const Dimension&) {
  const std::string_view text = spot.node.is_scalar() ? spot.node.text() : std::string_view();
  if (text != "true" && text != "false") {
    spot.wrong_type("Allowed: true, false.");
    return false;
  }
  value = text == "true";
  return true;
}

bool read_value(const Spot& spot, std::string& value, const Dimension&) {
  if (!spot.node.is_scalar()) {
    spot.wrong_type("A text is needed.");
    return false;
  }
  value = spot.node.text();
  return true;
}

bool read_snap(const Spot& spot, double& snap) {
  double value = snap;
  if (!read_value(spot, value, dimension::none)) return false;
  if (const std::string why = why_no_snap(value); !why.empty()) {
    spot.error("snap-out-of-range", concat(" is ", value, ". ", why));
    return false;
  }
  snap = value;
  return true;
}

bool read_name(const Spot& spot, const YamlNode& node, std::string& name) {
  if (!node.is_scalar()) {
    spot.wrong_type("A name is needed.");
    return false;
  }
  if (const std::string why = why_no_name(node.text()); !why.empty()) {
    spot.error_at(node, "name-invalid", concat(": ", why, "."));
    return false;
  }
  name = node.text();
  return true;
}

static std::string entries_text(std::size_t count) { return concat(count, count == 1 ? " entry" : " entries"); }

bool read_numbers(const Spot& spot, std::span<double> values, const Dimension& dimension, std::string_view example) {
  if (!spot.node.is_sequence()) {
    spot.wrong_type(concat("A list of ", values.size(), " numbers is needed, e.g. ", example, "."));
    return false;
  }
  if (spot.node.size() != values.size()) {
    spot.error("vector-length",
               concat(" has ", entries_text(spot.node.size()), ". It needs ", values.size(), ", e.g. ", example, "."));
    return false;
  }
  bool ok = true;
  for (std::size_t k = 0; k < values.size(); ++k) ok &= read_value(Spot(spot, k), values[k], dimension);
  return ok;
}

bool read_value(const Spot& spot, Vec3<double>& value, const Dimension& dimension) {
  std::array<double, 3> numbers{};
  if (!read_numbers(spot, numbers, dimension, "[0, 0, 0.2]")) return false;
  value = {numbers[0], numbers[1], numbers[2]};
  return true;
}

bool read_value(const Spot& spot, Direction& value, const Dimension&) {
  constexpr std::string_view needed = "A direction is x, y, z, -x, -y, -z or three numbers, e.g. [0, 0, 1].";
  if (spot.node.is_scalar()) {
    const std::string_view text = spot.node.text();
    const bool negative = text.starts_with('-');
    const std::string_view letter = negative ? text.substr(1) : text;
    if (letter != "x" && letter != "y" && letter != "z") {
      spot.error("direction-unknown", concat(" is ", what_stands(spot.node), ". ", needed));
      return false;
    }
    const Vec3<double> axis = Vec3<double>::unit(letter.front() - 'x');
    value.v = negative ? Vec3<double>{0, 0, 0} - axis : axis;
    return true;
  }
  if (!spot.node.is_sequence()) {
    spot.wrong_type(needed);
    return false;
  }
  std::array<double, 3> v{};
  if (!read_numbers(spot, v, dimension::none, "[0, 0, 1]")) return false;
  if (v[0] == 0 && v[1] == 0 && v[2] == 0) {
    const bool joint = spot.subject.kind == Joint::name;
    spot.error(joint ? "joint-axis-zero" : "direction-zero",
               concat(" is (0, 0, 0). ", joint ? "An axis needs a direction" : "A direction has a length",
                      "; give e.g. (0, 0, 1)."));
    return false;
  }
  value = unit_direction({v[0], v[1], v[2]});
  return true;
}

bool read_value(const Spot& spot, SymMat3<double>& value, const Dimension& dimension) {
  Keys keys(spot, "A mapping is needed, e.g. {xx: 0.1, yy: 0.1, zz: 0.1}.");
  SymMat3<double> read = SymMat3<double>::zero();
  bool ok = keys.ok();
  const auto entry = [&](std::string_view name, double& number) {
    if (const auto each = keys.find(name)) ok &= read_value(*each, number, dimension);
  };
  entry("xx", read.xx), entry("yy", read.yy), entry("zz", read.zz);
  entry("xy", read.xy), entry("xz", read.xz), entry("yz", read.yz);
  keys.finish({"xx", "yy", "zz", "xy", "xz", "yz"});
  if (ok) value = read;
  return ok;
}

bool read_value(const Spot& spot, std::vector<double>& value, const Dimension& dimension) {
  std::vector<double> numbers(spot.node.is_sequence() ? spot.node.size() : 1);
  const bool ok = spot.node.is_sequence() ? read_numbers(spot, numbers, dimension, "[0.5, 0.5]")
                                          : read_value(spot, numbers.front(), dimension);
  if (ok) value = std::move(numbers);
  return ok;
}

bool read_value(const Spot& spot, std::vector<std::string>& value, const Dimension&) {
  std::vector<std::string> texts(spot.node.is_sequence() ? spot.node.size() : 1);
  bool ok = true;
  if (spot.node.is_sequence()) {
    for (std::size_t k = 0; k < texts.size(); ++k) ok &= read_value(Spot(spot, k), texts[k], dimension::none);
  } else if (spot.node.is_mapping() || spot.node.is_null()) {
    spot.wrong_type("A name or a list of names is needed.");
    ok = false;
  } else {
    texts.front() = spot.node.text();
  }
  if (ok) value = std::move(texts);
  return ok;
}

bool read_value(const Spot& spot, Rows& value, const Dimension& dimension) {
  if (!spot.node.is_sequence()) {
    double number = 0;
    if (!read_value(spot, number, dimension)) return false;
    value = {{number}};
    return true;
  }
  Rows rows;
  bool ok = true;
  for (std::size_t k = 0; k < spot.node.size(); ++k) {
    const Spot row(spot, k);
    if (!row.node.is_sequence()) {
      row.wrong_type("A matrix is a list of rows, e.g. [[1, 0], [0.5, 1]].");
      return false;
    }
    const std::size_t columns = rows.empty() ? row.node.size() : rows.front().size();
    rows.emplace_back(columns);
    ok &= read_numbers(row, rows.back(), dimension, "[[1, 0], [0.5, 1]]");
  }
  if (ok) value = std::move(rows);
  return ok;
}

static constexpr std::string_view limits_example = "[-1.5, 1.5]; write none where there is no bound";

/// A bound; `none` means infinite.
static bool read_bound(const Spot& spot, double& bound, const Dimension& dimension) {
  return (spot.node.is_scalar() && spot.node.text() == "none") || read_value(spot, bound, dimension);
}

/// Warns about a bound of several turns without a unit, which is probably meant in degrees. Returns whether it did.
static bool warn_of_degrees(const Spot& spot, double bound) {
  if (!looks_like_degrees(bound) || !to_number(spot.node.text())) return false;
  spot.warning("limit-in-degrees", degrees_question(bound));
  return true;
}

static bool read_limits(const Spot& spot, Limits& limits, const Dimension& dimension) {
  if (spot.node.is_scalar() && spot.node.text() == "none") return true;
  if (!spot.node.is_sequence()) {
    spot.wrong_type(concat("Limits are a lower and an upper bound, e.g. ", limits_example, "."));
    return false;
  }
  if (spot.node.size() != 2) {
    spot.error("vector-length", concat(" has ", entries_text(spot.node.size()),
                                       ". It needs a lower and an upper bound, e.g. ", limits_example, "."));
    return false;
  }
  const bool lower = read_bound(Spot(spot, 0), limits.lower, dimension);
  if (!read_bound(Spot(spot, 1), limits.upper, dimension) || !lower) return false;
  if (dimension == dimension::angle && !warn_of_degrees(Spot(spot, 0), limits.lower)) {
    warn_of_degrees(Spot(spot, 1), limits.upper);
  }
  return true;
}

bool read_value(const Spot& spot, std::vector<Limits>& value, const Dimension& dimension) {
  // A list of numbers is one pair; a list that contains a list is a list of pairs.
  bool several = spot.node.is_sequence() && spot.node.size() == 0;
  for (std::size_t k = 0; spot.node.is_sequence() && k < spot.node.size(); ++k)
    several |= spot.node.item(k).is_sequence();
  std::vector<Limits> all;
  bool ok = true;
  if (!several) {
    ok = read_limits(spot, all.emplace_back(), dimension);
  } else {
    for (std::size_t k = 0; k < spot.node.size(); ++k) ok &= read_limits(Spot(spot, k), all.emplace_back(), dimension);
  }
  if (ok) value = std::move(all);
  return ok;
}

bool read_choice(const Spot& spot, std::span<const std::string_view> names, int& place) {
  if (!spot.node.is_scalar()) {
    spot.wrong_type(concat("Allowed: ", list_of(std::vector<std::string>(names.begin(), names.end())), "."));
    return false;
  }
  const auto found = std::find(names.begin(), names.end(), spot.node.text());
  if (found == names.end()) {
    const std::vector<std::string> allowed(names.begin(), names.end());
    const auto guess = closest(spot.node.text(), allowed);
    spot.error("value-unknown",
               concat(" is ", what_stands(spot.node), ".", guess ? concat(" Did you mean ", quoted(*guess), "?") : "",
                      " Allowed: ", list_of(allowed), "."));
    return false;
  }
  place = static_cast<int>(found - names.begin());
  return true;
}

}  // namespace articula::formats
