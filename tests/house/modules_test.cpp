// The modules of src/articula have an order, and a module includes only modules above it (docs/architecture.md).

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/temporary_folder.h"

namespace fs = std::filesystem;

namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// In order, from top to bottom.
constexpr auto modules = std::to_array<std::string_view>(
    {"base",    "text",     "scalar",   "spatial",  "joints",  "model",  "formats",   "mechanism", "build", "dynamics",
     "closure", "network",  "loops",    "drives",   "contact", "flex",   "integrate", "generate",  "batch", "solve",
     "control", "simulate", "identify", "optimize", "store",   "report", "study",     "serve"});

auto place(std::string_view module) { return std::find(modules.begin(), modules.end(), module); }

/// Modules above `drives` that are not in articula::core: they need more than Eigen and Boost.
bool reads_files(std::string_view module) { return module == "text" || module == "formats"; }

/// The modules of articula::core: all down to `drives`, except those that read files.
bool is_core(std::string_view module) { return !reads_files(module) && place(module) <= place("drives"); }

/// The path in an #include line, without brackets or quotes; empty for any other line.
std::string included(std::string_view line) {
  const auto skip_blanks = [&] { line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size())); };
  skip_blanks();
  if (!line.starts_with('#')) return {};
  line.remove_prefix(1);
  skip_blanks();
  if (!line.starts_with("include")) return {};
  line.remove_prefix(std::string_view("include").size());
  skip_blanks();
  if (line.empty() || (line[0] != '<' && line[0] != '"')) return {};
  const char closing = line[0] == '<' ? '>' : '"';
  return std::string(line.substr(1, line.find(closing, 1) - 1));
}

/// Why a file of `module` may not include `name`, a path below src/ such as articula/spatial/pose.h; empty if it may.
std::string objection(const std::string& module, const fs::path& name) {
  auto part = name.begin();
  if (part == name.end() || *part != "articula") return {};
  if (std::distance(name.begin(), name.end()) == 2) {
    const bool generated = name.filename() == "version.h";
    return generated ? "" : "a module does not include the headers that gather modules";
  }
  const std::string other = *++part;
  if (place(other) == modules.end()) return "there is no module \"" + other + "\"";
  if (place(other) > place(module)) return "\"" + other + "\" stands below \"" + module + "\"";
  if (other == "dynamics" && module == "network")
    return "\"network\" is the reference and includes nothing of \"dynamics\"";
  if (reads_files(other) && is_core(module))
    return "\"" + module + "\" is in articula::core and includes nothing of \"" + other + "\"";
  return {};
}

/// Every violation of the order in the tree `src`, as "file:line: what is wrong", sorted.
std::vector<std::string> breaches(const fs::path& src) {
  std::vector<std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator(src / "articula")) {
    const fs::path file = entry.path().lexically_relative(src);
    if (!entry.is_regular_file() || (file.extension() != ".h" && file.extension() != ".cpp")) continue;
    if (std::distance(file.begin(), file.end()) == 2) continue;  // articula/articula.h gathers all modules
    const std::string module = *std::next(file.begin());
    if (place(module) == modules.end()) {
      found.push_back(file.string() + ": there is no module \"" + module + "\"");
      continue;
    }
    std::ifstream in(entry.path());
    std::string line;
    for (int number = 1; std::getline(in, line); ++number) {
      fs::path name = included(line);
      const fs::path beside = (file.parent_path() / name).lexically_normal();
      if (!name.empty() && fs::exists(src / beside)) name = beside;
      if (const std::string why = objection(module, name); !why.empty())
        found.push_back(file.string() + ":" + std::to_string(number) + ": " + name.string() + ": " + why);
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

/// A source tree in a temporary folder.
class PlantedTree {
 public:
  PlantedTree(std::initializer_list<std::pair<std::string, std::string>> files) {
    for (const auto& [name, text] : files) {
      fs::create_directories((src() / name).parent_path());
      folder_.file(name, text);
    }
  }
  const fs::path& src() const { return folder_.path(); }

 private:
  articula::test::TemporaryFolder folder_;
};

TEST(Modules, a_module_includes_only_modules_above_it) {
  EXPECT_THAT(breaches(fs::path(ARTICULA_SOURCE_DIR) / "src"), IsEmpty());
}

TEST(Modules, includes_upwards_and_within_a_module_are_allowed) {
  const PlantedTree tree{{"articula/articula.h", "#include <articula/serve/server.h>\n"},
                         {"articula/base/error.h", "#include <articula/version.h>\n#include <string>\n"},
                         {"articula/model/model.h", "#include <articula/base/error.h>\n"},
                         {"articula/model/model.cpp", "#include \"model.h\"\n#include <articula/model/model.h>\n"},
                         {"articula/formats/yaml.cpp", "#include <articula/model/model.h>\n"},
                         {"articula/solve/load.cpp", "#include <articula/formats/yaml.h>\n"},
                         {"articula/network/network.cpp", "#include <articula/mechanism/mechanism.h>\n"}};
  EXPECT_THAT(breaches(tree.src()), IsEmpty());
}

TEST(Modules, an_include_of_a_module_below_is_found) {
  const PlantedTree tree{{"articula/base/error.cpp", "\n  #  include \"articula/model/model.h\"  // no\n"}};
  EXPECT_THAT(breaches(tree.src()),
              ElementsAre("articula/base/error.cpp:2: articula/model/model.h: \"model\" stands below \"base\""));
}

TEST(Modules, an_include_of_a_module_below_by_a_relative_path_is_found) {
  const PlantedTree tree{{"articula/spatial/pose.h", "#include \"../joints/joint.h\"\n"},
                         {"articula/joints/joint.h", ""}};
  EXPECT_THAT(breaches(tree.src()), ElementsAre(HasSubstr("\"joints\" stands below \"spatial\"")));
}

TEST(Modules, network_includes_nothing_of_dynamics) {
  const PlantedTree tree{{"articula/network/network.cpp", "#include <articula/dynamics/jacobian.h>\n"}};
  EXPECT_THAT(breaches(tree.src()), ElementsAre(HasSubstr("includes nothing of \"dynamics\"")));
}

TEST(Modules, core_includes_nothing_that_reads_files) {
  const PlantedTree tree{{"articula/build/check.cpp", "#include <articula/formats/yaml.h>\n"},
                         {"articula/model/model.cpp", "#include <articula/text/csv.h>\n"}};
  EXPECT_THAT(breaches(tree.src()), ElementsAre(AllOf(HasSubstr("\"build\""), HasSubstr("nothing of \"formats\"")),
                                                AllOf(HasSubstr("\"model\""), HasSubstr("nothing of \"text\""))));
}

TEST(Modules, unknown_modules_and_gathering_headers_are_refused) {
  const PlantedTree tree{{"articula/attic/a.h", ""},
                         {"articula/base/b.h", "#include <articula/attic/a.h>\n#include <articula/articula.h>\n"}};
  EXPECT_THAT(breaches(tree.src()),
              ElementsAre("articula/attic/a.h: there is no module \"attic\"",
                          HasSubstr("b.h:1: articula/attic/a.h: there is"), HasSubstr("headers that gather modules")));
}

}  // namespace
