#include <articula/generate/internal/dialect.h>

#include <articula/base/text.h>

namespace articula::generate {
namespace {

std::string text_of(const OperationTraits& row, std::string_view function, const std::string& a, const std::string& b) {
  const bool takes_two = row.operands == 2;
  if (row.is_function()) return concat(function, "(", a, takes_two ? ", " : "", b, ")");
  return takes_two ? concat(a, " ", row.in_c, " ", b) : concat(row.in_c, a);
}

}  // namespace

std::string operation_text(Operation operation, const std::string& a, const std::string& b) {
  return text_of(traits(operation), traits(operation).in_c, a, b);
}

std::string operation_of_packs_text(Operation operation, const std::string& a, const std::string& b) {
  return text_of(traits(operation), traits(operation).of_packs, a, b);
}

std::string literal(double value) {
  std::string text = number_text(value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return value < 0 ? concat("(", text, ")") : text;
}

}  // namespace articula::generate
