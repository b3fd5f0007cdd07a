#include <articula/generate/internal/device_code.h>

#include <algorithm>

#include <articula/base/error.h>
#include <articula/base/text.h>
#include <articula/generate/internal/programs.h>
#include <articula/generate/internal/schedule.h>

namespace fs = std::filesystem;

namespace articula::generate {
namespace {

constexpr std::string_view otherwise = "run batched on the CPU";

/// Searches the PATH and CUDA's default installation folders.
fs::path find_compiler(const std::string& name) {
  fs::path found = find_program(name);
  if (!found.empty() || name.find('/') != std::string::npos) return found;
  std::vector<fs::path> folders;
  for (const char* const variable : {"CUDA_HOME", "CUDA_PATH"}) {
    const char* const folder = environment(variable);
    if (folder != nullptr && folder[0] == '/') folders.emplace_back(folder);
  }
  folders.emplace_back("/usr/local/cuda");
  for (const fs::path& folder : folders) {
    found = find_program((folder / "bin" / name).string());
    if (!found.empty()) return found;
  }
  return {};
}

CompileJob make_job(const RecordedFunction& function, bool single, const Device& device, const DeviceOptions& options) {
  CompileJob job;
  job.compiler = find_compiler(options.compiler);
  if (job.compiler.empty()) {
    const bool path = options.compiler.find('/') != std::string::npos;
    throw Error(
        "no-cuda-compiler", {},
        concat("there is no CUDA compiler ", quoted(options.compiler), " on this machine",
               path ? "" : ", neither on the PATH nor in $CUDA_HOME/bin or /usr/local/cuda/bin",
               ". Install the CUDA toolkit, name its compiler in DeviceOptions::compiler, or ", otherwise, "."));
  }
  job.flags = {"-std=c++17",
               "-O3",
               concat("-arch=sm_", device.architecture),
               "-shared",
               "-w",
               "-Xcompiler",
               "-fPIC,-fvisibility=hidden"};
  job.source = device_source(function, single);
  job.ending = ".cu";
  job.cache = options.cache;
  job.otherwise = otherwise;
  job.stays = true;  // CUDA's runtime in it does not support unloading
  return job;
}

/// `1.5 GB`
std::string size_text(std::size_t bytes) {
  constexpr std::string_view units[] = {"bytes", "kB", "MB", "GB", "TB"};
  double size = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; size >= 1000 && unit < 4; ++unit) size /= 1000;
  return concat(static_cast<double>(static_cast<long>(size * 10 + 0.5)) / 10, " ", units[unit]);
}

}  // namespace

DeviceCode::DeviceCode(const RecordedFunction& function, bool single, const DeviceOptions& options)
    : options_(options), device_(device_at(options.device, options.driver)) {
  const int operations = make_schedule(function).operations;
  if (operations > options.most_operations) {
    throw Error("generate-too-large", {},
                concat(function.name, " takes ", operations, " operations in a straight line, of which ",
                       options.most_operations, " are allowed: compilers take very long for such code. ",
                       "Allow more in DeviceOptions::most_operations, or ", otherwise, "."));
  }
  const CompileJob job = make_job(function, single, device_, options);
  loaded_ = compile_and_load(job);
  const auto table = reinterpret_cast<const DeviceTable* (*)()>(loaded_.entry("articula_device", job));
  table_ = table();
  require(table_->open(options_.device), "to open it");
}

DeviceCode::~DeviceCode() {
  if (stage_.data != nullptr) give(stage_.data);
}

const DeviceTable& DeviceCode::on_device() const {
  require(table_->open(options_.device), "to open it");
  return *table_;
}

void DeviceCode::require(int error, std::string_view doing) const {
  if (error == 0) return;
  throw Error(
      "device-failed", {},
      concat("GPU ", options_.device, ", ", quoted(device_.name), ", failed ", doing, ": ", table_->error_text(error),
             " (", error, "). Make it anew; if it fails again, look at the driver (nvidia-smi), or ", otherwise, "."));
}

void* DeviceCode::take(std::size_t bytes, const std::string& what) const {
  void* data = nullptr;
  const DeviceTable& table = on_device();
  const int error = table.take(bytes, &data);
  if (error == device_out_of_memory) {
    std::size_t left = 0, total = 0;
    table.memory(&left, &total);
    throw Error("device-memory", {},
                concat("GPU ", options_.device, ", ", quoted(device_.name), ", has no room for ", what, ", ",
                       size_text(bytes), ": of its ", size_text(total), " ", size_text(left),
                       " are free. Compute fewer states at once, or ", otherwise, "."));
  }
  require(error, concat("to give room for ", what));
  return data;
}

void DeviceCode::give(void* data) const noexcept {
  if (table_->open(options_.device) == 0) table_->give(data);
}

DeviceCode::Stage DeviceCode::stage(std::size_t state_bytes, int states) {
  const std::size_t all = state_bytes * static_cast<std::size_t>(states);
  const std::size_t needed = std::max({std::min(all, options_.stage_bytes), state_bytes, sizeof(int)});
  if (stage_.bytes < needed) {
    if (stage_.data != nullptr) give(stage_.data);
    stage_ = {};
    stage_ = {take(needed, "rows that pass through"), needed};
  }
  return stage_;
}

}  // namespace articula::generate
