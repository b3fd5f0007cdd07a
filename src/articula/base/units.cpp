#include <articula/base/units.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include <articula/base/number.h>
#include <articula/base/text.h>

namespace articula::base {
namespace {

/// One unit is si/per in SI units. A fraction of exact numbers, so that 1001 mm is read as 1.001.
struct Unit {
  std::string_view symbol;
  double si;
  Dimension dimension;
  double per = 1;
};

constexpr double pi = std::numbers::pi;

constexpr std::array units{
    Unit{"1", 1, {}},
    Unit{"%", 1, {}, 100},
    Unit{"m", 1, dimension::length},
    Unit{"km", 1e3, dimension::length},
    Unit{"dm", 1, dimension::length, 10},
    Unit{"cm", 1, dimension::length, 100},
    Unit{"mm", 1, dimension::length, 1e3},
    Unit{"um", 1, dimension::length, 1e6},
    Unit{"in", 0.0254, dimension::length},
    Unit{"ft", 0.3048, dimension::length},
    Unit{"kg", 1, dimension::mass},
    Unit{"g", 1, dimension::mass, 1e3},
    Unit{"mg", 1, dimension::mass, 1e6},
    Unit{"t", 1e3, dimension::mass},
    Unit{"lb", 0.45359237, dimension::mass},
    Unit{"l", 1, {.m = 3}, 1e3},
    Unit{"L", 1, {.m = 3}, 1e3},
    Unit{"ml", 1, {.m = 3}, 1e6},
    Unit{"s", 1, dimension::time},
    Unit{"ms", 1, dimension::time, 1e3},
    Unit{"us", 1, dimension::time, 1e6},
    Unit{"min", 60, dimension::time},
    Unit{"h", 3600, dimension::time},
    Unit{"rad", 1, dimension::angle},
    Unit{"mrad", 1, dimension::angle, 1e3},
    Unit{"deg", pi / 180, dimension::angle},
    Unit{"°", pi / 180, dimension::angle},
    Unit{"rev", 2 * pi, dimension::angle},
    Unit{"rpm", 2 * pi / 60, dimension::angular_speed},
    Unit{"Hz", 1, {.s = -1}},
    Unit{"kHz", 1e3, {.s = -1}},
    Unit{"N", 1, dimension::force},
    Unit{"kN", 1e3, dimension::force},
    Unit{"mN", 1, dimension::force, 1e3},
    Unit{"lbf", 4.4482216152605, dimension::force},
    Unit{"Nm", 1, dimension::torque},
    Unit{"Nmm", 1, dimension::torque, 1e3},
    Unit{"mNm", 1, dimension::torque, 1e3},
    Unit{"kNm", 1e3, dimension::torque},
    Unit{"Pa", 1, dimension::pressure},
    Unit{"kPa", 1e3, dimension::pressure},
    Unit{"MPa", 1e6, dimension::pressure},
    Unit{"GPa", 1e9, dimension::pressure},
    Unit{"bar", 1e5, dimension::pressure},
    Unit{"mbar", 100, dimension::pressure},
    Unit{"psi", 4.4482216152605 / (0.0254 * 0.0254), dimension::pressure},
    Unit{"J", 1, dimension::torque},
    Unit{"kJ", 1e3, dimension::torque},
    Unit{"W", 1, {.m = 2, .kg = 1, .s = -3}},
    Unit{"kW", 1e3, {.m = 2, .kg = 1, .s = -3}},
    Unit{"A", 1, {.A = 1}},
    Unit{"mA", 1, {.A = 1}, 1e3},
    Unit{"mV", 1, {.m = 2, .kg = 1, .s = -3, .A = -1}, 1e3},
    Unit{"V", 1, {.m = 2, .kg = 1, .s = -3, .A = -1}},
    Unit{"Ohm", 1, {.m = 2, .kg = 1, .s = -3, .A = -2}},
    Unit{"H", 1, {.m = 2, .kg = 1, .s = -2, .A = -2}},
    Unit{"mH", 1, {.m = 2, .kg = 1, .s = -2, .A = -2}, 1e3},
};

Dimension times(const Dimension& a, const Dimension& b, int power) {
  return {a.m + power * b.m, a.kg + power * b.kg, a.s + power * b.s, a.rad + power * b.rad, a.A + power * b.A};
}

std::vector<std::string> unit_symbols() {
  std::vector<std::string> symbols;
  for (const Unit& unit : units) symbols.emplace_back(unit.symbol);
  return symbols;
}

/// One factor of a unit, `s^2` or `mm`, taken off the front of `text`.
struct Factor {
  const Unit* unit = nullptr;
  int power = 1;
};

std::string_view take_until(std::string_view& text, std::string_view stops) {
  const std::size_t end = std::min(text.find_first_of(stops), text.size());
  const std::string_view head = text.substr(0, end);
  text.remove_prefix(end);
  return head;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

constexpr int highest_power = 9;

std::optional<Factor> to_factor(std::string_view text) {
  const std::string_view symbol = trimmed(take_until(text, "^"));
  Factor factor;
  for (const Unit& unit : units) {
    if (unit.symbol == symbol) factor.unit = &unit;
  }
  if (factor.unit == nullptr) return std::nullopt;
  if (!text.empty()) {
    const auto power = to_integer(trimmed(text.substr(1)));
    if (!power || std::abs(*power) > highest_power) return std::nullopt;
    factor.power = *power;
  }
  return factor;
}

}  // namespace

std::string unit_text(const Dimension& d) {
  struct Known {
    Dimension dimension;
    std::string_view text;
  };
  static constexpr std::array known{
      Known{dimension::none, "no unit"},
      Known{dimension::force, "N"},
      Known{dimension::torque, "N*m"},
      Known{dimension::pressure, "Pa"},
      Known{dimension::stiffness, "N/m"},
      Known{dimension::torsional_stiffness, "N*m/rad"},
      Known{dimension::damping, "N*s/m"},
      Known{dimension::torsional_damping, "N*m*s/rad"},
      Known{dimension::angular_momentum, "N*m*s"},
      Known{{.m = 2, .kg = 1, .s = -3}, "W"},
      Known{{.kg = 1, .s = -3}, "N/m/s"},
      Known{{.m = 2, .kg = 1, .s = -3, .rad = -1}, "N*m/rad/s"},
      Known{{.m = 2, .kg = 1, .s = -3, .A = -1}, "V"},
      Known{{.m = 2, .kg = 1, .s = -3, .A = -2}, "Ohm"},
      Known{{.m = 2, .kg = 1, .s = -2, .A = -2}, "H"},
      Known{{.m = 1, .kg = 1, .s = -2, .A = -1}, "N/A"},
      Known{{.m = 2, .kg = 1, .s = -2, .A = -1}, "N*m/A"},
      Known{{.m = 2, .kg = 1, .s = -2, .rad = -1, .A = -1}, "V*s/rad"},
      Known{{.m = 4, .kg = -1, .s = 1}, "m^3/s/Pa"},
  };
  for (const Known& each : known) {
    if (each.dimension == d) return std::string(each.text);
  }
  std::string above, below;
  const auto put = [&](std::string_view symbol, int power) {
    if (power == 0) return;
    std::string& side = power > 0 ? above : below;
    if (power > 0 && !side.empty()) side += '*';
    if (power < 0) side += '/';
    side += symbol;
    if (std::abs(power) > 1) side += concat("^", std::abs(power));
  };
  put("kg", d.kg);
  put("m", d.m);
  put("rad", d.rad);
  put("A", d.A);
  put("s", d.s);
  return (above.empty() ? "1" : above) + below;
}

std::string printed_unit(std::string_view unit) {
  if (unit == "1") return {};
  std::string text;
  for (std::size_t k = 0; k < unit.size(); ++k) {
    constexpr std::array<std::string_view, 10> raised{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    if (unit[k] == '*') {
      text += "·";
    } else if (unit[k] == '^' && k + 1 < unit.size() && unit[k + 1] >= '0' && unit[k + 1] <= '9') {
      while (k + 1 < unit.size() && unit[k + 1] >= '0' && unit[k + 1] <= '9') {
        text += raised[static_cast<std::size_t>(unit[++k] - '0')];
      }
    } else {
      text += unit[k];
    }
  }
  return text;
}

/// The end of the characters from `begin` on that may belong to a number.
static std::size_t end_of_number(std::string_view text, std::size_t begin) {
  std::size_t end = begin;
  while (end < text.size()) {
    const char c = text[end];
    const bool exponent = (c == 'e' || c == 'E') && end + 1 < text.size() &&
                          std::string_view("+-0123456789").find(text[end + 1]) != std::string_view::npos;
    const bool sign = (c == '+' || c == '-') && (end == begin || text[end - 1] == 'e' || text[end - 1] == 'E');
    if (!(c >= '0' && c <= '9') && c != '.' && !exponent && !sign) break;
    ++end;
  }
  return end;
}

QuantityOrWhy to_quantity(std::string_view text) {
  text = trimmed(text);
  // The number ends where its digits do; what follows is the unit.
  std::size_t end = end_of_number(text, 0);
  auto value = to_number(text.substr(0, end));
  if (value && end + 1 < text.size() && text[end] == '/' && text[end + 1] >= '0' && text[end + 1] <= '9') {
    // A fraction, -1/3.
    const std::size_t begin = end + 1;
    end = end_of_number(text, begin);
    const auto below = to_number(text.substr(begin, end - begin));
    if (!below) return {std::nullopt, why_no_number(text)};
    if (*below == 0) return {std::nullopt, concat(quoted(text), " divides by zero. The denominator must not be 0")};
    value = *value / *below;
  }
  const std::string_view number = text.substr(0, end);
  std::string_view unit = trimmed(text.substr(end));
  const bool unit_like = !unit.empty() && (end < text.size() && (text[end] == ' ' || text[end] == '\t'));
  if (!value) return {std::nullopt, why_no_number(text)};
  if (unit.empty()) return {Quantity{*value, std::nullopt}, ""};
  if (!unit_like) {
    std::string_view rest = unit;
    if (!to_factor(take_until(rest, "*/"))) return {std::nullopt, why_no_number(text)};
    return {std::nullopt,
            concat(quoted(text), " lacks a blank before its unit. Write ", quoted(concat(number, " ", unit)))};
  }

  Quantity quantity{*value, Dimension{}};
  int side = 1;
  std::string_view rest = unit;
  double above = 1, below = 1;
  while (true) {
    const std::string_view piece = take_until(rest, "*/");
    const auto factor = to_factor(piece);
    if (!factor) {
      const auto symbols = unit_symbols();
      return {std::nullopt, concat("unit ", quoted(unit), ": ", quoted(trimmed(piece)), " is not known.",
                                   choices(trimmed(piece), "units", symbols))};
    }
    const int power = side * factor->power;
    (power > 0 ? above : below) *= std::pow(factor->unit->si, std::abs(power));
    (power > 0 ? below : above) *= std::pow(factor->unit->per, std::abs(power));
    quantity.dimension = times(*quantity.dimension, factor->unit->dimension, power);
    if (rest.empty()) break;
    side = rest.front() == '*' ? 1 : -1;
    rest.remove_prefix(1);
  }
  quantity.value = *value * above / below;
  if (!std::isfinite(quantity.value) || (quantity.value == 0) != (*value == 0)) {
    return {std::nullopt, concat(quoted(text), " is outside the range of numbers when turned into SI units. ",
                                 "Allowed: up to ±1.79e308, down to ±4.9e-324")};
  }
  return {quantity, ""};
}

bool fits(const Dimension& given, const Dimension& wanted) {
  if (given == wanted) return true;
  Dimension with_angle = given;
  with_angle.rad = wanted.rad;
  const bool compound = wanted.kg != 0 || wanted.m != 0;
  return compound && given.rad == 0 && with_angle == wanted;
}

ValueOrWhy to_value(std::string_view text, const Dimension& wanted) {
  const auto [quantity, why] = to_quantity(text);
  if (!quantity) return {std::nullopt, why, why.starts_with("unit ") ? "unit-unknown" : "number-invalid"};
  if (quantity->dimension && !fits(*quantity->dimension, wanted)) {
    return {std::nullopt,
            concat(quoted(text), " is in ", unit_text(*quantity->dimension), ", but ", unit_text(wanted),
                   wanted == dimension::none ? " is allowed here" : " or another unit of that kind is needed here"),
            "unit-dimension"};
  }
  return {quantity->value, "", ""};
}

}  // namespace articula::base
