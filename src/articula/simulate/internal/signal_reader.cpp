#include <articula/simulate/internal/signal_reader.h>

#include <algorithm>

namespace articula::simulate {

SignalReader::SignalReader(System& system)
    : system_(system), values_(system.signals().size()), slope_(static_cast<std::size_t>(system.size())) {
  for (const std::string& name : system_.v_names()) {
    const auto found = std::find_if(system_.signals().begin(), system_.signals().end(),
                                    [&](const Signal& signal) { return signal.name == "a." + name; });
    accelerations_.push_back(static_cast<std::size_t>(found - system_.signals().begin()));
  }
}

std::span<const double> SignalReader::read(double t, std::span<const double> y, Slope slope, Integrator& integrator) {
  if (system_.signal_values(t, y, values_) && slope == Slope::of_step) improve_accelerations(t, integrator);
  return values_;
}

void SignalReader::improve_accelerations(double t, Integrator& integrator) {
  const std::size_t first = system_.q_names().size();
  for (std::size_t k = 0; k < accelerations_.size(); ++k) slope_[first + k] = values_[accelerations_[k]];
  integrator.improve_rate(t, slope_);
  for (std::size_t k = 0; k < accelerations_.size(); ++k) {
    if (!system_.is_given(k)) values_[accelerations_[k]] = slope_[first + k];
  }
}

}  // namespace articula::simulate
