#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <articula/base/text.h>
#include <articula/control/block_site.h>
#include <articula/control/internal/inverse_model.h>

namespace articula::control {

/// Kinematics of a linear actuator: its stroke x, the rate of x, and the generalized forces of its force f.
///
///     joint:  x = x_0 + lever·q,   ẋ = lever·v,    tau = lever·f        (a prismatic joint has lever 1)
///     line:   x = L(q) − retracted_length,   ẋ = Σ ∂L/∂q_k·v_k,    tau_k = ∂L/∂q_k·f
class Stroke {
 public:
  /// Driven by a joint.
  Stroke(BlockSite::Dof dof, double lever, double x_0) : dofs_{std::move(dof)}, lever_(lever), x_0_(x_0) {}

  /// Along the line between two frames, each written `body.frame`.
  Stroke(const BlockMaking& making, const std::string& from, const std::string& to, double retracted_length)
      : x_0_(-retracted_length),
        from_(find_frame(making, "from", from)),
        to_(find_frame(making, "to", to)),
        model_(making.site.mechanism()) {
    for (const std::string& name : making.site.q_names()) line_inputs_.push_back("q." + name);
    n_q_ = line_inputs_.size();
    for (const BlockSite::Dof& dof : making.site.dofs()) line_inputs_.push_back("v." + dof.name);
    find_dofs(making);
    if (dofs_.empty())
      making.fail("block-line", concat("no joint moves ", quoted(from), " and ", quoted(to),
                                       " relative to each other. Choose frames on two bodies."));
    std::get<0>(gradient_).resize(making.site.dofs().size());
    std::get<1>(gradient_).resize(making.site.dofs().size());
  }

  /// The degrees of freedom that it acts on.
  const std::vector<BlockSite::Dof>& dofs() const { return dofs_; }

  std::vector<std::string> inputs() const {
    if (model_) return line_inputs_;
    return {"q." + dofs_.front().position, "v." + dofs_.front().name};
  }

  /// x and ẋ from the inputs.
  template <class T>
  void motion(std::span<const T> in, T& x, T& rate) const {
    if (!model_) {
      x = x_0_ + lever_ * in[0];
      rate = lever_ * in[1];
      return;
    }
    auto& model = model_->template get<T>();
    std::vector<T>& gradient = std::get<std::vector<T>>(gradient_);
    model.place(in.first(n_q_));
    x = model.line(from_, to_, gradient) + x_0_;
    rate = T(0);
    for (std::size_t k = 0; k < gradient.size(); ++k) rate += gradient[k] * in[n_q_ + k];
  }

  /// The generalized forces of a force along the stroke, one for each of `dofs`. After `motion`.
  template <class T>
  void push(const T& force, std::span<T> tau) const {
    if (!model_) {
      tau[0] = lever_ * force;
      return;
    }
    for (std::size_t k = 0; k < places_.size(); ++k) tau[k] = std::get<std::vector<T>>(gradient_)[places_[k]] * force;
  }

  /// The force whose generalized forces are nearest to given ones. After `motion`.
  double force_for(std::span<const double> tau) const {
    if (!model_) return tau[0] / lever_;
    double along = 0, square = 0;
    for (std::size_t k = 0; k < places_.size(); ++k) {
      const double g = std::get<std::vector<double>>(gradient_)[places_[k]];
      along += g * tau[k], square += g * g;
    }
    return square > 0 ? along / square : 0;
  }

 private:
  static int find_frame(const BlockMaking& making, std::string_view property, const std::string& text) {
    const Mechanism& mech = making.site.mechanism()->mech();
    std::vector<std::string> names;
    for (std::size_t k = 0; k < mech.frames.size(); ++k) {
      names.push_back(to_text(mech.frames[k].name));
      if (names.back() == text) return static_cast<int>(k);
    }
    making.fail("no-such-frame",
                concat(property, ": frame ", quoted(text), " not found.", choices(text, "Frames", names)));
  }

  /// The joints between the two bodies, in the exposed variables.
  void find_dofs(const BlockMaking& making) {
    const ExposedMechanism& shown = *making.site.mechanism();
    const Mechanism& mech = shown.mech();
    std::vector<double> moves(static_cast<std::size_t>(mech.nv)), out(shown.nv());
    for (const int frame : {from_, to_}) {
      int body = mech.frames[static_cast<std::size_t>(frame)].body;
      for (; body > 0; body = mech.bodies[static_cast<std::size_t>(body)].parent) {
        for (const int dof : mech.bodies[static_cast<std::size_t>(body)].v) {
          double& each = moves[static_cast<std::size_t>(dof)];
          each = 1 - each;  // a joint that moves both has no effect on their distance
        }
      }
    }
    for (std::size_t s = 0; s < shown.nv(); ++s) {
      std::vector<double> one(static_cast<std::size_t>(mech.nv)), unit(shown.nv());
      unit[s] = 1;
      shown.map().to_tangent(unit, one);
      for (std::size_t k = 0; k < one.size(); ++k) {
        if (one[k] == 0 || moves[k] == 0) continue;
        places_.push_back(s);
        dofs_.push_back(making.site.dofs()[s]);
        break;
      }
    }
  }

  std::vector<BlockSite::Dof> dofs_;
  double lever_ = 1, x_0_ = 0;
  int from_ = -1, to_ = -1;
  std::size_t n_q_ = 0;
  std::vector<std::string> line_inputs_;
  std::vector<std::size_t> places_;  ///< indices of its joints among all
  mutable std::optional<BlockModel> model_;
  mutable std::tuple<std::vector<double>, std::vector<Dual>> gradient_;
};

}  // namespace articula::control
