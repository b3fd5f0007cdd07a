// Identifies the process of a run, for messages and for runs of versions before 4, which had no locks.

#include <unistd.h>

#include <array>
#include <fstream>
#include <iterator>
#include <string>

#include <articula/base/text.h>
#include <articula/store/store.h>

#include "internal/store_impl.h"

namespace articula::store {
namespace {

constexpr std::string_view by_lock = "lock:";

std::string host_name() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return "unknown";
  return name.data();
}

/// An id of the current boot of the machine; empty if the system does not provide it.
std::string boot() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string text;
  std::getline(file, text);
  return text;
}

/// The start time of a process in clock ticks since boot: field 22 of its stat line. The name before it may contain
/// blanks and brackets. Empty if there is no such process, or if it is a zombie.
std::string started(const std::string& number) {
  std::ifstream file("/proc/" + number + "/stat");
  const std::string line{std::istreambuf_iterator<char>(file), {}};
  const std::size_t name_end = line.rfind(") ");
  if (name_end == std::string::npos) return {};
  const char state = line[name_end + 2];
  if (state == 'Z' || state == 'X') return {};
  std::size_t at = name_end + 1;
  for (int field = 3; field < 22 && at != std::string::npos; ++field) at = line.find(' ', at + 1);
  if (at == std::string::npos) return {};
  return line.substr(at + 1, line.find(' ', at + 1) - at - 1);
}

std::string describe(const std::string& number) {
  return concat(host_name(), "/", boot(), "/", number, "/", started(number));
}

}  // namespace

std::string this_process() { return concat(by_lock, describe(std::to_string(getpid()))); }

std::string host_of(std::string_view process) {
  if (process.starts_with(by_lock)) process.remove_prefix(by_lock.size());
  return std::string(process.substr(0, process.find('/')));
}

bool runs_without_lock(std::string_view process) {
  if (process.starts_with(by_lock)) return false;
  const std::size_t last = process.rfind('/');
  if (last == std::string_view::npos || last == 0) return false;
  const std::size_t before = process.rfind('/', last - 1);
  if (before == std::string_view::npos) return false;
  return process == describe(std::string(process.substr(before + 1, last - before - 1)));
}

}  // namespace articula::store
