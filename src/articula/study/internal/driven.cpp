#include <articula/study/internal/driven.h>

#include <articula/study/internal/attempts.h>

namespace articula::study {

BlockSite site_of(const Setup& setup, const SystemOptions& options) {
  SystemOptions acting = options;
  acting.mechanism = setup.model.mechanism(acting.passive);
  try {
    return BlockSite(*setup.model, acting);
  } catch (const Error& error) {
    // What is wrong with the trajectories is told at the same time, unless it is the same.
    variables_of(setup);
    Attempts attempts;
    attempts([&] { make_trajectories(setup); });
    attempts([&] { throw error; });
    attempts.finish();
    throw;
  }
}

Driven make_driven(const Setup& setup, const SystemOptions& options, const std::vector<std::string>& blocks,
                   std::unique_ptr<Block> more) {
  const BlockSite site = site_of(setup, options);
  Attempts attempts;
  Driven driven;
  driven.variables = variables_of(*site.mechanism());
  attempts([&] { driven.trajectories = make_trajectories(setup, site); });
  auto drivers = attempts([&] { return make_blocks(block_specs_of(setup, blocks), site); });
  attempts.finish();
  if (more) drivers->push_back(std::move(more));
  driven.mechanism = site.mechanism();
  driven.system = std::make_unique<System>(site, driven.trajectories, std::move(*drivers));
  return driven;
}

}  // namespace articula::study
