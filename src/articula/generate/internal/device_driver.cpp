#include <dlfcn.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string_view>
#include <utility>

#include <articula/base/error.h>
#include <articula/base/text.h>
#include <articula/generate/internal/device_code.h>
#include <articula/generate/internal/programs.h>

namespace articula::generate {
namespace {

namespace fs = std::filesystem;

/// The path to pass to the loader. Normally this is the name. If LD_LIBRARY_PATH has a relative or empty folder, which
/// the loader resolves against the current one, the library is searched in its absolute folders and in the usual
/// folders of drivers.
std::string library_path(const std::string& name) {
  const char* const list = environment("LD_LIBRARY_PATH");
  if (list == nullptr || name.find('/') != std::string::npos) return name;
  const std::string_view all = list;
  const auto parts = std::count_if(all.begin(), all.end(), [](char c) { return c == ':' || c == ';'; }) + 1;
  std::vector<fs::path> folders = absolute_folders(all);
  if (std::cmp_equal(folders.size(), parts)) return name;
  for (const char* const usual : {"/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib",
                                  "/usr/lib/wsl/lib", "/usr/local/nvidia/lib64", "/usr/local/cuda/compat"}) {
    folders.emplace_back(usual);
  }
  std::error_code trouble;
  for (const fs::path& folder : folders) {
    if (fs::exists(folder / name, trouble)) return (folder / name).string();
  }
  return {};
}

/// The part of CUDA's driver API that lists devices. Its types are declared here, so that no CUDA header is needed.
class Driver {
 public:
  explicit Driver(const std::string& name) {
    const std::string path = library_path(name);
    if (path.empty()) {
      why_ =
          concat("the NVIDIA driver's library ", quoted(name),
                 " is in no folder where it is usually installed, and LD_LIBRARY_PATH is not followed since it holds "
                 "the current folder (a relative or empty entry)");
      return;
    }
    library_ = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library_ == nullptr) {
      const char* const said = ::dlerror();
      why_ = concat("the NVIDIA driver's library ", quoted(name), " cannot be loaded (",
                    said != nullptr ? said : "unknown", ")");
      return;
    }
    if (const int error = call<unsigned>("cuInit", 0); error != 0) {
      why_ = concat("the NVIDIA driver finds none (cuInit gave ", error, ")");
      return;
    }
    call<int*>("cuDeviceGetCount", &count_);
    if (count_ == 0) why_ = "the NVIDIA driver finds none";
  }

  int count() const { return count_; }
  const std::string& why() const { return why_; }

  Device device(int k) const {
    constexpr int capability_major = 75, capability_minor = 76;  // values of CUdevice_attribute
    int handle = 0, major = 0, minor = 0;
    char name[128] = {};
    Device device;
    call<int*, int>("cuDeviceGet", &handle, k);
    call<char*, int, int>("cuDeviceGetName", name, sizeof name - 1, handle);
    call<int*, int, int>("cuDeviceGetAttribute", &major, capability_major, handle);
    call<int*, int, int>("cuDeviceGetAttribute", &minor, capability_minor, handle);
    call<std::size_t*, int>("cuDeviceTotalMem_v2", &device.memory, handle);
    device.name = name;
    device.architecture = 10 * major + minor;
    return device;
  }

 private:
  /// Returns CUDA's error code; −1 if the library has no such function.
  template <class... Arguments>
  int call(const char* name, Arguments... arguments) const {
    const auto function = reinterpret_cast<int (*)(Arguments...)>(::dlsym(library_, name));
    return function != nullptr ? function(arguments...) : -1;
  }

  void* library_ = nullptr;  ///< never closed: drivers do not support unloading
  int count_ = 0;
  std::string why_;
};

}  // namespace

std::vector<Device> find_devices(const std::string& name) {
  const Driver driver(name);
  std::vector<Device> devices;
  for (int k = 0; k < driver.count(); ++k) devices.push_back(driver.device(k));
  return devices;
}

Device device_at(int k, const std::string& name) {
  const Driver driver(name);
  if (driver.count() == 0) {
    throw Error("no-gpu", {},
                concat("there is no GPU to compute on: ", driver.why(),
                       ". Use a machine with an NVIDIA GPU and its driver, or run batched on the CPU."));
  }
  if (k < 0 || k >= driver.count()) {
    throw Error("no-gpu", {},
                concat("there is no GPU ", k, ". There ", driver.count() == 1 ? "is " : "are ", driver.count(),
                       ", counted from 0, the first ", quoted(driver.device(0).name),
                       ". Choose one of them, or run batched on the CPU."));
  }
  return driver.device(k);
}

}  // namespace articula::generate
