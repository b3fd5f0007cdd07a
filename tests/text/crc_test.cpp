#include <articula/text/internal/crc.h>

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/names.h"

namespace articula::test {
namespace {

std::uint32_t crc32c(const std::vector<int>& values) {
  std::vector<std::byte> bytes;
  for (const int v : values) bytes.push_back(static_cast<std::byte>(v));
  return Crc32c().add(bytes).value();
}

TEST(Crc, agrees_with_the_published_examples) {
  std::vector<int> up(32), down(32);
  for (int i = 0; i < 32; ++i) up[static_cast<std::size_t>(i)] = i, down[static_cast<std::size_t>(i)] = 31 - i;
  // RFC 3720, B.4; printed there from the lowest byte on.
  EXPECT_EQ(crc32c(std::vector<int>(32, 0)), 0x8a9136aau);
  EXPECT_EQ(crc32c(std::vector<int>(32, 0xff)), 0x62a8ab43u);
  EXPECT_EQ(crc32c(up), 0x46dd794eu);
  EXPECT_EQ(crc32c(down), 0x113fdb5cu);
  // The check values of both polynomials in the catalogues, for the text 123456789.
  const std::string text = "123456789";
  EXPECT_EQ(Crc32c().add(std::as_bytes(std::span(text))).value(), 0xe3069283u);
  EXPECT_EQ(Crc32().add(std::as_bytes(std::span(text))).value(), 0xcbf43926u);
}

TEST(Crc, does_not_depend_on_how_the_bytes_are_divided) {
  std::vector<std::byte> bytes(101);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * 37);
  const std::uint32_t whole = Crc32c().add(bytes).value();
  for (std::size_t i = 0; i <= bytes.size(); ++i) {
    EXPECT_EQ(Crc32c().add(std::span(bytes).first(i)).add(std::span(bytes).subspan(i)).value(), whole);
  }
}

}  // namespace
}  // namespace articula::test
