#pragma once

#include <articula/formats/internal/yaml_values.h>

namespace articula::formats {

/// A port of an entity: `upper` (the frame of the body itself) or `{upper: tool}`.
bool read_port(const Spot& spot, PortRef& ref);

/// The target of an attachment: as in read_port, or a placement on a body, `{upper: {xyz: [0, 0, 0.2]}}`.
bool read_attachment(const Spot& spot, Attachment& to);

}  // namespace articula::formats
