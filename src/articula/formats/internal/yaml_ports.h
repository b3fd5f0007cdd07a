#pragma once

#include <articula/formats/internal/yaml_values.h>

namespace articula::formats {

/// A port of an entity: `upper` (the frame of the body itself) or `{upper: tool}`.
bool read_port(const Spot& spot, PortRef& ref);

/// Where a port is attached: as read_port, or at a place on a body, `{upper: {xyz: [0, 0, 0.2]}}`.
bool read_attachment(const Spot& spot, Attachment& to);

}  // namespace articula::formats
