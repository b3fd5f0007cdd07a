// Driving torques of the hydraulic manipulator by MuJoCo: makes examples/hydraulic_manipulator/torques_mujoco.csv.
//
//     articula run examples/hydraulic_manipulator/torques.yaml
//     articula runs export RUN --task torques --output path.csv
//     manipulator_torques tests/peers/hydraulic_manipulator.xml < path.csv > torques_mujoco.csv
//
// The rows give positions, speeds and accelerations of the five joints; MuJoCo, with its own model of the machine, gives
// the torques and where the load is.

#include <mujoco/mujoco.h>

#include <cstdio>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace {

std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> all;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, ',');) all.push_back(cell);
  return all;
}

}  // namespace

int main(int count, char** arguments) {
  char error[1000] = "";
  mjModel* model = count == 2 ? mj_loadXML(arguments[1], nullptr, error, sizeof error) : nullptr;
  if (model == nullptr) {
    std::fprintf(stderr, "usage: manipulator_torques hydraulic_manipulator.xml < path.csv  %s\n", error);
    return 2;
  }
  mjData* data = mj_makeData(model);
  const std::vector<std::string> joints{"yaw", "boom", "stick", "head", "rotator"};
  std::printf("# Torques of models/hydraulic_manipulator.yaml by MuJoCo %s: tests/peers/manipulator_torques.cpp\n",
              mj_versionString());
  std::printf("t");
  for (const char* what : {"q", "tau"}) {
    for (const std::string& joint : joints) std::printf(",%s_%s", what, joint.c_str());
  }
  std::printf(",load_x,load_y,load_z\n");

  std::map<std::string, std::size_t> places;
  for (std::string line; std::getline(std::cin, line);) {
    if (line.empty() || line.front() == '#') continue;
    const std::vector<std::string> row = cells(line);
    if (places.empty()) {
      for (std::size_t k = 0; k < row.size(); ++k) places[row[k].substr(0, row[k].find(' '))] = k;
      continue;
    }
    const auto value = [&](const std::string& name) { return std::stod(row.at(places.at(name))); };
    for (std::size_t k = 0; k < joints.size(); ++k) {
      data->qpos[k] = value("q." + joints[k]);
      data->qvel[k] = value("v." + joints[k]);
      data->qacc[k] = value("a." + joints[k]);
    }
    mj_inverse(model, data);
    std::printf("%.17g", value("t"));
    for (int k = 0; k < model->nq; ++k) std::printf(",%.17g", data->qpos[k]);
    for (int k = 0; k < model->nv; ++k) std::printf(",%.17g", data->qfrc_inverse[k]);
    for (int k = 0; k < 3; ++k) std::printf(",%.17g", data->site_xpos[k]);
    std::printf("\n");
  }
  mj_deleteData(data);
  mj_deleteModel(model);
}
