// A controller: articula::core alone.
#include <articula/base/error.h>
#include <articula/base/units.h>
#include <articula/version.h>

#include <iostream>

int main() {
  try {
    throw articula::Error("joint-axis-zero", {"arm.urdf", 41}, "axis is (0, 0, 0).");
  } catch (const articula::Error& error) {
    std::cout << "articula " << ARTICULA_VERSION << ": " << error.what() << '\n';
    return error.code() == "joint-axis-zero" ? 0 : 1;
  }
}
