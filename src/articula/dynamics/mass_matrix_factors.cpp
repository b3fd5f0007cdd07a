#include <articula/dynamics/mass_matrix_factors.h>

namespace articula {
namespace {

/// The degree of freedom that carries the first one of a body: the last of what holds it; −1: none.
int carrier_of(const Mechanism& mech, const Body& body) {
  for (int p = body.parent; p > 0; p = mech.bodies[static_cast<std::size_t>(p)].parent) {
    const Range& v = mech.bodies[static_cast<std::size_t>(p)].v;
    if (v.count > 0) return v.first + v.count - 1;
  }
  return -1;
}

/// The rows, of all that k carries, with entries in column c.
Range rows_of(const TreePattern& at, int k, int c) {
  const auto dof = static_cast<std::size_t>(k), column = static_cast<std::size_t>(c);
  const int beyond = at.beyond[dof];
  const auto carries = [&](int a, int b) { return a < b && b < at.beyond[static_cast<std::size_t>(a)]; };
  if (c == k || carries(c, k)) return {k + 1, beyond - (k + 1)};
  if (!carries(k, c)) return {};
  const int next = at.depth[dof] + 1;  // after k on the way to c
  const int first = next < at.depth[column] ? at.carriers[static_cast<std::size_t>(at.row[column] + next)] : c;
  return {first, at.beyond[column] - first};
}

Range both(const Range& a, const Range& b) {
  if (a.count == 0 || b.count == 0) return a.count == 0 ? b : a;
  const int first = std::min(a.first, b.first);
  return {first, std::max(a.first + a.count, b.first + b.count) - first};
}

}  // namespace

TreePattern::TreePattern(const TreePattern&) = default;
TreePattern::~TreePattern() = default;

TreePattern::TreePattern(const Mechanism& mech, int widest) {
  const int nv = mech.nv;
  for (const Body& body : mech.bodies) {
    for (int k : body.v) {
      const int before = k == body.v.first ? carrier_of(mech, body) : k - 1;
      const auto b = static_cast<std::size_t>(before);
      row.push_back(static_cast<int>(carriers.size()));
      column.push_back(static_cast<int>(column_entries));
      depth.push_back(before < 0 ? 0 : depth[b] + 1);
      beyond.push_back(body.v_beyond);
      for (int i = 0; i + 1 < depth.back(); ++i) carriers.push_back(carriers[static_cast<std::size_t>(row[b] + i)]);
      if (before >= 0) carriers.push_back(before);
      carriers.resize((carriers.size() + 7) / 8 * 8, 0);
      column_entries += static_cast<std::size_t>(body.v_beyond - (k + 1));
    }
  }
  row_entries = carriers.size();

  const auto each = [&](auto&& f) { return widest == 8 ? each_block<8>(nv, f) : each_block<4>(nv, f); };
  each([&](int, int, int) { ++blocks; });
  rows.resize(static_cast<std::size_t>(nv) * blocks);
  for (int k = 0; k < nv; ++k) {
    each([&](int width, int b, int first) {
      Range& range = rows[static_cast<std::size_t>(k) * blocks + static_cast<std::size_t>(b)];
      for (int c = first; c < first + width; ++c) range = both(range, rows_of(*this, k, c));
    });
  }
}

}  // namespace articula
