#pragma once

#include <articula/generate/device.h>
#include <articula/generate/internal/compile_job.h>
#include <articula/generate/internal/device_text.h>

namespace articula::generate {

/// A device by its index; throws `no-gpu`.
Device device_at(int k, const std::string& driver);

class DeviceCode {
 public:
  DeviceCode(const RecordedFunction& function, bool single, const DeviceOptions& options);
  ~DeviceCode();
  DeviceCode(const DeviceCode&) = delete;
  DeviceCode& operator=(const DeviceCode&) = delete;

  const Device& device() const { return device_; }
  bool was_cached() const { return loaded_.was_cached; }
  void* stream() const { return options_.stream; }

  /// The functions of the code, with its device selected.
  const DeviceTable& on_device() const;

  /// Throws `device-failed` if the error code is not 0.
  void require(int error, std::string_view doing) const;

  /// Allocates zeroed memory on the device; throws `device-memory`. `what` describes it in the message.
  void* take(std::size_t bytes, const std::string& what) const;
  void give(void* data) const noexcept;

  /// Device buffer for converting rows: for all states, or as many as DeviceOptions allow, at least one.
  struct Stage {
    void* data = nullptr;
    std::size_t bytes = 0;
  };
  Stage stage(std::size_t state_bytes, int states);

 private:
  DeviceOptions options_;
  Device device_;
  LoadedCode loaded_;
  const DeviceTable* table_ = nullptr;
  Stage stage_;
};

}  // namespace articula::generate
