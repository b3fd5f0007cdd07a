#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include <articula/base/error.h>
#include <articula/base/text.h>
#include <articula/solve/views.h>
#include <articula/spatial/vec3.h>

namespace articula::program {

/// JSON written value by value, in the order in which it is said. Numbers have the fewest digits that read back as
/// exactly the same double.
class JsonText {
 public:
  const std::string& text() const { return text_; }
  void clear() { text_.clear(), comma_ = false; }

  void open(char bracket) { before(), text_ += bracket, comma_ = false; }
  void close(char bracket) { text_ += bracket, comma_ = true; }

  void key(std::string_view name) {
    string(name);
    text_ += ": ";
    comma_ = false;
  }
  void string(std::string_view text) {
    before();
    const auto is_plain = [](char c) { return c >= 0x20 && c < 0x7f && c != '"' && c != '\\'; };
    if (std::all_of(text.begin(), text.end(), is_plain)) {
      text_ += '"', text_ += text, text_ += '"';
    } else {
      text_ += nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    }
  }
  /// JSON has no infinity: a result that is none is refused.
  void number(double x) {
    if (!std::isfinite(x)) {
      throw Error("result-not-finite", {},
                  concat("the result holds ", std::isnan(x) ? "nan" : number_text(x),
                         ". The numbers of the state, or of the model, are too large for it."));
    }
    before();
    text_ += x == 0 && std::signbit(x) ? "-0.0" : number_text(x);
  }
  void list(VectorView x) {
    open('[');
    for (const double e : x) number(e);
    close(']');
  }
  void list(const Vec3<double>& x) { list(VectorView(&x.x, 3)); }
  void names(std::span<const std::string> names) {
    open('[');
    for (const std::string& name : names) string(name);
    close(']');
  }
  /// Row by row.
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

 private:
  void before() {
    if (comma_) text_ += ", ";
    comma_ = true;
  }

  std::string text_;
  bool comma_ = false;
};

}  // namespace articula::program
