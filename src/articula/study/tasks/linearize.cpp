#include <articula/study/tasks/linearize.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include <articula/base/text.h>
#include <articula/simulate/system.h>
#include <articula/solve/mass_matrix.h>
#include <articula/study/internal/joint_signals.h>
#include <articula/study/internal/row_loop.h>
#include <articula/study/internal/system_options.h>
#include <articula/study/internal/variables.h>

namespace articula {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Constant forces along all degrees of freedom.
class Holding final : public BlockOf<Holding> {
 public:
  explicit Holding(const Variables& variables) : force(variables.v.size()) {
    for (const NamedCoordinate& v : variables.v) outputs_.push_back({v.name, force_unit(v)});
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

/// The names of y.
std::vector<std::string> state_names(const System& system) {
  std::vector<std::string> names;
  for (const std::string& q : system.q_names()) names.push_back("q." + q);
  for (const std::string& v : system.v_names()) names.push_back("v." + v);
  names.insert(names.end(), system.z_names().begin(), system.z_names().end());
  return names;
}

std::vector<Signal> columns_of(const LinearizeTask& task, const System& system) {
  const std::vector<std::string> names = state_names(system);
  std::vector<Signal> columns{{"t", "s"}};
  for (std::size_t k = 1; k <= names.size(); ++k) {
    columns.push_back({concat("eigenvalue.", k, ".re"), "1/s"});
    columns.push_back({concat("eigenvalue.", k, ".im"), "rad/s"});
    columns.push_back({concat("frequency.", k), "1/s"});
    columns.push_back({concat("damping.", k), "1"});
  }
  if (!task.matrices) return columns;
  for (const std::string& row : names) {
    for (const std::string& column : names) columns.push_back({concat("A[", row, "][", column, "]"), ""});
  }
  for (const std::string& row : names) {
    for (const std::string& v : system.v_names()) columns.push_back({concat("B[", row, "][tau.", v, "]"), ""});
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

void add_eigenvalues(const Matrix& A, std::vector<double>& row) {
  for (const std::complex<double>& lambda : eigenvalues(A)) {
    const double size = std::abs(lambda);
    row.insert(row.end(),
               {lambda.real(), lambda.imag(), size / (2 * std::numbers::pi), size > 0 ? -lambda.real() / size : 0.0});
  }
}

/// The mass matrix at y, in the order of v.
Matrix mass_at(MassMatrix& mass, std::span<const double> q) {
  mass.update({.q = q});
  const MatrixView M = mass.compute();
  return Eigen::Map<const Matrix>(M.data(), M.rows(), M.columns());
}

}  // namespace

TaskOutcome LinearizeTask::run(const TaskContext& context) const {
  const Setup& setup = context.setup;
  const Variables variables = variables_of(setup.model);
  const std::vector<NamedTrajectory> trajectories = make_trajectories(setup);
  const SystemOptions acting = system_options(*this);
  std::vector<std::unique_ptr<Block>> drivers = blocks_of(setup, acting, blocks);
  auto holding = std::make_unique<Holding>(variables);
  holding->name = "hold";
  std::vector<double>& force = holding->force;
  drivers.push_back(std::move(holding));
  System system(setup.model, trajectories, std::move(drivers), acting);
  MassMatrix mass(setup.model, {.passive = passive});

  const std::vector<double> when = times.empty() ? std::vector<double>{0} : times;
  StartText from = setup.start;
  if (!along.empty()) from.q = from.v = {along, {}};
  context.sink.columns(columns_of(*this, system));

  const auto n = static_cast<std::size_t>(system.size());
  const std::size_t nq = variables.q.size(), nv = variables.v.size();
  std::vector<double> ydot(n), flat(n * n);
  TaskOutcome outcome = each_row(context, when.size(), [&](std::size_t k, std::vector<double>& row) {
    std::fill(force.begin(), force.end(), 0.0);
    const std::vector<double> y = system.start(start_state(from, variables, trajectories, when[k]));
    const Matrix M = mass_at(mass, std::span(y).first(nq));
    if (hold && system.rate(when[k], y, ydot)) {
      // What keeps v from changing, in addition to what acts already: −M·vdot.
      const auto size = static_cast<Eigen::Index>(nv);
      Eigen::Map<Eigen::VectorXd>(force.data(), size) = -M * Eigen::Map<const Eigen::VectorXd>(ydot.data() + nq, size);
    }
    row.push_back(when[k]);
    if (!system.jacobian(when[k], y, flat)) {
      throw Error("linearize-impossible", {},
                  concat("at t = ", when[k], " s the accelerations have no derivatives. Is a joint singular there?"));
    }
    const Matrix A = Eigen::Map<const Matrix>(flat.data(), static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(n));
    add_eigenvalues(A, row);
    if (!matrices) return;
    add_all(flat, row);
    const Matrix inverse = M.llt().solve(Matrix::Identity(M.rows(), M.cols()));
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < nv; ++j) {
        const bool moves = i >= nq && i < nq + nv;
        row.push_back(moves ? inverse(static_cast<Eigen::Index>(i - nq), static_cast<Eigen::Index>(j)) : 0.0);
      }
    }
  });
  outcome.counts.push_back({"states", static_cast<double>(n)});
  return outcome;
}

}  // namespace articula
