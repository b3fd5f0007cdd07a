// Any file as a store: it is refused with an Error, or all of it can be read, and what cannot is named.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include <articula/base/error.h>
#include <articula/store/store.h>

using namespace articula::store;

/// A file in memory, of this process alone.
static std::string file_with(const std::uint8_t* data, std::size_t size) {
  static const std::string name = "/dev/shm/articula-store-fuzz-" + std::to_string(getpid());
  static const int cleared =
      std::atexit([] { unlink(("/dev/shm/articula-store-fuzz-" + std::to_string(getpid())).c_str()); });
  if (cleared != 0) std::abort();
  const int file = open(name.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
  if (file < 0 || write(file, data, size) != static_cast<ssize_t>(size)) std::abort();
  close(file);
  return name;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const Store store(file_with(data, size));
    store.verify();
    for (const RunSummary& run : store.list()) {
      try {
        for (const StoredTask& task : store.run(run.id).tasks) {
          store.each_block(task.id, [](const StoredRows& rows) {
            for (std::size_t i = 0; i < rows.size(); ++i) {
              if (rows.row(i).empty()) std::abort();
            }
          });
        }
      } catch (const Error&) {
      }
    }
  } catch (const Error&) {
  }
  return 0;
}
