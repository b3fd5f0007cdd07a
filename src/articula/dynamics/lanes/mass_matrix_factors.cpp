#include <articula/dynamics/lanes/mass_matrix_factors.h>

namespace articula::dynamics::lanes {
TreePattern::TreePattern(const TreePattern&) = default;
TreePattern::~TreePattern() = default;

TreePattern::TreePattern(const Mechanism& mech, int block) : columns((mech.nv + block - 1) / block * block) {
  const int nv = mech.nv;
  const auto whole = static_cast<std::size_t>(block);
  for (const Body& body : mech.bodies) {
    for (int k : body.v) {
      const int before = k == body.v.first ? carrier_of(mech, body) : k - 1;
      const auto b = static_cast<std::size_t>(before);
      row.push_back(static_cast<int>(carriers.size()));
      depth.push_back(before < 0 ? 0 : depth[b] + 1);
      beyond.push_back(body.v_beyond);
      for (int i = 0; i < depth.back(); ++i) carriers.push_back(carriers[static_cast<std::size_t>(row[b] + i)]);
      carriers.push_back(k);
      carriers.resize((carriers.size() + whole - 1) / whole * whole, 0);
    }
  }

  const auto end_of = [&](int k) { return beyond[static_cast<std::size_t>(k)]; };
  for (int k = 0; k < nv; ++k) {
    const auto begin = filled.size();
    for (int c = 0; c < end_of(k); ++c) {
      if (c < k && end_of(c) <= k) continue;
      const int first = c / block * block;
      if (filled.size() == begin || filled.back().first + filled.back().count < first) {
        filled.push_back({first, block});
      } else {
        filled.back().count = first + block - filled.back().first;
      }
    }
    in_row.push_back({static_cast<int>(begin), static_cast<int>(filled.size() - begin)});
  }
}

}  // namespace articula::dynamics::lanes
