#include "hdf5_file.h"

#include <bit>
#include <cstring>

#include <articula/base/text.h>

namespace articula::store {

static_assert(std::endian::native == std::endian::little, "HDF5 files are written with little-endian numbers");

namespace {

constexpr std::uint64_t nowhere = ~std::uint64_t{0};
constexpr std::size_t superblock_size = 48;
constexpr std::size_t largest_message = 65535;

enum MessageType : std::uint8_t {
  dataspace = 0x01,
  link_info = 0x02,
  datatype = 0x03,
  fill_value = 0x05,
  link = 0x06,
  layout = 0x08,
  group_info = 0x0a,
  attribute_message = 0x0c,
  attribute_info = 0x15,
};

/// Concatenates numbers in little-endian order.
template <class... Numbers>
std::string bytes_of(Numbers... numbers) {
  std::string bytes;
  const auto add = [&](auto number) {
    const std::size_t size = bytes.size();
    bytes.resize(size + sizeof number);
    std::memcpy(bytes.data() + size, &number, sizeof number);
  };
  (add(numbers), ...);
  return bytes;
}

std::uint8_t u8(std::size_t x) { return static_cast<std::uint8_t>(x); }
std::uint16_t u16(std::size_t x) { return static_cast<std::uint16_t>(x); }
std::uint32_t u32(std::size_t x) { return static_cast<std::uint32_t>(x); }

/// The checksum of all structures.  [Jenkins 2006, lookup3, hashlittle with initial value 0]
std::uint32_t checksum(std::string_view text) {
  const auto rot = [](std::uint32_t x, int k) { return std::rotl(x, k); };
  std::uint32_t a = 0xdeadbeef + u32(text.size()), b = a, c = a;
  const auto take = [&](std::string_view piece) {
    std::uint32_t words[3] = {0, 0, 0};
    std::memcpy(words, piece.data(), piece.size());
    a += words[0], b += words[1], c += words[2];
  };
  for (; text.size() > 12; text.remove_prefix(12)) {
    take(text.substr(0, 12));
    a -= c, a ^= rot(c, 4), c += b;
    b -= a, b ^= rot(a, 6), a += c;
    c -= b, c ^= rot(b, 8), b += a;
    a -= c, a ^= rot(c, 16), c += b;
    b -= a, b ^= rot(a, 19), a += c;
    c -= b, c ^= rot(b, 4), b += a;
  }
  if (text.empty()) return c;
  take(text);
  c ^= b, c -= rot(b, 14);
  a ^= c, a -= rot(c, 11);
  b ^= a, b -= rot(a, 25);
  c ^= b, c -= rot(b, 16);
  a ^= c, a -= rot(c, 4);
  b ^= a, b -= rot(a, 14);
  c ^= b, c -= rot(b, 24);
  return c;
}

// Messages -------------------------------------------------------------------------------------------------------------

/// IEEE 754 binary64: a sign at bit 63, an exponent of 11 bits at 52 with the bias 1023, 52 bits of a normalized mantissa.
std::string double_type() {
  return bytes_of(u8(0x11), u8(0x20), u8(0x3f), u8(0), std::uint32_t{8}, u16(0), u16(64), u8(52), u8(11), u8(0), u8(52),
                  std::uint32_t{1023});
}
/// A UTF-8 text with a terminating zero.
std::string text_type(std::size_t length) { return bytes_of(u8(0x13), u8(0x10), u8(0), u8(0), u32(length + 1)); }

std::string one_value() { return bytes_of(u8(2), u8(0), u8(0), u8(0)); }
std::string row_of(std::uint64_t size) { return bytes_of(u8(2), u8(1), u8(0), u8(1), size); }

std::string attribute_text(const std::string& name, const std::string& type, std::string_view value) {
  const std::string space = one_value();
  return concat(bytes_of(u8(3), u8(0), u16(name.size() + 1), u16(type.size()), u16(space.size()), u8(1)), name,
                std::string(1, '\0'), type, space, value);
}

}  // namespace

Hdf5File::Hdf5File(OutputFile& out) : out_(out) { nodes_.emplace_back(); }

void Hdf5File::message(Node& node, std::uint8_t type, std::string_view data) const {
  if (data.size() > largest_message) {
    out_.fail(concat("HDF5 has no room for a name or an attribute of ", data.size(), " bytes; up to ", largest_message,
                     " are possible. Export it as CSV"));
  }
  node.messages += bytes_of(type, u16(data.size()), u8(0));
  node.messages += data;
}

Hdf5File::Object Hdf5File::add(Object parent, const std::string& name, Node node) {
  const std::size_t index = nodes_.size();
  nodes_.push_back(std::move(node));
  nodes_[static_cast<std::size_t>(parent)].links.push_back({name, index});
  return Object{index};
}

Hdf5File::Object Hdf5File::group(Object parent, const std::string& name) { return add(parent, name, {}); }

Hdf5File::Object Hdf5File::column(Object parent, const std::string& name, std::uint64_t rows) {
  Node node{.is_group = false};
  message(node, dataspace, row_of(rows));
  message(node, datatype, double_type());
  node.bytes = rows * sizeof(double);
  return add(parent, name, std::move(node));
}

Hdf5File::Object Hdf5File::text(Object parent, const std::string& name, std::string text) {
  Node node{.is_group = false};
  message(node, dataspace, one_value());
  message(node, datatype, text_type(text.size()));
  node.bytes = text.size() + 1;
  node.text = std::move(text);
  return add(parent, name, std::move(node));
}

void Hdf5File::attribute(Object owner, const std::string& name, std::string_view text) {
  message(nodes_[static_cast<std::size_t>(owner)], attribute_message,
          attribute_text(name, text_type(text.size()), concat(text, std::string(1, '\0'))));
}

void Hdf5File::attribute(Object owner, const std::string& name, double value) {
  message(nodes_[static_cast<std::size_t>(owner)], attribute_message,
          attribute_text(name, double_type(), bytes_of(value)));
}

/// An object header of version 2; its length is independent of addresses.
std::string Hdf5File::header(const Node& node) const {
  Node all{.messages = node.messages};
  message(all, attribute_info, bytes_of(u8(0), u8(0), nowhere, nowhere));  // without it, readers see no attributes
  if (node.is_group) {
    message(all, link_info, bytes_of(u8(0), u8(0), nowhere, nowhere));
    message(all, group_info, bytes_of(u8(0), u8(0)));
    for (const Link& l : node.links) {
      // A UTF-8 name with a two-byte length.
      message(all, link,
              concat(bytes_of(u8(1), u8(0x11), u8(1), u16(l.name.size())), l.name, bytes_of(nodes_[l.object].header)));
    }
  } else {
    message(all, fill_value, bytes_of(u8(3), u8(0x0a)));
    message(all, layout, bytes_of(u8(3), u8(1), node.bytes == 0 ? nowhere : node.data, node.bytes));
  }
  const std::string text = concat("OHDR", bytes_of(u8(2), u8(2), u32(all.messages.size())), all.messages);
  return concat(text, bytes_of(checksum(text)));
}

void Hdf5File::begin() {
  const auto aligned = [](std::uint64_t address) { return (address + 7) / 8 * 8; };
  end_ = superblock_size;
  for (Node& node : nodes_) node.header = end_, end_ = aligned(end_ + header(node).size());
  for (Node& node : nodes_) node.data = end_, end_ = aligned(end_ + node.bytes);
  const std::string start = concat("\x89HDF\r\n\x1a\n", bytes_of(u8(2), u8(8), u8(8), u8(0), std::uint64_t{0}, nowhere,
                                                                 end_, nodes_.front().header));
  out_.write_at(0, concat(start, bytes_of(checksum(start))));
  for (const Node& node : nodes_) {
    out_.write_at(node.header, header(node));
    if (!node.text.empty()) out_.write_at(node.data, node.text);
  }
}

void Hdf5File::fill(Object column, std::uint64_t first, std::span<const double> values) {
  const std::span<const std::byte> bytes = std::as_bytes(values);
  out_.write_at(nodes_[static_cast<std::size_t>(column)].data + first * sizeof(double),
                std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

void Hdf5File::finish() { out_.resize(end_); }

}  // namespace articula::store
