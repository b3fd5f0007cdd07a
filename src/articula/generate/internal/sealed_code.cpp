#include <articula/generate/internal/sealed_code.h>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>

#include <articula/base/text.h>
#include <articula/generate/internal/compile_folder.h>
#include <articula/text/descriptor.h>
#include <articula/text/sha256.h>

namespace fs = std::filesystem;

namespace articula::generate {
namespace {

std::string seal_of(std::string_view code, std::string_view source) {
  return concat("\narticula-code 1 ", sha256_text(source), " ", sha256_text(code), "\n");
}

/// A path that the loader opens as a descriptor. glibc recognizes a library by its path, even if the descriptor refers
/// to another file now. Each path is therefore spelled differently: a count in binary, as `/` and `./`.
std::string path_of(const Descriptor& file) {
  static std::atomic<std::uint64_t> count{0};
  std::string path = "/proc/self/fd/";
  for (std::uint64_t number = ++count; number != 0; number /= 2) path += number % 2 == 0 ? "/" : "./";
  return concat(path, file.number());
}

/// An anonymous file in memory that is sealed against changes; not open if the system does not support it.
Descriptor in_memory(std::string_view code) {
  Descriptor file(::memfd_create("articula code", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!file.is_open() || !file.write(code)) return Descriptor();
  ::fcntl(file.number(), F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
  return file;
}

}  // namespace

std::string sealed(std::string_view code, std::string_view source) { return concat(code, seal_of(code, source)); }

std::optional<std::string> unsealed(const fs::path& entry, std::string_view source) {
  static const std::size_t length = seal_of({}, {}).size();
  std::optional<std::string> text = own_file(entry);
  if (!text || text->size() <= length) return std::nullopt;
  const std::string_view code = std::string_view(*text).substr(0, text->size() - length);
  if (std::string_view(*text).substr(code.size()) != seal_of(code, source)) return std::nullopt;
  text->resize(code.size());
  return text;
}

std::optional<std::string> own_file(const fs::path& name) {
  constexpr off_t largest = off_t{1} << 30;
  const Descriptor file(::open(name.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  struct stat info {};
  if (!file.is_open() || ::fstat(file.number(), &info) != 0) return std::nullopt;
  const bool ours = S_ISREG(info.st_mode) && info.st_uid == ::geteuid() && (info.st_mode & (S_IWGRP | S_IWOTH)) == 0;
  if (!ours || info.st_size > largest) return std::nullopt;
  std::string text(static_cast<std::size_t>(info.st_size), '\0');
  std::size_t size = 0;
  while (size < text.size()) {
    const ssize_t count = ::read(file.number(), text.data() + size, text.size() - size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return std::nullopt;
    size += static_cast<std::size_t>(count);
  }
  return text;
}

std::shared_ptr<void> load_code(std::string_view code, bool stays, std::string& why) {
  const auto open = [&](const std::string& path) -> std::shared_ptr<void> {
    void* const library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | (stays ? RTLD_NODELETE : 0));
    if (library != nullptr) return {library, [](void* loaded) { ::dlclose(loaded); }};
    const char* const said = ::dlerror();
    why = said != nullptr ? said : "unknown";
    return nullptr;
  };
  if (const Descriptor file = in_memory(code); file.is_open()) {
    if (auto library = open(path_of(file))) return library;
  }
  // Without /proc, or if code in memory must not be executed: a file in a new folder, loaded before others can know its
  // name.
  const CompileFolder folder({});
  const fs::path file = folder.path() / "code.so";
  if (!folder.path().empty() && write_own_file(file, code)) return open(file.string());
  return nullptr;
}

}  // namespace articula::generate
