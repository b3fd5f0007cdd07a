// Any bytes: they are refused with an Error, or they are a checkpoint that is written as the same bytes. The sum at the
// end is made right first, so that more than the sum is tried.
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include <articula/base/error.h>
#include <articula/simulate/internal/checkpoint.h>

using namespace articula::simulate;

constexpr std::uint64_t fingerprint = 0x0123456789abcdefu;

static void try_bytes(std::span<const std::byte> bytes) {
  try {
    const std::vector<std::byte> again = to_bytes(to_checkpoint(bytes, fingerprint), fingerprint);
    if (!std::equal(again.begin(), again.end(), bytes.begin(), bytes.end())) std::abort();
  } catch (const Error&) {
  }
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  try_bytes(bytes);
  // The same with the right beginning and the right end around it.
  RunCheckpoint empty;
  std::vector<std::byte> whole = to_bytes(empty, fingerprint);
  whole.resize(16);
  whole.insert(whole.end(), bytes.begin(), bytes.end());
  Fingerprint sum;
  sum.add(whole);
  for (int k = 0; k < 8; ++k) whole.push_back(static_cast<std::byte>(sum.value() >> (8 * k) & 0xff));
  try_bytes(whole);
  return 0;
}
