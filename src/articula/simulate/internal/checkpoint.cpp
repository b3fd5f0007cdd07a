#include <articula/simulate/internal/checkpoint.h>

#include <algorithm>
#include <array>
#include <bit>
#include <string_view>

#include <articula/base/error.h>
#include <articula/base/text.h>

namespace articula::simulate {
namespace {

constexpr std::string_view magic = "ARTRUN03";

/// Eight bytes, the lowest first.
std::array<std::byte, 8> to_eight(std::uint64_t x) {
  std::array<std::byte, 8> bytes{};
  for (std::byte& each : bytes) {
    each = static_cast<std::byte>(x & 0xff);
    x >>= 8;
  }
  return bytes;
}

std::uint64_t from_eight(std::span<const std::byte> bytes) {
  std::uint64_t x = 0;
  for (std::size_t k = 8; k-- > 0;) x = (x << 8) | static_cast<std::uint64_t>(bytes[k]);
  return x;
}

class Writer {
 public:
  void put(std::uint64_t x) {
    const auto eight = to_eight(x);
    bytes.insert(bytes.end(), eight.begin(), eight.end());
  }
  void put(std::int64_t x) { put(static_cast<std::uint64_t>(x)); }
  void put(double x) { put(std::bit_cast<std::uint64_t>(x)); }

  std::vector<std::byte> bytes;
};

/// The content of a checkpoint, in order; the same code writes and reads it.
template <class C, class F>
void each_number(C& c, F&& f) {
  f(c.t), f(c.next_output), f(c.next_checkpoint), f(c.rows), f(c.events);
  auto& n = c.counts;
  for (auto* each : {&n.steps, &n.rejected, &n.rates, &n.rates_for_jacobians, &n.jacobians, &n.factorizations,
                     &n.restarts, &n.switches})
    f(*each);
  f(c.memory);
}

[[noreturn]] void throw_damaged(std::string_view how) {
  throw Error("checkpoint-damaged", {}, concat("the checkpoint ", how, ". Resume from an earlier one, or run anew."));
}

}  // namespace

void Fingerprint::add(double x) { add(to_eight(std::bit_cast<std::uint64_t>(x))); }
void Fingerprint::add(std::int64_t x) { add(to_eight(static_cast<std::uint64_t>(x))); }

std::vector<std::byte> to_bytes(const RunCheckpoint& checkpoint, std::uint64_t fingerprint) {
  Writer to;
  const auto head = std::as_bytes(std::span(magic));
  to.bytes.assign(head.begin(), head.end());
  to.put(fingerprint);
  each_number(checkpoint, [&](const auto& x) {
    if constexpr (std::is_same_v<std::decay_t<decltype(x)>, double>) {
      to.put(x);
    } else {
      to.put(static_cast<std::int64_t>(x));
    }
  });
  for (const auto* list : {&checkpoint.y, &checkpoint.discrete, &checkpoint.forces}) {
    to.put(static_cast<std::uint64_t>(list->size()));
    for (const double x : *list) to.put(x);
  }
  Fingerprint sum;
  sum.add(to.bytes);
  to.put(sum.value());
  return to.bytes;
}

RunCheckpoint to_checkpoint(std::span<const std::byte> bytes, std::uint64_t fingerprint) {
  if (bytes.size() < magic.size() + 3 * 8 || bytes.size() % 8 != 0) throw_damaged("is cut short");
  if (!std::ranges::equal(bytes.first(magic.size()), std::as_bytes(std::span(magic))))
    throw_damaged("is not one of a run, or of another version");
  Fingerprint sum;
  sum.add(bytes.first(bytes.size() - 8));
  if (sum.value() != from_eight(bytes.last(8))) throw_damaged("is not as it was written: its checksum differs");
  std::size_t at = magic.size();
  const auto next = [&] {
    if (at + 8 > bytes.size()) throw_damaged("is cut short");
    at += 8;
    return from_eight(bytes.subspan(at - 8, 8));
  };
  if (next() != fingerprint) {
    throw Error("checkpoint-of-other-run", {},
                "the checkpoint is that of another run: a number of the mechanism, its blocks or trajectories, the "
                "integrator or "
                "the times are not the same. Resume with what the run began with, or run anew.");
  }
  RunCheckpoint checkpoint;
  each_number(checkpoint, [&](auto& x) {
    using X = std::decay_t<decltype(x)>;
    if constexpr (std::is_same_v<X, double>) {
      x = std::bit_cast<double>(next());
    } else {
      x = static_cast<X>(static_cast<std::int64_t>(next()));
    }
  });
  for (auto* list : {&checkpoint.y, &checkpoint.discrete, &checkpoint.forces}) {
    const std::uint64_t size = next();
    if (size > (bytes.size() - at) / 8) throw_damaged("is cut short");
    for (std::uint64_t k = 0; k < size; ++k) list->push_back(std::bit_cast<double>(next()));
  }
  if (at + 8 != bytes.size()) throw_damaged("is longer than what it holds");
  return checkpoint;
}

}  // namespace articula::simulate
