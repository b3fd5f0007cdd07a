#include <articula/study/internal/driven.h>

#include <articula/study/internal/attempts.h>

namespace articula {

Driven make_driven(const Setup& setup, const SystemOptions& options, const std::vector<std::string>& blocks,
                   std::unique_ptr<Block> more) {
  Attempts attempts;
  Driven driven;
  attempts([&] { driven.variables = variables_of(setup.model); });
  attempts.finish();
  attempts([&] { driven.trajectories = make_trajectories(setup); });
  auto drivers = attempts([&] { return blocks_of(setup, options, blocks); });
  attempts.finish();
  if (more) drivers->push_back(std::move(more));
  driven.system = std::make_unique<System>(setup.model, driven.trajectories, std::move(*drivers), options);
  return driven;
}

}  // namespace articula
