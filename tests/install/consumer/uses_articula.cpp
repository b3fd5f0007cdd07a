// A program that uses everything: a model in C++, written as text and described by the file that includes it all.
#include <articula/articula.h>

#include <cstdio>
#include <filesystem>

int main() {
  using namespace articula;
  Model elbow("elbow");
  elbow.add("upper", RigidBody{.mass = 3.0, .com = {0, 0, 0.1}, .inertia = {.xx = 0.0127, .yy = 0.0127, .zz = 0.0054}});
  elbow.add("fore", RigidBody{.mass = 2.5, .com = {0, 0, 0.1}, .inertia = {.xx = 0.0045, .yy = 0.0045, .zz = 0.001}});
  elbow.add("shoulder", Joint{.axis = z_axis}, "world", "upper");
  elbow.add("elbow", Joint{.axis = y_axis}, at("upper", {.xyz = {0, 0, 0.2}}), "fore");

  const std::filesystem::path file = std::filesystem::temp_directory_path() / "articula_consumer_elbow.yaml";
  save(elbow, file);
  const Model again = load(file);
  std::filesystem::remove(file);
  const Built built = build_mechanism(again);
  std::printf("articula %s: %d degrees of freedom\n", ARTICULA_VERSION, built.mechanism.nv);
  return again == elbow && built.mechanism.nv == 2 ? 0 : 1;
}
