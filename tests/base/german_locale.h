#pragma once

#include <clocale>
#include <cstdlib>
#include <locale>
#include <string>

#include "support/names.h"

namespace articula::test {

/// Lets setlocale() find the locales made for these tests. Not before a program starts: some libraries open locales then,
/// and never close them.
inline void show_test_locales() {
  if (const char* folder = std::getenv("ARTICULA_TEST_LOCALES")) setenv("LOCPATH", folder, 0);
}

/// Decimal commas and points between thousands, in C++'s streams always and in C's functions where the system has a
/// German locale; as it was before when the object goes.
class GermanLocale {
 public:
  GermanLocale() : before_(std::locale::global(std::locale(std::locale::classic(), new Comma))) {
    show_test_locales();
    for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "de_DE"}) {
      if (std::setlocale(LC_ALL, name) != nullptr) {
        in_c_too_ = true;
        break;
      }
    }
  }
  ~GermanLocale() {
    std::locale::global(before_);
    std::setlocale(LC_ALL, "C");
  }
  GermanLocale(const GermanLocale&) = delete;
  GermanLocale& operator=(const GermanLocale&) = delete;

  bool in_c_too() const { return in_c_too_; }

 private:
  struct Comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };

  std::locale before_;
  bool in_c_too_ = false;
};

}  // namespace articula::test
