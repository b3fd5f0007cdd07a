#pragma once

#include <string>

#include <articula/base/error.h>
#include <articula/base/export.h>
#include <articula/model/model.h>

namespace articula {

/// The text of a URDF file that describes the model, as far as URDF can; docs/urdf.md says how.
///
/// Whatever URDF cannot say is named in `losses`: as a warning if it is left out, as a note if it is said in
/// another way that has the same physics (a joint attached beside its body's frame gets a massless link
/// between). When `losses` stays empty, `read_urdf` gives an equal model back.
ARTICULA_EXPORT std::string write_urdf(const Model& model, Findings& losses);

}  // namespace articula
