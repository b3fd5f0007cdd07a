// Rows as HDF5, read back with the HDF5 library.

#include <hdf5.h>
#include <sys/resource.h>

#include <csignal>
#include <cstring>

#include "store/exports/export_test_run.h"
#include "support/names.h"

namespace articula::test {
namespace {

using namespace store_test;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;

std::string attribute(hid_t file, const std::string& path, const char* name) {
  const hid_t id = H5Aopen_by_name(file, path.c_str(), name, H5P_DEFAULT, H5P_DEFAULT);
  EXPECT_GE(id, 0) << path << " " << name;
  if (id < 0) return {};
  const hid_t type = H5Aget_type(id);
  std::string text(H5Tget_size(type), '\0');
  EXPECT_GE(H5Aread(id, type, text.data()), 0);
  EXPECT_EQ(H5Tget_cset(type), H5T_CSET_UTF8);
  H5Tclose(type);
  H5Aclose(id);
  return text.c_str();
}

std::vector<double> values(hid_t file, const std::string& path) {
  const hid_t id = H5Dopen2(file, path.c_str(), H5P_DEFAULT);
  EXPECT_GE(id, 0) << path;
  if (id < 0) return {};
  const hid_t space = H5Dget_space(id);
  std::vector<double> found(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  EXPECT_GE(H5Dread(id, H5T_NATIVE_DOUBLE, hid_t{0}, hid_t{0}, H5P_DEFAULT, found.data()), 0);
  H5Sclose(space);
  H5Dclose(id);
  return found;
}

std::string text_set(hid_t file, const std::string& path) {
  const hid_t id = H5Dopen2(file, path.c_str(), H5P_DEFAULT);
  EXPECT_GE(id, 0) << path;
  if (id < 0) return {};
  const hid_t type = H5Dget_type(id);
  std::string text(H5Tget_size(type), '\0');
  EXPECT_GE(H5Dread(id, type, hid_t{0}, hid_t{0}, H5P_DEFAULT, text.data()), 0);
  H5Tclose(type);
  H5Dclose(id);
  return text.c_str();
}

TEST(ExportHdf5, a_file_is_hardly_longer_than_its_rows) {
  const Folder folder;
  Store store(folder / "runs.db", Store::Access::write);
  const std::string id = store.add_run(sample_provenance(), std::vector<NewTask>{{"motion", "simulate"}});
  {
    TaskWriter writer = store.write(store.run(id).tasks[0].id);
    writer.columns(sample_signals);
    for (int i = 0; i < 500; ++i) writer.row(sample_row(i));
    writer.finish(RunStatus::done);
  }
  const StoredRun run = store.run(id);
  export_as("hdf5", store, run, run.tasks, folder / "out.h5");
  const auto rows = 500 * std::size(sample_signals) * sizeof(double);
  EXPECT_GT(std::filesystem::file_size(folder / "out.h5"), rows);
  EXPECT_LT(std::filesystem::file_size(folder / "out.h5"), rows + 32768);
  // Nothing is missing at its end.
  const hid_t file = H5Fopen((folder / "out.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  EXPECT_EQ(values(file, "/motion/t"), store.column(run.tasks[0].id, "t"));
  H5Fclose(file);
}

TEST(ExportHdf5, every_signal_is_a_data_set_with_its_name_and_unit) {
  const Folder folder;
  Store store(folder / "runs.db", Store::Access::write);
  const StoredRun run = store.run(add_odd_run(store));
  EXPECT_THAT(export_as("hdf5", store, run, run.tasks, folder / "out.h5"), IsEmpty());
  const hid_t file = H5Fopen((folder / "out.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  const std::vector<std::pair<std::string, std::string>> paths{{"/motion/t", "t"},
                                                               {"/motion/q.joint1", "q.joint1"},
                                                               {"/motion/v.joint1", "v.joint1"},
                                                               {"/odd|na\"me/i", "i"},
                                                               {"/odd|na\"me/a,b", "a,b"},
                                                               {"/odd|na\"me/say \"q\"", "say \"q\""},
                                                               {"/odd|na\"me/two\nlines", "two\nlines"},
                                                               {"/odd|na\"me/x|y", "x/y"},
                                                               {"/odd|na\"me/x|y_2", "x|y"}};
  for (const auto& [path, name] : paths) {
    const StoredTask& task = run.tasks[path.starts_with("/motion") ? 0 : 1];
    const std::vector<double> expected = store.column(task.id, name), got = values(file, path);
    ASSERT_EQ(got.size(), expected.size());
    EXPECT_EQ(std::memcmp(got.data(), expected.data(), got.size() * sizeof(double)), 0) << path;
    EXPECT_EQ(attribute(file, path, "name"), name);
  }
  EXPECT_EQ(attribute(file, "/motion/v.joint1", "unit"), "rad/s");
  EXPECT_EQ(attribute(file, "/odd|na\"me", "name"), "odd/na\"me");
  EXPECT_EQ(attribute(file, "/motion", "kind"), "simulate");
  double count = 0;
  const hid_t counted = H5Aopen_by_name(file, "/motion", "right-hand sides", H5P_DEFAULT, H5P_DEFAULT);
  EXPECT_GE(H5Aread(counted, H5T_NATIVE_DOUBLE, &count), 0);
  EXPECT_EQ(count, 1924);
  H5Aclose(counted);
  EXPECT_EQ(attribute(file, "/", "run"), run.id);
  EXPECT_EQ(attribute(file, "/", "seed"), "18364758544493064720");
  EXPECT_EQ(text_set(file, "/provenance/command"), run.provenance.command);
  EXPECT_EQ(text_set(file, "/provenance/study study.yaml"), "articula_study: 1\n");
  EXPECT_EQ(text_set(file, "/provenance/option threads"), "2");
  EXPECT_EQ(H5Fget_obj_count(file, H5F_OBJ_ALL), 1) << "everything was closed";
  H5Fclose(file);
}

TEST(ExportHdf5, many_signals_no_rows_and_long_texts_are_read_back) {
  const Folder folder;
  Store store(folder / "runs.db", Store::Access::write);
  RunOrigin provenance = sample_provenance();
  provenance.texts = {{"model", "large.yaml", std::string(200'000, 'x')}, {"table", "empty.csv", ""}};
  const std::string id = store.add_run(
      provenance, std::vector<NewTask>{{"many", "simulate"}, {"none", "simulate"}, {"waiting", "simulate"}});
  const StoredRun made = store.run(id);
  std::vector<StoredSignal> signals;
  for (int k = 0; k < 700; ++k) signals.push_back({"s" + std::to_string(k), "m"});
  {
    TaskWriter writer = store.write(made.tasks[0].id);
    writer.columns(signals);
    for (int i = 0; i < 3; ++i) writer.row(std::vector<double>(signals.size(), i + 0.5));
    writer.finish(RunStatus::done);
    TaskWriter none = store.write(made.tasks[1].id);
    none.columns(sample_signals);
    none.finish(RunStatus::done);
  }
  std::vector<Count> counts;
  for (int k = 0; k < 20; ++k) counts.push_back({"count" + std::to_string(k), 1.0 * k});
  store.set_counts(made.tasks[0].id, counts);
  const StoredRun run = store.run(id);
  export_as("hdf5", store, run, run.tasks, folder / "out.h5");
  const hid_t file = H5Fopen((folder / "out.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  for (const StoredSignal& signal : signals) {
    EXPECT_EQ(values(file, "/many/" + signal.name), (std::vector<double>{0.5, 1.5, 2.5}));
  }
  EXPECT_THAT(values(file, "/none/t"), IsEmpty());
  EXPECT_EQ(attribute(file, "/waiting", "kind"), "simulate");
  EXPECT_EQ(text_set(file, "/provenance/model large.yaml"), std::string(200'000, 'x'));
  EXPECT_EQ(text_set(file, "/provenance/table empty.csv"), "");
  H5O_info_t info;
  ASSERT_GE(H5Oget_info_by_name2(file, "/many", &info, H5O_INFO_NUM_ATTRS, H5P_DEFAULT), 0);
  EXPECT_EQ(info.num_attrs, 23u);
  std::vector<std::string> names;
  const auto note = [](hid_t, const char* name, const H5A_info_t*, void* all) -> herr_t {
    static_cast<std::vector<std::string>*>(all)->emplace_back(name);
    return 0;
  };
  ASSERT_GE(H5Aiterate_by_name(file, "/", H5_INDEX_NAME, H5_ITER_INC, nullptr, note, &names, H5P_DEFAULT), 0);
  EXPECT_THAT(names, testing::ElementsAre("articula_version", "created", "host", "run", "seed", "status", "study"));
  H5G_info_t links;
  ASSERT_GE(H5Gget_info_by_name(file, "/many", &links, H5P_DEFAULT), 0);
  EXPECT_EQ(links.nlinks, 700u);
  H5Fclose(file);
}

TEST(ExportHdf5, a_name_that_is_too_long_for_the_format_is_said) {
  const Folder folder;
  Store store(folder / "runs.db", Store::Access::write);
  RunOrigin provenance = sample_provenance();
  provenance.study = std::string(70'000, 'x');
  const StoredRun run = store.run(store.add_run(provenance, std::vector<NewTask>{{"motion", "simulate"}}));
  EXPECT_THAT(thrown([&] { export_as("hdf5", store, run, run.tasks, folder / "out.h5"); }).text,
              EndsWith("out.h5: HDF5 has no room for a name or an attribute of 70028 bytes; up to 65535 are possible. "
                       "Export it as CSV. What was there is unchanged.  [file-unwritable]"));
  EXPECT_FALSE(fs::exists(folder / "out.h5"));
}

TEST(ExportHdf5, a_full_disk_leaves_the_old_file_and_prints_nothing) {
  const Folder folder;
  Store store(folder / "runs.db", Store::Access::write);
  add_sample(store, 20000, 5000);
  const StoredRun run = store.run("latest");
  put(folder / "out.h5", "old");
  for (const rlim_t size : {100, 10'000, 100'000, 400'000}) {
    testing::internal::CaptureStderr();
    const int code = in_child([&] {
      std::signal(SIGXFSZ, SIG_IGN);
      const rlimit limit{size, size};
      setrlimit(RLIMIT_FSIZE, &limit);
      const Thrown error = thrown([&] { export_as("hdf5", store, run, run.tasks, folder / "out.h5"); });
      if (error.code != "file-unwritable") return 1;
      if (!error.text.ends_with("out.h5: it cannot be written: File too large. What was there is unchanged.  "
                                "[file-unwritable]")) {
        return 2;
      }
      return H5close() >= 0 ? 0 : 3;  // as at the end of the program
    });
    EXPECT_EQ(code, 0) << size;
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
    EXPECT_EQ(content(folder / "out.h5"), "old");
    EXPECT_THAT(folder.files(), testing::Not(testing::Contains(HasSubstr("out.h5."))));
  }
}

}  // namespace
}  // namespace articula::test
