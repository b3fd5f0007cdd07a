#pragma once

#include <array>
#include <optional>
#include <utility>

#include <articula/base/export.h>
#include <articula/build/shared_mechanism.h>
#include <articula/model/model.h>

namespace articula::study {

/// A model and its mechanism, which is built once for all that compute with it. After a change of the model only its
/// numbers are refreshed, unless the structure is another. A value: copies share the mechanism.
class ARTICULA_EXPORT StudyModel {
 public:
  StudyModel() = default;
  StudyModel(Model model) : model_(std::move(model)) {}

  const Model& operator*() const { return model_; }
  const Model* operator->() const { return &model_; }

  /// The model, to be changed.
  Model& change() {
    changed_ = true;
    return model_;
  }

  /// The mechanism of the model as it is. Throws what `build` throws.
  SharedMechanism mechanism(Drives drives = Drives::locked) const;
  /// The same, with drives as the model says where passive forces act, else locked.
  SharedMechanism mechanism(bool passive) const { return mechanism(passive ? Drives::elastic : Drives::locked); }
  /// Makes the mechanism now, so that `mechanism` has nothing left to do but to return it, or to throw.
  void prepare();

 private:
  SharedMechanism built(Drives drives) const;

  Model model_;
  std::array<std::optional<SharedMechanism>, 3> mechanisms_;  ///< by Drives; without rotors, only the first
  std::optional<Error> error_;                                ///< why the model has no mechanism
  bool changed_ = false;                                      ///< since any was found
};

}  // namespace articula::study
