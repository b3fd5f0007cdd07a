/// From text to a mechanism: how long, how much memory, and how it grows with the number of bodies.

#include <fstream>
#include <string>

#include <benchmark/benchmark.h>

#include <articula/build/build.h>
#include <articula/formats/urdf_reader.h>
#include <articula/formats/yaml_reader.h>

#include "names.h"

namespace articula::bench {
namespace {

std::string chain_yaml(int n) {
  std::string text = "articula: 1\nname: chain\nbodies:\n";
  for (int i = 0; i < n; ++i) {
    text += "  b" + std::to_string(i) + ": {mass: 1.5, com: [0, 0, 0.1], inertia: {xx: 0.01, yy: 0.01, zz: 0.002}}\n";
  }
  text += "joints:\n";
  for (int i = 0; i < n; ++i) {
    const std::string from = i == 0 ? "world" : "{b" + std::to_string(i - 1) + ": {xyz: [0, 0, 0.2]}}";
    text += "  j" + std::to_string(i) + ": {type: revolute, axis: " + "xyz"[i % 3] + ", from: " + from + ", to: b" +
            std::to_string(i) + "}\n";
  }
  return text;
}

std::string chain_urdf(int n) {
  std::string text = "<robot name=\"chain\">\n";
  for (int i = 0; i < n; ++i) {
    text += "<link name=\"l" + std::to_string(i) +
            "\"><inertial><origin xyz=\"0 0 0.1\"/><mass value=\"1.5\"/><inertia ixx=\"0.01\" ixy=\"0\" ixz=\"0\" "
            "iyy=\"0.01\" iyz=\"0\" izz=\"0.002\"/></inertial></link>\n";
  }
  for (int i = 1; i < n; ++i) {
    text += "<joint name=\"j" + std::to_string(i) + "\" type=\"continuous\"><parent link=\"l" + std::to_string(i - 1) +
            "\"/><child link=\"l" + std::to_string(i) +
            "\"/><origin xyz=\"0 0 0.2\" rpy=\"0 0 0.1\"/><axis xyz=\"0 1 0\"/></joint>\n";
  }
  return text + "</robot>\n";
}

/// The most memory this process ever used, in MB.
double peak_megabytes() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    if (word != "VmHWM:") continue;
    double kilobytes = 0;
    status >> kilobytes;
    return kilobytes / 1024;
  }
  return 0;
}

void yaml_to_mechanism(benchmark::State& state) {
  const std::string text = chain_yaml(static_cast<int>(state.range(0)));
  for (auto _ : state) {
    Findings findings;
    const Model model = read_yaml(text, "chain.yaml", findings, {});
    benchmark::DoNotOptimize(build_mechanism(model).mechanism.nv);
  }
  state.SetComplexityN(state.range(0));
  state.counters["peak_MB"] = peak_megabytes();
}
BENCHMARK(yaml_to_mechanism)
    ->Arg(1000)
    ->Arg(10000)
    ->Arg(100000)
    ->Arg(200000)
    ->Complexity(benchmark::oN)
    ->Unit(benchmark::kMillisecond);

void yaml_to_model(benchmark::State& state) {
  const std::string text = chain_yaml(static_cast<int>(state.range(0)));
  for (auto _ : state) {
    Findings findings;
    benchmark::DoNotOptimize(read_yaml(text, "chain.yaml", findings, {}).entities().size());
  }
}
BENCHMARK(yaml_to_model)->Arg(100000)->Unit(benchmark::kMillisecond);

void urdf_to_mechanism(benchmark::State& state) {
  const std::string text = chain_urdf(static_cast<int>(state.range(0)));
  for (auto _ : state) {
    Findings findings;
    const Model model = read_urdf(text, "chain.urdf", findings, {});
    benchmark::DoNotOptimize(build_mechanism(model).mechanism.nv);
  }
  state.SetComplexityN(state.range(0));
}
BENCHMARK(urdf_to_mechanism)
    ->Arg(1000)
    ->Arg(10000)
    ->Arg(100000)
    ->Complexity(benchmark::oN)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace articula::bench
