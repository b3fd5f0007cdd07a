#pragma once

#include <string>
#include <string_view>

#include <articula/base/export.h>
#include <articula/model/model.h>

namespace articula::build {

/// The model without one of its joints.
///
/// Rule: the joint is removed. A side that is not connected to World any more gets a free joint from World to the body
/// that the joint was connected to, named after that body ("ball"; "ball_free" if that name is taken). Parts are
/// flattened. Throws if there is no such joint, if it is a free joint, or if something is connected to its shaft.
ARTICULA_EXPORT Model disconnected(const Model& model, std::string_view joint);

/// The model with one more joint, between two ports of bodies.
///
/// Rule: the free joint from World that moves the side of `to`, or else that of `from`, is removed. Throws if there is
/// none: the joint would close a loop.
ARTICULA_EXPORT Model connected(const Model& model, const std::string& name, const Joint& joint, const PortRef& from,
                                const PortRef& to);

/// The same with the joint that `original` has by that name, between the same ports.
ARTICULA_EXPORT Model connected(const Model& model, const Model& original, std::string_view joint);

}  // namespace articula::build
