#pragma once

#include <optional>

#include <articula/base/text.h>
#include <articula/control/block_site.h>

namespace articula {

/// Ends the run when a signal reaches a value.
struct StopWhen {
  static constexpr std::string_view name = "stop_when";

  std::string signal;
  double reaches = 0;

  friend bool operator==(const StopWhen&, const StopWhen&) = default;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& field) {
    field("signal", self.signal, dimension::none);
    field("reaches", self.reaches, dimension::none);
  }

  std::unique_ptr<Block> make(const BlockMaking& making) const;
};

class StopWhenBlock final : public BlockOf<StopWhenBlock> {
 public:
  explicit StopWhenBlock(const StopWhen& said) : said_(said) {}

  std::vector<std::string> inputs() const override { return {said_.signal}; }
  std::vector<Signal> outputs() const override { return {}; }
  int event_count() const override { return 1; }
  void event_values(double, std::span<const double> in, std::span<const double>, std::span<double> g) const override {
    g[0] = in[0] - said_.reaches;
  }
  std::string event_name(int) const override { return concat(said_.signal, " reaches ", said_.reaches); }
  bool on_event(int, double, std::span<const double>, std::span<double>) const override { return true; }

  template <class T>
  void evaluate(double, std::span<const T>, std::span<const T>, std::span<T>, std::span<T>) const {}

 private:
  StopWhen said_;
};

inline std::unique_ptr<Block> StopWhen::make(const BlockMaking& making) const {
  making.need_text("signal", signal, "q.elbow");
  return making.done(std::make_unique<StopWhenBlock>(*this));
}

}  // namespace articula
