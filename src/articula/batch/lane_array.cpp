#include <articula/batch/lane_array.h>

#include <articula/base/error.h>
#include <articula/base/text.h>

namespace articula::batch {

template <class S>
LaneArray<S>::LaneArray(int states, int width, int lanes, S value) : states_(states), width_(width), lanes_(lanes) {
  data_.assign(offset(groups()), value);
}

template <class S>
void LaneArray<S>::check(std::size_t rows) const {
  const auto needed = static_cast<std::size_t>(states_) * static_cast<std::size_t>(width_);
  if (rows == needed) return;
  throw Error("batch-size", {},
              concat("a place for ", rows, " numbers, but ", states_, states_ == 1 ? " state of " : " states of ",
                     width_, " have ", needed, ". Give as many, state after state."));
}

template <class S>
void LaneArray<S>::load(std::span<const S> rows) {
  check(rows.size());
  const S* from = rows.data();
  for (int state = 0; state < states_; ++state, from += width_) {
    S* const to = group(state / lanes_) + state % lanes_;
    for (int k = 0; k < width_; ++k) to[k * lanes_] = from[k];
  }
}

template <class S>
void LaneArray<S>::store(std::span<S> rows) const {
  check(rows.size());
  S* to = rows.data();
  for (int state = 0; state < states_; ++state, to += width_) {
    const S* const from = group(state / lanes_) + state % lanes_;
    for (int k = 0; k < width_; ++k) to[k] = from[k * lanes_];
  }
}

template <class S>
void LaneArray<S>::fill(int k, S value) {
  for (int g = 0; g < groups(); ++g) {
    S* const to = group(g) + k * lanes_;
    for (int lane = 0; lane < lanes_; ++lane) to[lane] = value;
  }
}

template class LaneArray<double>;
template class LaneArray<float>;

}  // namespace articula::batch
