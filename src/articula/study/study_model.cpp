#include <articula/study/study_model.h>

namespace articula::study {

SharedMechanism StudyModel::mechanism() const {
  if (!changed_ && error_) throw *error_;
  if (!mechanism_) return SharedMechanism(model_);
  return changed_ ? mechanism_->of(model_) : *mechanism_;
}

void StudyModel::prepare() {
  if (!changed_ && (mechanism_ || error_)) return;
  try {
    mechanism_ = mechanism();
    error_.reset();
  } catch (const Error& error) {
    error_ = error;
  }
  changed_ = false;
}

}  // namespace articula::study
