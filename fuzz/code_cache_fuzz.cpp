// Any file as an entry of the cache of compiled code: what was not compiled from the source is never handed out.
#include <fcntl.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include <articula/generate/internal/sealed_code.h>

using namespace articula::generate;

static std::string name() { return "/dev/shm/articula-code-fuzz-" + std::to_string(getpid()); }

static void write_entry(std::string_view bytes) {
  static const int cleared = std::atexit([] { unlink(name().c_str()); });
  const int file = open(name().c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
  if (cleared != 0 || file < 0 || write(file, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()))
    std::abort();
  close(file);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::string_view source = "void f(void) {}\n";
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  write_entry(bytes);
  if (const auto code = unsealed(name(), source); code && sealed(*code, source) != bytes) std::abort();
  // Sealed, it is handed out whole; with any byte changed it is not.
  std::string entry = sealed(bytes, source);
  write_entry(entry);
  const auto code = unsealed(name(), source);
  if (!bytes.empty() && (!code || *code != bytes)) std::abort();
  const std::size_t at = size == 0 ? 0 : (data[0] * std::size_t{257} + data[size - 1]) % entry.size();
  entry[at] = static_cast<char>(entry[at] ^ 1);
  write_entry(entry);
  if (unsealed(name(), source)) std::abort();
  return 0;
}
