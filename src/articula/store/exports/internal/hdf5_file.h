#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <articula/text/output_file.h>

namespace articula::store {

/// An HDF5 file of groups, data sets and attributes, written without the HDF5 library, which keeps the whole file in
/// memory and does not survive lack of memory. This class keeps only names and attributes; rows are written directly to
/// the file. [HDF5 File Format Specification 3.0: superblock 2, object headers 2, compact links, contiguous data]
///
/// All objects are declared first, then begin() computes the layout, then data sets are written in any order.
class Hdf5File {
 public:
  /// A group or a data set.
  enum class Object : std::size_t {};

  explicit Hdf5File(OutputFile& out);

  static constexpr Object root{0};

  Object group(Object parent, const std::string& name);
  Object column(Object parent, const std::string& name, std::uint64_t rows);  ///< of doubles
  Object text(Object parent, const std::string& name, std::string text);      ///< a data set with one text

  void attribute(Object owner, const std::string& name, std::string_view text);
  void attribute(Object owner, const std::string& name, double value);

  void begin();
  void fill(Object column, std::uint64_t first, std::span<const double> values);
  void finish();

 private:
  struct Node;
  Object add(Object parent, const std::string& name, Node node);
  void message(Node& node, std::uint8_t type, std::string_view data) const;
  std::string header(const Node& node) const;

  struct Link {
    std::string name;
    std::size_t object;
  };
  struct Node {
    bool is_group = true;
    std::string messages;                ///< without those that contain addresses
    std::vector<Link> links;             ///< of a group
    std::string text;                    ///< of a data set with one text
    std::uint64_t bytes = 0;             ///< of a data set
    std::uint64_t header = 0, data = 0;  ///< addresses
  };

  OutputFile& out_;
  std::vector<Node> nodes_;
  std::uint64_t end_ = 0;
};

}  // namespace articula::store
