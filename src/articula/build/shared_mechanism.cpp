#include <articula/build/shared_mechanism.h>

#include <mutex>
#include <utility>
#include <vector>

#include <articula/build/refresh.h>

namespace articula::build {

/// A built model, and what writes the numbers of others like it.
struct SharedMechanism::Structure {
  Structure(const Model& model, const BuildOptions& options) : refresher(model, options) {}

  /// The numbers of a model; nothing if its structure is another.
  std::shared_ptr<const Parameters<double>> numbers_of(const Model& model) {
    auto par = std::make_shared<Parameters<double>>();
    try {
      const std::lock_guard lock(mutex);
      refresher.refresh_exactly(model, *par);
    } catch (const Error& error) {
      if (error.code() != "structure-changed") throw;
      return nullptr;
    }
    return par;
  }

  std::mutex mutex;  ///< of `refresh`; what was built is constant
  Refresher refresher;
};

/// The structures met so far, up to a number that bounds memory and search.
struct SharedMechanism::Family {
  static constexpr std::size_t most = 16;

  std::vector<std::shared_ptr<Structure>> all() {
    const std::lock_guard lock(mutex);
    return known;
  }
  void add(std::shared_ptr<Structure> structure) {
    const std::lock_guard lock(mutex);
    if (known.size() < most) known.push_back(std::move(structure));
  }

  BuildOptions options;
  std::mutex mutex;
  std::vector<std::shared_ptr<Structure>> known;
};

SharedMechanism::SharedMechanism(const Model& model, const BuildOptions& options)
    : family_(std::make_shared<Family>()), structure_(std::make_shared<Structure>(model, options)) {
  family_->options = options;
  family_->add(structure_);
  parameters_ = {structure_, &built().parameters};
}

const Built& SharedMechanism::built() const { return structure_->refresher.built(); }

SharedMechanism SharedMechanism::of(const Model& model) const {
  SharedMechanism other(*this);
  if ((other.parameters_ = structure_->numbers_of(model))) return other;
  for (const std::shared_ptr<Structure>& each : family_->all()) {
    if (each == structure_ || !(other.parameters_ = each->numbers_of(model))) continue;
    other.structure_ = each;
    return other;
  }
  other.structure_ = std::make_shared<Structure>(model, family_->options);
  other.parameters_ = {other.structure_, &other.built().parameters};
  family_->add(other.structure_);
  return other;
}

void SharedMechanism::refresh(const Model& changed, Parameters<double>& par) const {
  const std::lock_guard lock(structure_->mutex);
  structure_->refresher.refresh(changed, par);
}

}  // namespace articula::build
