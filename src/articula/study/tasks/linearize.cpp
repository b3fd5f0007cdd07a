#include <articula/study/tasks/linearize.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include <fmt/format.h>

#include <articula/base/text.h>
#include <articula/solve/mass_matrix.h>
#include <articula/study/internal/driven.h>
#include <articula/study/internal/joint_signals.h>
#include <articula/study/internal/row_loop.h>
#include <articula/study/internal/system_options.h>
#include <articula/study/internal/tangent_space.h>

namespace articula::study {
namespace {

using Matrix = RowMatrix;

/// Tables of modes that are printed; all are stored.
constexpr std::size_t most_tables = 3;

/// Constant forces along all degrees of freedom.
class Holding final : public BlockOf<Holding> {
 public:
  explicit Holding(const Variables& variables) : force(variables.v.size()) {
    for (const NamedCoordinate& v : variables.v)
      outputs_.push_back({v.name, joint_signal(JointSignal::tau, v.name, v.dimension).unit});
  }

  std::vector<std::string> inputs() const override { return {}; }
  std::vector<Signal> outputs() const override { return outputs_; }
  std::vector<Action> actions() const override {
    std::vector<Action> all;
    for (std::size_t k = 0; k < outputs_.size(); ++k) all.push_back({static_cast<int>(k), outputs_[k].name});
    return all;
  }
  template <class T>
  void evaluate(double, std::span<const T>, std::span<const T>, std::span<T> out, std::span<T>) const {
    for (std::size_t k = 0; k < force.size(); ++k) out[k] = T(force[k]);
  }

  std::vector<double> force;

 private:
  std::vector<Signal> outputs_;
};

/// The degrees of freedom that can deviate: all but prescribed ones.
std::vector<std::size_t> free_dofs(const System& system) {
  std::vector<std::size_t> dofs;
  for (std::size_t k = 0; k < system.v_names().size(); ++k) {
    if (!system.is_prescribed(k)) dofs.push_back(k);
  }
  return dofs;
}

/// The names of δ: positions deviate along the degrees of freedom.
std::vector<std::string> state_names(const System& system) {
  std::vector<std::string> names;
  for (const std::size_t k : free_dofs(system)) names.push_back(signal_name(JointSignal::q, system.v_names()[k]));
  for (const std::size_t k : free_dofs(system)) names.push_back(signal_name(JointSignal::v, system.v_names()[k]));
  names.insert(names.end(), system.z_names().begin(), system.z_names().end());
  return names;
}

/// A without the rows and columns of prescribed motion, which does not deviate.
Matrix free_part(const Matrix& A, const System& system) {
  const auto nv = static_cast<Eigen::Index>(system.v_names().size());
  std::vector<Eigen::Index> kept;
  for (const Eigen::Index first : {Eigen::Index{0}, nv}) {
    for (const std::size_t k : free_dofs(system)) kept.push_back(first + static_cast<Eigen::Index>(k));
  }
  for (Eigen::Index k = 2 * nv; k < A.rows(); ++k) kept.push_back(k);
  return A(kept, kept);
}

std::vector<Signal> columns_of(const LinearizeTask& task, const System& system) {
  const std::vector<std::string> names = state_names(system);
  std::vector<Signal> columns{{"t", "s"}};
  for (std::size_t k = 1; k <= names.size(); ++k) {
    columns.push_back({concat("eigenvalue.", k, ".re"), "1/s"});
    columns.push_back({concat("eigenvalue.", k, ".im"), "rad/s"});
    columns.push_back({concat("frequency.", k), "Hz"});
    columns.push_back({concat("damping.", k), "1"});
  }
  if (!task.matrices) return columns;
  for (const std::string& row : names) {
    for (const std::string& column : names) columns.push_back({concat("A[", row, "][", column, "]"), ""});
  }
  for (const std::string& row : names) {
    for (const std::size_t k : free_dofs(system))
      columns.push_back({concat("B[", row, "][tau.", system.v_names()[k], "]"), ""});
  }
  return columns;
}

/// Slow ones first; of a pair, that which turns in the positive sense.
std::vector<std::complex<double>> eigenvalues(const Matrix& A) {
  const Eigen::EigenSolver<Matrix> solver(A, false);
  std::vector<std::complex<double>> all(solver.eigenvalues().begin(), solver.eigenvalues().end());
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    const double m = std::abs(a), n = std::abs(b);
    return std::abs(m - n) > 1e-12 * (m + n) ? m < n : a.imag() > b.imag();
  });
  return all;
}

double frequency_of(std::complex<double> lambda) { return std::abs(lambda) / (2 * std::numbers::pi); }
double damping_of(std::complex<double> lambda) {
  const double size = std::abs(lambda);
  return size > 0 ? 0.0 - lambda.real() / size : 0.0;
}

/// A table of modes: one line for a pair, with its frequency and its damping.
std::string mode_table(double t, const std::vector<std::complex<double>>& all) {
  constexpr std::size_t most = 40;
  std::string text = fmt::format("  t = {} s\n  {:>6} {:>14} {:>12}   {}\n", number_text(t), "mode", "frequency Hz",
                                 "damping %", "eigenvalue 1/s");
  for (std::size_t k = 0; k < all.size(); ++k) {
    const std::complex<double> lambda = all[k];
    if (lambda.imag() < 0) continue;
    if (k >= most) return text + "  more of them are in the store\n";
    if (lambda.imag() == 0) {
      text += fmt::format("  {:>6} {:>14} {:>12}   {:.6g}\n", k + 1, "-", "-", lambda.real());
    } else {
      text += fmt::format("  {:>6} {:>14.6g} {:>12.4g}   {:.6g} ± {:.6g}i\n", k + 1, frequency_of(lambda),
                          100 * damping_of(lambda), lambda.real(), lambda.imag());
    }
  }
  return text;
}

/// The mass matrix at y, of the degrees of freedom that are not prescribed.
Matrix mass_at(MassMatrix& mass, std::span<const double> q, std::span<const std::size_t> dofs) {
  mass.update({.q = q});
  const MatrixView M = mass.compute();
  const std::vector<Eigen::Index> kept(dofs.begin(), dofs.end());
  return Eigen::Map<const Matrix>(M.data(), M.rows(), M.columns())(kept, kept);
}

/// A and its eigenvalues take n² numbers and some 10·n³ operations; a column of the result has a name.
void check_size(const LinearizeTask& task, const System& system) {
  constexpr std::size_t most_states = 2000, most_numbers = 1'000'000;
  const std::size_t free = free_dofs(system).size(), states = 2 * free + system.z_names().size();
  if (states > most_states) {
    throw Error(
        "jacobian-too-large", {},
        concat("linearize: the model has ", states, " states, of which ", free, " are speeds of joints. At most ",
               most_states, " are allowed, since A is a dense matrix. Take a smaller model, or lock joints."));
  }
  const std::size_t numbers = states * (states + free);
  if (task.matrices && numbers > most_numbers) {
    throw Error(
        "jacobian-too-large", {},
        concat("linearize: A and B have ", numbers, " numbers, for ", states, " states and ", free, " forces. At most ",
               most_numbers,
               " are stored. Write `matrices: false` to store the eigenvalues alone, or take a smaller model."));
  }
}

/// All that rows are computed with.
struct Ready {
  Driven driven;
  std::vector<double>* force;  ///< of the block that holds; null if none does
  MassMatrix mass;
  std::vector<double> times;
  StartText from;  ///< where it is at each of them
};

Ready make_ready(const LinearizeTask& task, const Setup& setup) {
  const SystemOptions acting = system_options(task);
  auto holding = std::make_unique<Holding>(variables_of(setup, task.passive));
  holding->name = "hold";
  std::vector<double>* const force = &holding->force;
  Driven driven = make_driven(setup, acting, task.blocks, task.hold ? std::move(holding) : nullptr);
  check_size(task, *driven.system);
  Ready ready{
      .driven = std::move(driven),
      .force = task.hold ? force : nullptr,
      .mass = MassMatrix(*setup.model, {.passive = task.passive, .mechanism = setup.model.mechanism(task.passive)}),
      .times = task.times.empty() ? std::vector<double>{0} : task.times,
      .from = setup.start};
  if (!task.along.empty()) ready.from.q = ready.from.v = {task.along, {}};
  for (const double t : ready.times) ready.driven.start(ready.from, t);  // throws where that is not possible
  return ready;
}

std::vector<Count> figures(double states) { return {{"states", states}}; }

}  // namespace

TaskPlan LinearizeTask::plan(const Setup& setup) const {
  const Ready ready = make_ready(*this, setup);
  return {.columns = columns_of(*this, *ready.driven.system),
          .counts = names_of(figures(0)),
          .warnings = ready.driven.system->findings()};
}

TaskOutcome LinearizeTask::run(const TaskContext& context) const {
  Ready ready = make_ready(*this, context.setup);
  System& system = *ready.driven.system;
  context.sink.columns(columns_of(*this, system));

  const auto n = static_cast<std::size_t>(system.size());
  const std::size_t nq = system.q_names().size();
  const std::vector<std::size_t> dofs = free_dofs(system);
  std::vector<double> ydot(n), J(n * n);
  std::string tables;
  TaskOutcome outcome = each_row(context, ready.times.size(), [&](std::size_t k, std::vector<double>& row) {
    const double t = ready.times[k];
    if (hold) std::fill(ready.force->begin(), ready.force->end(), 0.0);
    const std::vector<double> y = ready.driven.start(ready.from, t);
    const Matrix M = mass_at(ready.mass, std::span(y).first(nq), dofs);
    if (hold && system.rate(t, y, ydot)) {
      // What keeps v from changing, in addition to what acts already: −M·vdot.
      Eigen::VectorXd vdot(M.rows());
      for (std::size_t i = 0; i < dofs.size(); ++i) vdot[static_cast<Eigen::Index>(i)] = ydot[nq + dofs[i]];
      const Eigen::VectorXd force = -M * vdot;
      for (std::size_t i = 0; i < dofs.size(); ++i) (*ready.force)[dofs[i]] = force[static_cast<Eigen::Index>(i)];
    }
    if (!system.jacobian(t, y, J)) {
      throw Error("linearize-impossible", {},
                  concat("at t = ", t, " s the accelerations have no derivatives. Is a joint singular there?"));
    }
    const Matrix A = free_part(tangent_matrix(*ready.driven.mechanism, y, J), system);
    const std::vector<std::complex<double>> modes = eigenvalues(A);
    row.push_back(t);
    for (const std::complex<double>& lambda : modes)
      row.insert(row.end(), {lambda.real(), lambda.imag(), frequency_of(lambda), damping_of(lambda)});
    if (k < most_tables) tables += mode_table(t, modes);
    if (!matrices) return;
    add_all({A.data(), static_cast<std::size_t>(A.size())}, row);
    const Matrix inverse = M.llt().solve(Matrix::Identity(M.rows(), M.cols()));
    const Eigen::Index free = M.rows();
    for (Eigen::Index i = 0; i < A.rows(); ++i) {
      for (Eigen::Index j = 0; j < free; ++j) {
        const bool moves = i >= free && i < 2 * free;
        row.push_back(moves ? inverse(i - free, j) : 0.0);
      }
    }
  });
  outcome.counts = figures(static_cast<double>(state_names(system).size()));
  outcome.text = std::move(tables);
  return outcome;
}

}  // namespace articula::study
