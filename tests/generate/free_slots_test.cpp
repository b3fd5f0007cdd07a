#include <gtest/gtest.h>

#include <random>
#include <utility>
#include <vector>

#include <articula/generate/internal/free_slots.h>

#include "support/names.h"

namespace articula::test {
namespace {

TEST(FreeSlots, GiveNothingTwice) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    std::mt19937 random(seed);
    FreeSlots free(7);
    std::vector<bool> taken(10'000, false);
    std::vector<std::pair<int, int>> pieces;
    int held = 0, most = 0;
    for (int step = 0; step < 500; ++step) {
      if (pieces.empty() || random() % 2 == 0) {
        const int count = static_cast<int>(random() % 9), first = free.take(count);
        ASSERT_GE(first, 7);
        for (int k = first; k < first + count; ++k) {
          ASSERT_FALSE(taken.at(static_cast<std::size_t>(k))) << "seed " << seed << ", slot " << k;
          taken[static_cast<std::size_t>(k)] = true;
        }
        pieces.emplace_back(first, count);
        held += count;
        most = std::max(most, held);
      } else {
        std::swap(pieces[random() % pieces.size()], pieces.back());
        const auto [first, count] = pieces.back();
        pieces.pop_back();
        for (int k = first; k < first + count; ++k) taken[static_cast<std::size_t>(k)] = false;
        free.give(first, count);
        held -= count;
      }
    }
    EXPECT_GE(free.end(), 7 + most);
    // All that was given back is one piece again.
    for (const auto& [first, count] : pieces) free.give(first, count);
    const int end = free.end();
    EXPECT_EQ(free.take(end - 7), 7) << "seed " << seed;
    EXPECT_EQ(free.end(), end);
  }
}

}  // namespace
}  // namespace articula::test
