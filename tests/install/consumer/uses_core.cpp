// A controller: articula::core alone, no reader of files.
#include <articula/core.h>

#include <cstdio>

int main() {
  using namespace articula;
  Model arm("arm");
  arm.add("link", RigidBody{.mass = 1, .com = {0.5, 0, 0}, .inertia = {.yy = 0.1, .zz = 0.1}});
  arm.add("hinge", Joint{.axis = z_axis}, "world", "link");
  std::printf("articula %s: %s\n", ARTICULA_VERSION, build_mechanism(arm).mechanism.layout.q.front().c_str());
  try {
    arm.at<RigidBody>("lnik");
  } catch (const Error& error) {
    std::printf("%s\n", error.what());
    return error.code() == "no-such-body" ? 0 : 1;
  }
  return 1;
}
