#include <articula/formats/internal/mesh_path.h>

#include <articula/base/text.h>

namespace articula::formats {

namespace fs = std::filesystem;

/// Whether `path` is inside `folder`, without resolving links.
static bool lies_in(const fs::path& path, const fs::path& folder) {
  const fs::path way = path.lexically_normal().lexically_relative(folder.lexically_normal());
  return !way.empty() && *way.begin() != "..";
}

static bool leaves_its_folder(const fs::path& relative) {
  const fs::path normal = relative.lexically_normal();
  return normal.is_absolute() || (!normal.empty() && *normal.begin() == "..");
}

std::string why_outside(std::string_view file, std::string_view model_file, const ReadOptions& options) {
  constexpr std::string_view local = "file://";
  std::string_view path = file;
  if (path.starts_with(local)) {
    path.remove_prefix(local.size());
  } else if (const std::size_t end = path.find("://"); end != std::string_view::npos) {
    const std::string_view scheme = path.substr(0, end);
    if (scheme != "package" && scheme != "model") return concat(quoted(file), " would have to be fetched");
    path.remove_prefix(end + 3);
    const std::size_t slash = path.find('/');
    const bool leaves = slash != std::string_view::npos && leaves_its_folder(path.substr(slash + 1));
    return leaves ? concat(quoted(file), " leads out of its package") : "";
  }
  const fs::path folder = fs::path(model_file).parent_path();
  const fs::path full = fs::path(path).is_absolute() ? fs::path(path) : folder / path;
  for (const fs::path& root : options.mesh_roots) {
    if (lies_in(full, root)) return "";
  }
  if (fs::path(path).is_absolute()) return concat(quoted(file), " is an absolute path");
  return leaves_its_folder(path) ? concat(quoted(file), " leads out of the model's folder") : "";
}

}  // namespace articula::formats
