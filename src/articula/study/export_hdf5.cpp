#include <articula/study/export_hdf5.h>

#include <hdf5.h>

#include <algorithm>
#include <mutex>
#include <set>
#include <utility>

#include <articula/base/text.h>

#include "internal/output_file.h"

namespace articula {
namespace {

constexpr hid_t everything = 0;  // H5S_ALL, without its old-style cast

/// A thing of HDF5, let go of in the end.
class Handle {
 public:
  Handle(hid_t id, herr_t (*release)(hid_t)) : id_(id), release_(release) {}
  ~Handle() { close(); }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), release_(other.release_) {}
  Handle& operator=(Handle&&) = delete;
  hid_t get() const { return id_; }
  bool close() {
    const hid_t id = std::exchange(id_, -1);
    return id < 0 || release_(id) >= 0;
  }

 private:
  hid_t id_;
  herr_t (*release_)(hid_t);
};

/// Debian's serial HDF5 may be used by one thread at a time, and prints its own errors unless told not to.
class Hdf5Session {
 public:
  Hdf5Session() : lock_(mutex()) {
    H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Hdf5Session() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }
  Hdf5Session(const Hdf5Session&) = delete;
  Hdf5Session& operator=(const Hdf5Session&) = delete;

 private:
  static std::mutex& mutex() {
    static std::mutex one;
    return one;
  }
  std::lock_guard<std::mutex> lock_;
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

/// A file that HDF5 composes in the memory: on a full disk HDF5 could not even close one without a crash.
class Hdf5Writer {
 public:
  explicit Hdf5Writer(OutputFile& out)
      : out_(out), access_(checked(H5Pcreate(H5P_FILE_ACCESS)), H5Pclose), file_(create()) {}

  hid_t root() const { return file_.get(); }

  void write_out() {
    check(H5Fflush(file_.get(), H5F_SCOPE_GLOBAL));
    void* image = nullptr;  // becomes the place where the driver keeps its pointer
    check(H5Fget_vfd_handle(file_.get(), access_.get(), &image));
    // The memory grows in large pieces; the file is as long as what HDF5 has put there.
    const ssize_t size = H5Fget_file_image(file_.get(), nullptr, 0);
    if (size <= 0) fail();
    out_.write(std::span(*static_cast<std::byte**>(image), static_cast<std::size_t>(size)));
    out_.complete();
  }

  Handle group(hid_t parent, const std::string& name) const {
    return {checked(H5Gcreate2(parent, name.c_str(), names().get(), H5P_DEFAULT, H5P_DEFAULT)), H5Gclose};
  }

  void attribute(hid_t owner, const char* name, const std::string& text) const {
    const Handle type = text_type(text);
    const Handle space(checked(H5Screate(H5S_SCALAR)), H5Sclose);
    const Handle made(checked(H5Acreate2(owner, name, type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT)), H5Aclose);
    check(H5Awrite(made.get(), type.get(), text.c_str()));
  }
  void attribute(hid_t owner, const std::string& name, double value) const {
    const Handle space(checked(H5Screate(H5S_SCALAR)), H5Sclose);
    const Handle made(checked(H5Acreate2(owner, name.c_str(), H5T_IEEE_F64LE, space.get(), H5P_DEFAULT, H5P_DEFAULT)),
                      H5Aclose);
    check(H5Awrite(made.get(), H5T_NATIVE_DOUBLE, &value));
  }

  /// A data set of one text, which may be longer than an attribute.
  Handle text(hid_t parent, const std::string& name, const std::string& text) const {
    const Handle type = text_type(text);
    const Handle space(checked(H5Screate(H5S_SCALAR)), H5Sclose);
    Handle made(
        checked(H5Dcreate2(parent, name.c_str(), type.get(), space.get(), names().get(), H5P_DEFAULT, H5P_DEFAULT)),
        H5Dclose);
    check(H5Dwrite(made.get(), type.get(), everything, everything, H5P_DEFAULT, text.c_str()));
    return made;
  }

  Handle column(hid_t parent, const std::string& name, hsize_t size) const {
    const Handle space(checked(H5Screate_simple(1, &size, nullptr)), H5Sclose);
    return {
        checked(H5Dcreate2(parent, name.c_str(), H5T_IEEE_F64LE, space.get(), names().get(), H5P_DEFAULT, H5P_DEFAULT)),
        H5Dclose};
  }
  void fill(const Handle& column, hsize_t first, std::span<const double> values) const {
    const hsize_t size = values.size();
    const Handle all(checked(H5Dget_space(column.get())), H5Sclose);
    check(H5Sselect_hyperslab(all.get(), H5S_SELECT_SET, &first, nullptr, &size, nullptr));
    const Handle part(checked(H5Screate_simple(1, &size, nullptr)), H5Sclose);
    check(H5Dwrite(column.get(), H5T_NATIVE_DOUBLE, part.get(), all.get(), H5P_DEFAULT, values.data()));
  }

 private:
  /// It lives in the memory only, in pieces of 16 MiB.
  Handle create() const {
    check(H5Pset_fapl_core(access_.get(), std::size_t{1} << 24, false));
    return {checked(H5Fcreate("articula", H5F_ACC_TRUNC, H5P_DEFAULT, access_.get())), H5Fclose};
  }

  [[noreturn]] void fail() const {
    out_.fail("HDF5 cannot compose it; there may be too little memory for all its rows");
  }
  void check(herr_t result) const {
    if (result < 0) fail();
  }
  hid_t checked(hid_t id) const {
    if (id < 0) fail();
    return id;
  }
  Handle names() const {
    Handle list(checked(H5Pcreate(H5P_LINK_CREATE)), H5Pclose);
    check(H5Pset_char_encoding(list.get(), H5T_CSET_UTF8));
    return list;
  }
  Handle text_type(const std::string& text) const {
    Handle type(checked(H5Tcopy(H5T_C_S1)), H5Tclose);
    check(H5Tset_size(type.get(), text.size() + 1));
    check(H5Tset_cset(type.get(), H5T_CSET_UTF8));
    return type;
  }

  OutputFile& out_;
  Handle access_, file_;
};

/// A name that can stand in a path, and that none before it has.
class PathNames {
 public:
  std::string operator()(const std::string& name) {
    std::string path = name.empty() ? "_" : name;
    std::replace(path.begin(), path.end(), '/', '|');
    std::replace(path.begin(), path.end(), '\0', '_');
    if (path == "." || path == "..") path += '_';
    const std::string first = path;
    for (int k = 2; !taken_.insert(path).second; ++k) path = concat(first, "_", k);
    return path;
  }

 private:
  std::set<std::string> taken_;
};

void write_provenance(const Hdf5Writer& writer, const StoredRun& run) {
  const RunOrigin& p = run.provenance;
  const hid_t root = writer.root();
  writer.attribute(root, "run", run.id);
  writer.attribute(root, "status", std::string(to_text(run.status)));
  writer.attribute(root, "study", p.study);
  writer.attribute(root, "articula_version", p.version);
  writer.attribute(root, "host", p.host);
  writer.attribute(root, "created", p.created);
  writer.attribute(root, "seed", std::to_string(p.seed));
  const Handle group = writer.group(root, "provenance");
  PathNames names;
  writer.text(group.get(), names("command"), p.command);
  for (const NamedText& option : p.options) {
    const Handle set = writer.text(group.get(), names("option " + option.name), option.value);
    writer.attribute(set.get(), "name", option.name);
  }
  for (const SourceText& text : p.texts) {
    const Handle set = writer.text(group.get(), names(text.role + " " + text.path), text.text);
    writer.attribute(set.get(), "role", text.role);
    writer.attribute(set.get(), "path", text.path);
  }
}

std::optional<Finding> write_task(const Hdf5Writer& writer, const Store& store, const StoredTask& task,
                                  const std::string& path) {
  const Handle group = writer.group(writer.root(), path);
  writer.attribute(group.get(), "name", task.name);
  writer.attribute(group.get(), "kind", task.kind);
  writer.attribute(group.get(), "status", std::string(to_text(task.status)));
  PathNames attribute_names;
  for (const char* taken : {"name", "kind", "status"}) attribute_names(taken);
  for (const Count& count : task.counts) writer.attribute(group.get(), attribute_names(count.name), count.value);
  // Damaged rows do not count: the length is that of the sound ones.
  hsize_t size = 0;
  std::optional<Finding> damage =
      store.each_block(task.id, [&](const StoredRows& rows) { size += static_cast<hsize_t>(rows.size()); });
  PathNames names;
  std::vector<Handle> columns;
  for (const StoredSignal& signal : task.signals) {
    columns.push_back(writer.column(group.get(), names(signal.name), size));
    writer.attribute(columns.back().get(), "name", signal.name);
    writer.attribute(columns.back().get(), "unit", signal.unit);
  }
  std::vector<double> values;
  store.each_block(task.id, [&](const StoredRows& rows) {
    // A run that still goes on may have grown since.
    const std::size_t count = static_cast<std::size_t>(
        std::min<hsize_t>(rows.size(), size - std::min<hsize_t>(size, static_cast<hsize_t>(rows.first))));
    for (std::size_t k = 0; k < columns.size() && count > 0; ++k) {
      values.resize(count);
      for (std::size_t i = 0; i < count; ++i) values[i] = rows.row(i)[k];
      writer.fill(columns[k], static_cast<hsize_t>(rows.first), values);
    }
  });
  return damage;
}

}  // namespace

Findings export_hdf5(const Store& store, const StoredRun& run, std::span<const StoredTask> tasks,
                     const std::filesystem::path& file) {
  const Hdf5Session session;
  OutputFile out(file);
  Findings findings;
  Hdf5Writer writer(out);
  write_provenance(writer, run);
  PathNames names;
  names("provenance");
  for (const StoredTask& task : tasks) {
    if (const auto damage = write_task(writer, store, task, names(task.name))) findings.push_back(*damage);
  }
  writer.write_out();
  return findings;
}

}  // namespace articula
