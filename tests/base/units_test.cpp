#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <numbers>
#include <string>
#include <utility>

#include <articula/base/units.h>

#include "german_locale.h"

namespace articula::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

constexpr double pi = std::numbers::pi;

struct Published {
  const char* text;
  double si;
  Dimension dimension;
};

/// The SI Brochure, 9th edition (2019), tables 4, 7 and 8; inch, foot, pound and pound-force as in the international yard
/// and pound agreement of 1959 [NIST SP 811 (2008), appendix B.8].
const std::array published{
    Published{"1 m", 1, dimension::length},
    Published{"1 km", 1000, dimension::length},
    Published{"1 dm", 0.1, dimension::length},
    Published{"1 cm", 0.01, dimension::length},
    Published{"1 mm", 0.001, dimension::length},
    Published{"1 um", 1e-6, dimension::length},
    Published{"1 in", 0.0254, dimension::length},
    Published{"1 ft", 0.3048, dimension::length},
    Published{"1 l", 0.001, {.m = 3}},
    Published{"1 L", 0.001, {.m = 3}},
    Published{"1 ml", 1e-6, {.m = 3}},
    Published{"1 kg", 1, dimension::mass},
    Published{"1 mg", 1e-6, dimension::mass},
    Published{"1 g", 0.001, dimension::mass},
    Published{"1 t", 1000, dimension::mass},
    Published{"1 lb", 0.45359237, dimension::mass},
    Published{"1 s", 1, dimension::time},
    Published{"1 ms", 0.001, dimension::time},
    Published{"1 us", 1e-6, dimension::time},
    Published{"1 min", 60, dimension::time},
    Published{"1 h", 3600, dimension::time},
    Published{"1 rad", 1, dimension::angle},
    Published{"1 mrad", 0.001, dimension::angle},
    Published{"1 deg", pi / 180, dimension::angle},
    Published{"1 °", pi / 180, dimension::angle},
    Published{"1 rev", 2 * pi, dimension::angle},
    Published{"1 rpm", 2 * pi / 60, dimension::angular_speed},
    Published{"1 Hz", 1, {.s = -1}},
    Published{"1 kHz", 1000, {.s = -1}},
    Published{"1 N", 1, dimension::force},
    Published{"1 lbf", 4.4482216152605, dimension::force},
    Published{"1 kN", 1000, dimension::force},
    Published{"1 mN", 0.001, dimension::force},
    Published{"1 Nm", 1, dimension::torque},
    Published{"1 Nmm", 0.001, dimension::torque},
    Published{"1 mNm", 0.001, dimension::torque},
    Published{"1 kNm", 1000, dimension::torque},
    Published{"1 Pa", 1, dimension::pressure},
    Published{"1 kPa", 1e3, dimension::pressure},
    Published{"1 MPa", 1e6, dimension::pressure},
    Published{"1 GPa", 1e9, dimension::pressure},
    Published{"1 bar", 1e5, dimension::pressure},
    Published{"1 mbar", 100, dimension::pressure},
    Published{"1 J", 1, dimension::torque},
    Published{"1 kJ", 1000, dimension::torque},
    Published{"1 mV", 0.001, {.m = 2, .kg = 1, .s = -3, .A = -1}},
    Published{"1 W", 1, {.m = 2, .kg = 1, .s = -3}},
    Published{"1 kW", 1000, {.m = 2, .kg = 1, .s = -3}},
    Published{"1 A", 1, {.A = 1}},
    Published{"1 mA", 0.001, {.A = 1}},
    Published{"1 V", 1, {.m = 2, .kg = 1, .s = -3, .A = -1}},
    Published{"1 Ohm", 1, {.m = 2, .kg = 1, .s = -3, .A = -2}},
    Published{"1 H", 1, {.m = 2, .kg = 1, .s = -2, .A = -2}},
    Published{"1 mH", 0.001, {.m = 2, .kg = 1, .s = -2, .A = -2}},
    Published{"1 %", 0.01, dimension::none},
    Published{"1 1", 1, dimension::none},
};

double value_of(std::string_view text) {
  const QuantityOrWhy read = to_quantity(text);
  EXPECT_TRUE(read.quantity) << text << ": " << read.why;
  return read.quantity ? read.quantity->value : std::numeric_limits<double>::quiet_NaN();
}

Dimension dimension_of(std::string_view text) {
  const QuantityOrWhy read = to_quantity(text);
  EXPECT_TRUE(read.quantity && read.quantity->dimension) << text << ": " << read.why;
  return read.quantity && read.quantity->dimension ? *read.quantity->dimension : Dimension{};
}

TEST(Units, HaveTheirPublishedValues) {
  for (const auto& [text, si, dimension] : published) {
    EXPECT_EQ(value_of(text), si) << text;
    EXPECT_EQ(dimension_of(text), dimension) << text;
  }
}

TEST(Units, FlowsAndPressuresOfHydraulicsAreKnown) {
  EXPECT_DOUBLE_EQ(value_of("200 l/min"), 200 * 1e-3 / 60);
  EXPECT_EQ(dimension_of("200 l/min"), (Dimension{.m = 3, .s = -1}));
  EXPECT_NEAR(value_of("1 psi"), 6.894757e3, 5e-4);  // [NIST SP 811, B.8], seven digits
}

TEST(Units, FractionsAreNumbers) {
  EXPECT_EQ(value_of("-1/3"), -1.0 / 3);
  EXPECT_EQ(value_of("22/7"), 22.0 / 7);
  EXPECT_EQ(value_of("1.5/2 mm"), 0.75 * 1e-3);
  EXPECT_EQ(value_of("1 1/s"), 1);
  EXPECT_EQ(to_quantity("1/0").why, "\"1/0\" divides by zero. The denominator must not be 0");
  EXPECT_EQ(to_quantity("1/2/3").quantity, std::nullopt);
  EXPECT_THAT(to_quantity("1/s").why, HasSubstr("\"1/s\""));
}

TEST(Units, ReadAsTheDecimalNumberTheyMean) {
  EXPECT_EQ(value_of("1001 mm"), 1.001);
  EXPECT_EQ(value_of("25 mm^2"), 25e-6);
  EXPECT_EQ(value_of("0.7 um"), 0.7e-6);
  EXPECT_EQ(value_of("35 g*cm^2"), 35e-7);
  EXPECT_EQ(value_of("-12.5 cm"), -0.125);
  EXPECT_EQ(value_of("36 km/h"), 10);
  EXPECT_EQ(value_of("53.8 mNm/A"), 0.0538);  // a motor's torque constant
  EXPECT_EQ(value_of("53.8 mN*m/A"), 0.0538);
  EXPECT_EQ(value_of("180 deg"), pi);
  EXPECT_EQ(value_of("90 deg"), pi / 2);
}

TEST(Units, Multiply) {
  EXPECT_EQ(dimension_of("1 N*m"), dimension::torque);
  EXPECT_EQ(dimension_of("1 kg*m^2"), dimension::inertia);
  EXPECT_EQ(dimension_of("1 N*m/rad"), dimension::torsional_stiffness);
  EXPECT_EQ(dimension_of("1 N*m*s/rad"), dimension::torsional_damping);
  EXPECT_EQ(dimension_of("1 N/m"), dimension::stiffness);
  EXPECT_EQ(dimension_of("1 N*s/m"), dimension::damping);
  EXPECT_EQ(dimension_of("1 kg/m^3"), dimension::density);
  EXPECT_EQ(dimension_of("1 m/s^2"), dimension::acceleration);
  EXPECT_EQ(dimension_of("1 m/s/s"), dimension::acceleration);
  EXPECT_EQ(dimension_of("1 m*s^-2"), dimension::acceleration);
  EXPECT_EQ(dimension_of("1 m / s ^ 2"), dimension::acceleration);
  EXPECT_EQ(dimension_of("1 1/s"), Dimension{.s = -1});
  EXPECT_EQ(dimension_of("1 V*A*s"), dimension::torque);
  EXPECT_EQ(dimension_of("1 m^0"), dimension::none);
}

TEST(Units, AreReadFromLeftToRight) {
  EXPECT_EQ(dimension_of("1 N*m/rad*s"), dimension::torsional_damping);
  EXPECT_EQ(dimension_of("1 m/s*s"), dimension::length);
}

TEST(Units, TakePowers) {
  EXPECT_EQ(value_of("2 cm^3"), 2e-6);
  EXPECT_EQ(value_of("2 mm^4"), 2e-12);
  EXPECT_EQ(value_of("3 km^2"), 3e6);
  EXPECT_EQ(value_of("3 1/mm^2"), 3e6);
  EXPECT_EQ(value_of("3 mm^-2"), 3e6);
}

TEST(Units, AWrittenValueWithoutAUnitHasNoDimension) {
  const auto [quantity, why] = to_quantity(" 0.5 ");
  ASSERT_TRUE(quantity) << why;
  EXPECT_EQ(quantity->value, 0.5);
  EXPECT_EQ(quantity->dimension, std::nullopt);
}

TEST(UnitText, IsWhatAUserWouldWrite) {
  EXPECT_EQ(unit_text(dimension::none), "no unit");
  EXPECT_EQ(unit_text(dimension::length), "m");
  EXPECT_EQ(unit_text(dimension::angle), "rad");
  EXPECT_EQ(unit_text(dimension::mass), "kg");
  EXPECT_EQ(unit_text(dimension::time), "s");
  EXPECT_EQ(unit_text(dimension::speed), "m/s");
  EXPECT_EQ(unit_text(dimension::angular_speed), "rad/s");
  EXPECT_EQ(unit_text(dimension::acceleration), "m/s^2");
  EXPECT_EQ(unit_text(dimension::force), "N");
  EXPECT_EQ(unit_text(dimension::torque), "N*m");
  EXPECT_EQ(unit_text(dimension::inertia), "kg*m^2");
  EXPECT_EQ(unit_text(dimension::density), "kg/m^3");
  EXPECT_EQ(unit_text(dimension::pressure), "Pa");
  EXPECT_EQ(unit_text(dimension::area), "m^2");
  EXPECT_EQ(unit_text(dimension::area_moment), "m^4");
  EXPECT_EQ(unit_text(dimension::angular_momentum), "N*m*s");
  EXPECT_EQ(unit_text(dimension::stiffness), "N/m");
  EXPECT_EQ(unit_text(dimension::torsional_stiffness), "N*m/rad");
  EXPECT_EQ(unit_text(dimension::damping), "N*s/m");
  EXPECT_EQ(unit_text(dimension::torsional_damping), "N*m*s/rad");
  EXPECT_EQ(unit_text(dimension::screw_pitch), "m/rad");
  EXPECT_EQ(unit_text(dimension::gravitational_parameter), "m^3/s^2");
  EXPECT_EQ(unit_text({.s = -1}), "1/s");
}

TEST(UnitText, ElectricalAndHydraulicUnitsHaveTheirNames) {
  for (const char* unit : {"V", "Ohm", "H", "W", "N*m/A", "N/A", "V*s/rad", "N*m/rad/s", "N/m/s", "m^3/s/Pa"})
    EXPECT_EQ(unit_text(dimension_of(std::string("1 ") + unit)), unit);
}

TEST(UnitText, IsPrintedWithRaisedExponents) {
  EXPECT_EQ(printed_unit("rad/s^2"), "rad/s²");
  EXPECT_EQ(printed_unit("N*m"), "N·m");
  EXPECT_EQ(printed_unit("1"), "");
  EXPECT_EQ(printed_unit("kg*m^12^x^"), "kg·m¹²^x^");
}

TEST(UnitText, ReadsBackAsItsDimension) {
  for (const auto& each : published) {
    if (each.dimension == dimension::none) continue;
    EXPECT_EQ(dimension_of("1 " + unit_text(each.dimension)), each.dimension) << each.text;
  }
}

TEST(Fits, LeavesOutTheRadianOnlyInCompoundUnits) {
  EXPECT_TRUE(fits(dimension::torque, dimension::torsional_stiffness));
  EXPECT_TRUE(fits(dimension::angular_momentum, dimension::torsional_damping));
  EXPECT_TRUE(fits(dimension::length, dimension::screw_pitch));
  EXPECT_TRUE(fits(dimension::angle, dimension::angle));
  EXPECT_FALSE(fits(dimension::none, dimension::angle));
  EXPECT_FALSE(fits({.s = -1}, dimension::angular_speed));
  EXPECT_FALSE(fits(dimension::angle, dimension::none));
  EXPECT_FALSE(fits(dimension::angle, dimension::length));
  EXPECT_FALSE(fits(dimension::torsional_stiffness, dimension::torque));
  EXPECT_FALSE(fits(dimension::torsional_stiffness, dimension::stiffness));
  EXPECT_FALSE(fits(dimension::length, dimension::mass));
}

TEST(ToValue, ReadsAnyUnitOfTheKind) {
  EXPECT_EQ(to_value("0.5", dimension::length).value, 0.5);
  EXPECT_EQ(to_value("12 mm", dimension::length).value, 0.012);
  EXPECT_EQ(to_value("30 deg", dimension::angle).value, 30 * (pi / 180));
  EXPECT_EQ(to_value("1e4 N*m/rad", dimension::torsional_stiffness).value, 1e4);
  EXPECT_EQ(to_value("1e4 N*m", dimension::torsional_stiffness).value, 1e4);
  EXPECT_EQ(to_value("+10 Nm", dimension::torque).value, 10);
  EXPECT_EQ(to_value("50 %", dimension::none).value, 0.5);
  EXPECT_EQ(to_value("5 mm/rev", dimension::screw_pitch).value, 5 / (2 * pi * 1000));
  EXPECT_EQ(to_value("12 mm", dimension::length).code, "");
}

void expect_refusal(std::string_view text, const Dimension& wanted, const std::string& code, const std::string& why) {
  const ValueOrWhy read = to_value(text, wanted);
  EXPECT_EQ(read.value, std::nullopt) << text;
  EXPECT_EQ(read.code, code) << text;
  EXPECT_EQ(read.why, why) << text;
}

TEST(ToValue, RefusesTheWrongDimension) {
  expect_refusal("30 deg", dimension::length, "unit-dimension",
                 "\"30 deg\" is in rad, but m or another unit of that kind is needed here");
  expect_refusal("30 mm", dimension::angle, "unit-dimension",
                 "\"30 mm\" is in m, but rad or another unit of that kind is needed here");
  expect_refusal("30 mm", dimension::none, "unit-dimension", "\"30 mm\" is in m, but no unit is allowed here");
  expect_refusal("5 Hz", dimension::angular_speed, "unit-dimension",
                 "\"5 Hz\" is in 1/s, but rad/s or another unit of that kind is needed here");
  expect_refusal("5 N*m/rad", dimension::torque, "unit-dimension",
                 "\"5 N*m/rad\" is in N*m/rad, but N*m or another unit of that kind is needed here");
}

TEST(ToValue, RefusesUnknownUnitsWithASuggestion) {
  const std::string all = " Units: 1, %, m, km, dm, cm, mm, um, in, ft, kg, g and 45 more.";
  expect_refusal("5 mmm", dimension::length, "unit-unknown",
                 "unit \"mmm\": \"mmm\" is not known. Did you mean \"mm\"?" + all);
  expect_refusal("5 N*m/degg", dimension::torsional_stiffness, "unit-unknown",
                 "unit \"N*m/degg\": \"degg\" is not known. Did you mean \"deg\"?" + all);
  expect_refusal("5 furlong", dimension::length, "unit-unknown", "unit \"furlong\": \"furlong\" is not known." + all);
}

TEST(ToValue, RefusesMalformedUnits) {
  for (const char* text : {"5 m/", "5 /m", "5 *", "5 m**2", "5 m^", "5 m^2^3", "5 m^x", "5 m^1.5", "5 m^99", "5 m m",
                           "5 M", "5 º", "5 mm;", "5 mm\n", "5 2"}) {
    const ValueOrWhy read = to_value(text, dimension::length);
    EXPECT_EQ(read.value, std::nullopt) << text;
    EXPECT_EQ(read.code, "unit-unknown") << text;
    EXPECT_THAT(read.why, AllOf(StartsWith("unit \""), HasSubstr(" is not known."))) << text;
  }
}

TEST(ToValue, RefusesWhatIsNoNumber) {
  expect_refusal("", dimension::length, "number-invalid", "the number is empty. Write e.g. 0.5");
  expect_refusal("1,5 mm", dimension::length, "number-invalid",
                 "\"1,5 mm\" is not a number. The decimal mark is a point: write 1.5 mm");
  expect_refusal("nan", dimension::length, "number-invalid", "\"nan\" is not finite. Only finite numbers are allowed");
  expect_refusal("1abc", dimension::length, "number-invalid", "\"1abc\" is not a number. Write e.g. 0.5 or 1e-3");
  expect_refusal("0x10", dimension::length, "number-invalid", "\"0x10\" is not a number. Write e.g. 0.5 or 1e-3");
  expect_refusal("mm", dimension::length, "number-invalid", "\"mm\" is not a number. Write e.g. 0.5 or 1e-3");
  expect_refusal("1e400 mm", dimension::length, "number-invalid",
                 "\"1e400 mm\" is outside the range of numbers. Allowed: up to ±1.79e308, down to ±4.9e-324");
  for (const char* text : {"inf", "-inf m", "nan m", "+-1 m", "1e", "1e+", "--1", ".", "1.5.2 m", "1 5,2"}) {
    EXPECT_EQ(to_value(text, dimension::length).value, std::nullopt) << text;
  }
}

TEST(ToValue, AsksForTheBlankBeforeAUnit) {
  expect_refusal("12mm", dimension::length, "number-invalid",
                 "\"12mm\" lacks a blank before its unit. Write \"12 mm\"");
  expect_refusal("5%", dimension::none, "number-invalid", "\"5%\" lacks a blank before its unit. Write \"5 %\"");
}

TEST(ToValue, RefusesWhatOverflowsOrVanishesInSi) {
  const std::string why =
      " is outside the range of numbers when turned into SI units. "
      "Allowed: up to ±1.79e308, down to ±4.9e-324";
  expect_refusal("1e308 km", dimension::length, "number-invalid", "\"1e308 km\"" + why);
  expect_refusal("1e-320 um", dimension::length, "number-invalid", "\"1e-320 um\"" + why);
  EXPECT_EQ(to_value("0 um", dimension::length).value, 0.0);
}

TEST(GermanLocale, ChangesNoQuantity) {
  const auto read = [] {
    return std::pair(to_value("1234.5 mm", dimension::length).value, to_value("1,5 mm", dimension::length).why);
  };
  const auto before = read();
  const GermanLocale german;
  EXPECT_EQ(read(), before);
}

}  // namespace
}  // namespace articula::test
