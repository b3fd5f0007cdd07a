#include <articula/study/study_model.h>

namespace articula::study {

SharedMechanism StudyModel::built(Drives drives) const {
  const std::optional<SharedMechanism>& known = mechanisms_[static_cast<std::size_t>(drives)];
  if (!known) return SharedMechanism(model_, {.drives = drives});
  return changed_ ? known->of(model_) : *known;
}

SharedMechanism StudyModel::mechanism(Drives drives) const {
  if (!changed_ && error_) throw *error_;
  const SharedMechanism locked = built(Drives::locked);
  return drives == Drives::locked || locked.mechanism().rotors.empty() ? locked : built(drives);
}

void StudyModel::prepare() {
  if (!changed_ && (mechanisms_.front() || error_)) return;
  try {
    mechanisms_.front() = built(Drives::locked);
    for (const Drives drives : {Drives::rigid, Drives::elastic}) {
      const bool has_rotors = !mechanisms_.front()->mechanism().rotors.empty();
      auto& known = mechanisms_[static_cast<std::size_t>(drives)];
      known = has_rotors ? std::optional(built(drives)) : std::nullopt;
    }
    error_.reset();
  } catch (const Error& error) {
    error_ = error;
  }
  changed_ = false;
}

}  // namespace articula::study
