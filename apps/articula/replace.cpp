#include "replace.h"

#include <fstream>
#include <system_error>

#include <articula/base/error.h>
#include <articula/base/text.h>

namespace articula::program {

namespace fs = std::filesystem;

namespace {

bool same_file(const fs::path& a, const fs::path& b) {
  std::error_code none;
  return fs::equivalent(a, b, none) && !none;
}

/// Whether a file is the store, or a file of SQLite or its locks next to it, now or later.
bool is_of_store(const fs::path& file, const std::string& store) {
  std::error_code none;
  const fs::path real = fs::weakly_canonical(store, none), written = fs::weakly_canonical(file, none);
  for (const char* end : {"", "-wal", "-shm", "-lock", "-journal"}) {
    const fs::path part = real.string() + end;
    if (written == part || same_file(file, part)) return true;
  }
  return false;
}

std::string beginning_of(const fs::path& file) {
  std::string text(std::size_t{1} << 16, '\0');
  std::ifstream in(file, std::ios::binary);
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  return text;
}

}  // namespace

void add_force_option(const Command& command, bool& force) {
  command.flag("--force", force, "Replace a file that is there already, also one that Articula did not write");
}

void require_replaceable(const fs::path& file, std::string_view kind, const IsOurs& is_ours,
                         const Replacing& replacing) {
  const Where where{file.string(), 0};
  if (!replacing.store.empty() && is_of_store(file, replacing.store)) {
    throw Error("file-is-input", where, "it belongs to the store that the run is read from. Name another file.");
  }
  if (replacing.force) return;
  for (const std::string& input : replacing.inputs) {
    if (!same_file(file, input)) continue;
    throw Error("file-is-input", where,
                concat("it is ", quoted(input), ", which is read. Name another file, or replace it with --force."));
  }
  std::error_code none;
  if (!fs::is_regular_file(file, none) || fs::file_size(file, none) == 0) return;
  if (is_ours && is_ours(beginning_of(file))) return;
  throw Error("file-exists", where,
              concat("the file is there already", kind.empty() ? "" : concat(" and is no ", kind, " of Articula"),
                     ". Name another file, or replace it with --force."));
}

}  // namespace articula::program
