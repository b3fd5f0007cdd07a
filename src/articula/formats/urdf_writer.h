#pragma once

#include <string>

#include <articula/base/error.h>
#include <articula/base/export.h>
#include <articula/model/model.h>

namespace articula::formats {

/// The text of a URDF file that describes the model as far as URDF can, see docs/urdf.md.
///
/// Features that URDF cannot express are listed in `losses`: with a warning if they are omitted, with a note if they
/// are expressed in another way with the same physics (a joint that is not attached at its body's frame gets a massless
/// link in between). If `losses` is empty, `read_urdf` returns an equal model.
ARTICULA_EXPORT std::string write_urdf(const Model& model, Findings& losses);

}  // namespace articula::formats
