#pragma once

#include <cmath>
#include <string>

#include <nlohmann/json.hpp>

#include "names.h"

namespace articula::program {

/// A document that preserves the order of keys.
using Json = nlohmann::ordered_json;

/// Null if it is not finite, since JSON has no infinity.
inline Json json_number(double x) { return std::isfinite(x) ? Json(x) : Json(); }

/// Indented, for readability.
inline std::string printed(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

}  // namespace articula::program
