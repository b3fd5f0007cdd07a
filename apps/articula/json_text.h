#pragma once

#include <array>
#include <cmath>
#include <span>
#include <string>

#include <articula/base/error.h>
#include <articula/base/text.h>
#include <articula/solve/views.h>
#include <articula/spatial/vec3.h>
#include <articula/text/json.h>

#include "names.h"

namespace articula::program {

/// Results as JSON.
class JsonText : public JsonWriter {
 public:
  /// Throws an Error for a result that is not finite, since JSON has no infinity.
  void number(double x) {
    if (!std::isfinite(x)) {
      throw Error("result-not-finite", {},
                  concat("the result holds ", std::isnan(x) ? "nan" : number_text(x),
                         ". The numbers of the state, or of the model, are too large for it."));
    }
    JsonWriter::number(x);
  }
  void list(VectorView x) {
    open('[');
    for (const double e : x) number(e);
    close(']');
  }
  void list(const Vec3<double>& x) {
    const std::array<double, 3> numbers{x.x, x.y, x.z};
    list(VectorView(numbers.data(), numbers.size()));
  }
  void names(std::span<const std::string> names) {
    open('[');
    for (const std::string& name : names) string(name);
    close(']');
  }
  /// Row-major.
  void matrix(const MatrixView& M) {
    open('[');
    for (int i = 0; i < M.rows(); ++i) list(M.row(i));
    close(']');
  }
  void matrix(const Mat3<double>& M) {
    open('[');
    for (const Vec3<double>& row : M.row) list(row);
    close(']');
  }
};

}  // namespace articula::program
