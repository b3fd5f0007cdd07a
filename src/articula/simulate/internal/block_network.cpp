#include <articula/simulate/internal/block_network.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include <articula/base/text.h>
#include <articula/control/signals.h>
#include <articula/simulate/internal/plant.h>
#include <articula/solve/internal/exposed_mechanism.h>

namespace articula::simulate {
namespace {

/// Times this near to a multiple of a period, as a part of it, are that multiple.
constexpr double same_time = 1e-9;

}  // namespace

BlockNetwork::BlockNetwork(const BlockSite& site, std::vector<NamedTrajectory> trajectories,
                           std::vector<std::unique_ptr<Block>> blocks) {
  for (NamedTrajectory& each : trajectories) motions_.push_back({std::move(each)});
  for (std::unique_ptr<Block>& each : blocks) {
    Node& node = nodes_.emplace_back();
    node.block = std::move(each);
  }
  name_signals(site);
  connect(site);
  take_commands(site);
  sort();
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    for (int k = 0; k < nodes_[n].block->event_count(); ++k) events_.push_back({n, k});
  }
  x_.resize(signals_.size());
  z_.resize(nz()), zdot_.resize(nz()), tau_.resize(nv_), forces_.resize(nv_);
  varies_.resize(signals_.size());
  if (signals_.size() * n_state_ <= 16 * most_squared_at_once * most_squared_at_once) make_rows();
}

void BlockNetwork::make_rows() {
  rows_.assign((signals_.size() - n_state_) * n_state_, 0.0);
  dzdot_.assign(nz() * n_state_, 0.0);
  dtau_.assign(nv_ * n_state_, 0.0);
}

void BlockNetwork::name_signals(const BlockSite& site) {
  Findings findings;
  std::vector<std::string> owners;
  const auto own = [&](const std::string& name, const Where& where, std::string_view what) {
    const bool reserved =
        std::find(mechanism_signals.begin(), mechanism_signals.end(), name) != mechanism_signals.end();
    if (reserved || name.empty() || std::find(owners.begin(), owners.end(), name) != owners.end()) {
      findings.push_back({Severity::error, "name-duplicate", where,
                          concat(what, " ", quoted(name), ": ",
                                 name.empty() ? "it has no name"
                                 : reserved   ? "this name is that of the mechanism's own signals"
                                              : "there is another trajectory or block of this name",
                                 ". Give it a name of its own.")});
    }
    owners.push_back(name);
  };
  for (const ExposedMechanism::Joint& joint : site.mechanism()->joints()) {
    for (const Coordinate& c : traits(joint.kind).q) {
      signals_.push_back(joint_signal(JointSignal::q, site.q_names()[signals_.size()], c.dimension));
    }
  }
  nq_ = signals_.size();
  for (const BlockSite::Dof& dof : site.dofs()) signals_.push_back(joint_signal(JointSignal::v, dof.name, dof.speed()));
  nv_ = signals_.size() - nq_;
  for (Node& node : nodes_) {
    own(node.block->name, node.block->where, "block");
    node.z = z_names_.size();
    for (const Signal& state : node.block->states()) {
      z_names_.push_back(node.block->name + "." + state.name);
      signals_.push_back({z_names_.back(), state.unit});
    }
    node.nz = z_names_.size() - node.z;
  }
  n_state_ = signals_.size();
  add_followers(site);
  std::unordered_map<std::string_view, const BlockSite::Dof*> dofs;
  for (const BlockSite::Dof& dof : site.dofs()) dofs.emplace(dof.name, &dof);
  std::unordered_map<std::string, Dimension> series;
  for (const ExposedMechanism::Joint& joint : site.mechanism()->joints()) {
    for (const Coordinate& each : traits(joint.kind).series)
      series.emplace(joint.name + "." + std::string(each.name), each.dimension);
  }
  const auto unit_at = [&](const std::string& coordinate) -> std::string {
    if (const auto moved = series.find(coordinate); moved != series.end()) return unit_text(moved->second);
    const auto found = dofs.find(coordinate);
    return found == dofs.end() ? "" : found->second->position_unit();
  };
  for (Motion& motion : motions_) {
    own(motion.named.name, {}, "trajectory");
    motion.first = signals_.size();
    if (motion.named.coordinates.size() != static_cast<std::size_t>(motion.named.motion->size())) {
      throw Error("trajectory-size", {},
                  concat("trajectory ", quoted(motion.named.name), " moves ", motion.named.motion->size(),
                         " coordinates, but ", motion.named.coordinates.size(), " are named. Name each of them."));
    }
    for (const std::string_view order : {"q", "v", "a"}) {
      for (const std::string& coordinate : motion.named.coordinates) {
        const std::string base = unit_at(coordinate);
        const std::string unit = base.empty() ? "" : concat(base, order == "q" ? "" : order == "v" ? "/s" : "/s^2");
        signals_.push_back({concat(motion.named.name, ".", order, ".", coordinate), unit});
      }
    }
  }
  for (Node& node : nodes_) {
    node.out = signals_.size();
    for (const Signal& output : node.block->outputs()) {
      signals_.push_back({node.block->name + "." + output.name, output.unit});
    }
    node.nout = signals_.size() - node.out;
  }
  throw_if_errors(findings);
}

void BlockNetwork::add_followers(const BlockSite& site) {
  const ExposedMechanism& shown = *site.mechanism();
  const Mechanism& mech = shown.mech();
  std::vector<double> q_zero(static_cast<std::size_t>(mech.nq));
  shown.map().to_q(std::vector<double>(nq_), q_zero);
  for (const int dof : shown.map().followers()) {
    Follower follower;
    follower.offset = q_zero[static_cast<std::size_t>(position_of(mech, dof))];
    for (const ExteriorMap::Term& term : shown.map().row(static_cast<std::size_t>(dof))) {
      const auto from = static_cast<std::size_t>(term.shown);
      const auto& names = site.q_names();
      const auto place = std::find(names.begin(), names.end(), site.dofs()[from].position) - names.begin();
      follower.q.push_back(static_cast<int>(place));
      follower.v.push_back(static_cast<int>(nq_ + from));
      follower.factors.push_back(term.factor);
    }
    followers_.push_back(std::move(follower));
  }
  follower_q_ = signals_.size();
  for (const BlockSite::Dof& dof : site.followers())
    signals_.push_back(joint_signal(JointSignal::q, dof.position, dof.angle_or_length()));
  follower_v_ = signals_.size();
  for (const BlockSite::Dof& dof : site.followers())
    signals_.push_back(joint_signal(JointSignal::v, dof.name, dof.speed()));
}

bool BlockNetwork::reads(const std::string& trajectory) const {
  return std::any_of(motions_.begin(), motions_.end(),
                     [&](const Motion& motion) { return motion.named.name == trajectory && motion.order >= 0; });
}

bool BlockNetwork::guards(const std::string& dof) const {
  return std::any_of(nodes_.begin(), nodes_.end(), [&](const Node& node) { return node.block->guards(dof); });
}

std::vector<std::string> BlockNetwork::acting_on(std::size_t dof) const {
  std::vector<std::string> names;
  for (const Act& act : acts_) {
    if (act.dof != dof) continue;
    const Node* from = giver(static_cast<int>(act.place));
    if (from != nullptr && std::find(names.begin(), names.end(), from->block->name) == names.end())
      names.push_back(from->block->name);
  }
  return names;
}

void BlockNetwork::connect(const BlockSite& site) {
  if (nodes_.empty()) return;
  std::unordered_map<std::string_view, int> places;
  for (std::size_t k = 0; k < signals_.size(); ++k) places.emplace(signals_[k].name, static_cast<int>(k));
  const auto names = [&] {
    std::vector<std::string> all;
    for (const Signal& signal : signals_) all.push_back(signal.name);
    return all;
  };
  std::unordered_map<std::string_view, int> dofs;
  for (std::size_t k = 0; k < site.dofs().size(); ++k) dofs.emplace(site.dofs()[k].name, static_cast<int>(k));
  for (std::size_t k = 0; k < site.followers().size(); ++k)
    dofs.emplace(site.followers()[k].name, static_cast<int>(nv_ + k));
  Findings findings;
  const auto object = [&](const Block& block, std::string code, std::string message) {
    findings.push_back(
        {Severity::error, std::move(code), block.where, concat("block ", quoted(block.name), ": ", message)});
  };
  for (Node& node : nodes_) {
    for (const std::string& input : node.block->inputs()) {
      const auto found = places.find(input);
      node.in.push_back(found == places.end() ? 0 : found->second);
      if (found != places.end()) continue;
      const bool acceleration = input.starts_with("a.") || input.starts_with("tau.");
      object(*node.block, "no-such-signal",
             concat("it reads ", quoted(input),
                    acceleration
                        ? ", which depends on what acts at the same moment. Read q and v, or what a trajectory gives."
                        : concat(", which nothing gives.", choices(input, "Signals", names()))));
    }
    for (const Block::Action& action : node.block->actions()) {
      const auto dof = dofs.find(action.dof);
      if (dof == dofs.end())
        object(*node.block, "no-such-joint",
               concat("it acts on ", quoted(action.dof), ", which is no degree of freedom."));
      node.action_dofs.push_back(dof == dofs.end() ? 0 : dof->second);
      node.action_places.push_back(static_cast<int>(node.out) + action.output);
    }
    node.in_values.resize(node.in.size()), node.in_dual.resize(node.in.size());
    node.hold.resize(node.action_dofs.size());
    node.z_dual.resize(node.nz), node.zdot_dual.resize(node.nz), node.out_dual.resize(node.nout);
    discard_.resize(std::max({discard_.size(), node.nz, node.nout}));
  }
  throw_if_errors(findings);
  for (Motion& motion : motions_) {
    const auto n = motion.named.coordinates.size();
    for (const Node& node : nodes_) {
      for (const int place : node.in) {
        const auto at = static_cast<std::size_t>(place);
        if (at >= motion.first && at < motion.first + 3 * n)
          motion.order = std::max(motion.order, static_cast<int>((at - motion.first) / n));
      }
    }
  }
}

const BlockNetwork::Node* BlockNetwork::giver(int place) const {
  for (const Node& node : nodes_) {
    const auto at = static_cast<std::size_t>(place);
    if (at >= node.out && at < node.out + node.nout) return &node;
  }
  return nullptr;
}

/// What is a command for another block does not act by itself; everything else that is declared to does.
void BlockNetwork::take_commands(const BlockSite& site) {
  std::vector<const Node*> taken(signals_.size(), nullptr);
  for (const Node& node : nodes_) {
    for (const int k : node.block->commands()) {
      taken[static_cast<std::size_t>(node.in[static_cast<std::size_t>(k)])] = &node;
    }
  }
  for (const Node& node : nodes_) {
    for (std::size_t k = 0; k < node.action_dofs.size(); ++k) {
      const auto place = static_cast<std::size_t>(node.action_places[k]),
                 dof = static_cast<std::size_t>(node.action_dofs[k]);
      const BlockSite::Dof& target = dof < nv_ ? site.dofs()[dof] : site.followers()[dof - nv_];
      const std::size_t first_act = acts_.size();
      if (taken[place] != nullptr) {
        wiring_.push_back(concat(signals_[place].name, " commands ", quoted(taken[place]->block->name),
                                 " and does not act on ", quoted(target.name), " itself"));
        continue;
      }
      if (dof < nv_) {
        acts_.push_back({place, dof, 1});
      } else {
        // tau = Gᵀ·force.
        const Follower& follower = followers_[dof - nv_];
        for (std::size_t i = 0; i < follower.v.size(); ++i)
          acts_.push_back({place, static_cast<std::size_t>(follower.v[i]) - nq_, follower.factors[i]});
      }
      if (node.block->acts_through_drive() && std::isfinite(target.drive_limit))
        act_through_drive(target, place, first_act);
    }
  }
}

/// The last acts, from the first one on, are those of a signal on a joint whose drives have a limit.
void BlockNetwork::act_through_drive(const BlockSite::Dof& dof, std::size_t place, std::size_t first_act) {
  const auto same = [&](const DriveTorque& drive) { return drive.dof == dof.name; };
  auto drive = std::find_if(drives_.begin(), drives_.end(), same);
  if (drive == drives_.end()) {
    drive = drives_.insert(drives_.end(), DriveTorque{dof.name, dof.effort_unit(), dof.drive_limit, 0, {}, {}});
    for (std::size_t k = first_act; k < acts_.size(); ++k) drive->shares.push_back({acts_[k].dof, acts_[k].factor});
  }
  drive->places.push_back(place);
}

/// Blocks without feed-through give their outputs first and take their inputs last; the others are sorted.
void BlockNetwork::sort() {
  const std::size_t n = nodes_.size();
  std::vector<std::vector<std::size_t>> reads(n);
  for (std::size_t k = 0; k < n; ++k) {
    for (const int place : nodes_[k].in) {
      const Node* from = giver(place);
      if (from == nullptr) continue;
      nodes_[static_cast<std::size_t>(from - nodes_.data())].read = true;
      if (from->block->feeds_through()) reads[k].push_back(static_cast<std::size_t>(from - nodes_.data()));
    }
  }
  std::vector<bool> done(n, false);
  for (std::size_t k = 0; k < n; ++k) {
    if (nodes_[k].block->feeds_through()) continue;
    done[k] = true;
    if (nodes_[k].read) calls_.push_back({k, true, false});
  }
  for (bool any = true; any;) {
    any = false;
    for (std::size_t k = 0; k < n; ++k) {
      if (done[k] || !std::all_of(reads[k].begin(), reads[k].end(), [&](std::size_t r) { return done[r]; })) continue;
      done[k] = any = true;
      calls_.push_back({k, true, true});
    }
  }
  if (std::find(done.begin(), done.end(), false) != done.end()) throw_circle(reads, done);
  for (std::size_t k = 0; k < n; ++k) {
    if (!nodes_[k].block->feeds_through()) calls_.push_back({k, !nodes_[k].read, true});
  }
}

void BlockNetwork::throw_circle(const std::vector<std::vector<std::size_t>>& reads,
                                const std::vector<bool>& done) const {
  // From a block that waits, always on to one it waits for: sooner or later one comes again.
  std::size_t k = static_cast<std::size_t>(std::find(done.begin(), done.end(), false) - done.begin());
  std::vector<std::size_t> path;
  while (std::find(path.begin(), path.end(), k) == path.end()) {
    path.push_back(k);
    k = *std::find_if(reads[k].begin(), reads[k].end(), [&](std::size_t r) { return !done[r]; });
  }
  path.erase(path.begin(), std::find(path.begin(), path.end(), k));
  std::string circle = quoted(nodes_[k].block->name);
  for (std::size_t i = 1; i <= path.size(); ++i)
    circle += concat(" reads ", quoted(nodes_[path[i % path.size()]].block->name));
  throw Error(
      "block-circle", nodes_[k].block->where,
      concat("blocks go around in a circle: ", circle,
             ". Each would need the other's output first. Put a state between them: sample one of them, or give "
             "a motor its inductance."));
}

void BlockNetwork::end_before(double t) {
  t_end_ = t;
  t_before_end_ = std::nextafter(t, -std::numeric_limits<double>::infinity());
}

void BlockNetwork::gather(Node& node) {
  for (std::size_t k = 0; k < node.in.size(); ++k) node.in_values[k] = x_[static_cast<std::size_t>(node.in[k])];
}

void BlockNetwork::compute(const Call& call) {
  Node& node = nodes_[call.node];
  gather(node);
  const auto out = call.outputs ? std::span(x_).subspan(node.out, node.nout) : std::span(discard_).first(node.nout);
  const auto rates = std::span(zdot_).subspan(node.z, node.nz);
  node.block->compute(t_, std::span<const double>(node.in_values), std::span<const double>(z_).subspan(node.z, node.nz),
                      out, rates);
}

void BlockNetwork::evaluate(double t, std::span<const double> q, std::span<const double> v, std::span<const double> z,
                            bool all) {
  t_ = seen(t);
  std::copy(q.begin(), q.end(), x_.begin());
  std::copy(v.begin(), v.end(), x_.begin() + static_cast<std::ptrdiff_t>(nq_));
  std::copy(z.begin(), z.end(), x_.begin() + static_cast<std::ptrdiff_t>(nq_ + nv_));
  std::copy(z.begin(), z.end(), z_.begin());
  for (const Motion& motion : motions_) {
    const int order = all ? 2 : motion.order;
    if (order < 0) continue;
    const auto n = motion.named.coordinates.size() * static_cast<std::size_t>(order + 1);
    motion.named.motion->evaluate(t_, order, std::span(x_).subspan(motion.first, n));
  }
  for (std::size_t f = 0; f < followers_.size(); ++f) {
    const Follower& follower = followers_[f];
    double position = follower.offset, speed = 0;
    for (std::size_t i = 0; i < follower.factors.size(); ++i) {
      position += follower.factors[i] * x_[static_cast<std::size_t>(follower.q[i])];
      speed += follower.factors[i] * x_[static_cast<std::size_t>(follower.v[i])];
    }
    x_[follower_q_ + f] = position, x_[follower_v_ + f] = speed;
  }
  for (const Call& call : calls_) compute(call);
  std::copy(forces_.begin(), forces_.end(), tau_.begin());
  for (const Act& act : acts_) tau_[act.dof] += act.factor * x_[act.place];
  for (DriveTorque& drive : drives_) {
    drive.asked = 0;
    for (const std::size_t place : drive.places) drive.asked += x_[place];
    if (!drive.is_saturated()) continue;
    for (const auto& [dof, factor] : drive.shares) tau_[dof] -= factor * (drive.asked - drive.exerted());
  }
}

/// row += factor·∂x[place]/∂[q, v, z].
void BlockNetwork::add_row(double factor, int place, std::span<double> row) const {
  const auto at = static_cast<std::size_t>(place);
  if (at < n_state_) {
    row[at] += factor;
    return;
  }
  const double* const from = rows_.data() + (at - n_state_) * n_state_;
  for (std::size_t k = 0; k < n_state_; ++k) row[k] += factor * from[k];
}

void BlockNetwork::differentiate(const Call& call) {
  Node& node = nodes_[call.node];
  gather(node);
  for (std::size_t k = 0; k < node.in.size(); ++k) node.in_dual[k] = node.in_values[k];
  for (std::size_t k = 0; k < node.nz; ++k) node.z_dual[k] = z_[node.z + k];
  const auto row = [&](std::vector<double>& rows, std::size_t place) {
    return std::span(rows).subspan(place * n_state_, n_state_);
  };
  const auto along = [&](Dual& seed, int place) {
    seed.dx = 1;
    node.block->compute(t_, std::span<const Dual>(node.in_dual), std::span<const Dual>(node.z_dual),
                        std::span(node.out_dual), std::span(node.zdot_dual));
    seed.dx = 0;
    for (std::size_t o = 0; call.outputs && o < node.nout; ++o) {
      if (node.out_dual[o].dx == 0) continue;
      add_row(node.out_dual[o].dx, place, row(rows_, node.out + o - n_state_));
      varies_[node.out + o] = 1;
    }
    for (std::size_t s = 0; call.rates && s < node.nz; ++s) {
      if (node.zdot_dual[s].dx != 0) add_row(node.zdot_dual[s].dx, place, row(dzdot_, node.z + s));
    }
  };
  for (std::size_t k = 0; k < node.in.size(); ++k) {
    if (varies_[static_cast<std::size_t>(node.in[k])]) along(node.in_dual[k], node.in[k]);
  }
  for (std::size_t k = 0; k < node.nz; ++k) along(node.z_dual[k], static_cast<int>(nq_ + nv_ + node.z + k));
}

void BlockNetwork::differentiate() {
  make_rows();
  std::fill(varies_.begin(), varies_.end(), char(0));
  std::fill_n(varies_.begin(), n_state_, char(1));
  for (std::size_t f = 0; f < followers_.size(); ++f) {
    const Follower& follower = followers_[f];
    for (const auto& [place, from] : {std::pair{follower_q_ + f, &follower.q}, {follower_v_ + f, &follower.v}}) {
      varies_[place] = 1;
      const auto row = std::span(rows_).subspan((place - n_state_) * n_state_, n_state_);
      for (std::size_t i = 0; i < from->size(); ++i) add_row(follower.factors[i], (*from)[i], row);
    }
  }
  for (const Call& call : calls_) differentiate(call);
  for (const Act& act : acts_) {
    add_row(act.factor, static_cast<int>(act.place), std::span(dtau_).subspan(act.dof * n_state_, n_state_));
  }
  for (const DriveTorque& drive : drives_) {
    if (!drive.is_saturated()) continue;
    for (const auto& [dof, factor] : drive.shares) {
      for (const std::size_t place : drive.places)
        add_row(-factor, static_cast<int>(place), std::span(dtau_).subspan(dof * n_state_, n_state_));
    }
  }
}

std::span<const double> BlockNetwork::hold_of(const Node& node, std::span<const double> hold) const {
  for (std::size_t k = 0; k < node.hold.size(); ++k) {
    const auto dof = static_cast<std::size_t>(node.action_dofs[k]);
    node.hold[k] = dof < nv_ ? hold[dof] : 0;
    if (dof < nv_ || followers_[dof - nv_].factors.size() != 1) continue;
    // One joint drives it: what holds that joint, through the gear.
    const Follower& follower = followers_[dof - nv_];
    node.hold[k] = hold[static_cast<std::size_t>(follower.v[0]) - nq_] / follower.factors[0];
  }
  return node.hold;
}

/// Twice, so that blocks which read what comes after them see it too.
void BlockNetwork::start(double t, std::span<const double> q, std::span<const double> v, std::span<const double> hold,
                         std::span<double> z) {
  std::fill(z.begin(), z.end(), 0.0);
  for (int round = 0; round < 2; ++round) {
    evaluate(t, q, v, z);
    for (const Call& call : calls_) {
      Node& node = nodes_[call.node];
      gather(node);
      const auto own = z.subspan(node.z, node.nz);
      node.block->start(t, node.in_values, hold_of(node, hold), own);
      std::copy(own.begin(), own.end(), z_.begin() + static_cast<std::ptrdiff_t>(node.z));
      compute({call.node, true, true});
    }
  }
}

void BlockNetwork::event_values(std::span<double> g) const {
  std::size_t first = 0;
  for (const Node& node : nodes_) {
    const auto n = static_cast<std::size_t>(node.block->event_count());
    if (n == 0) continue;
    node.block->event_values(t_, node.in_values, std::span<const double>(z_).subspan(node.z, node.nz),
                             g.subspan(first, n));
    first += n;
  }
}

bool BlockNetwork::on_event(int k, std::span<double> z) const {
  const EventPlace& event = events_[static_cast<std::size_t>(k)];
  const Node& node = nodes_[event.node];
  return node.block->on_event(event.k, t_, node.in_values, z.subspan(node.z, node.nz));
}

std::string BlockNetwork::event_name(int k) const {
  const EventPlace& event = events_[static_cast<std::size_t>(k)];
  const Block& block = *nodes_[event.node].block;
  return concat("block ", quoted(block.name), ": ", block.event_name(event.k));
}

std::vector<double> BlockNetwork::breaks(double begin, double until) const {
  std::vector<double> all;
  const auto take = [&](const std::vector<double>& times) {
    for (const double t : times) {
      if (t > begin && t < until) all.push_back(t);
    }
  };
  for (const Motion& motion : motions_) {
    if (motion.order >= 0) take(motion.named.motion->breaks(until));
  }
  for (const Node& node : nodes_) take(node.block->breaks(until));
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

void BlockNetwork::on_break(double t, std::span<const double> hold, std::span<double> z) const {
  for (const Node& node : nodes_) {
    const std::vector<double> own = node.block->breaks(t);
    if (std::find(own.begin(), own.end(), t) == own.end()) continue;
    node.block->on_break(t, node.in_values, hold_of(node, hold), z.subspan(node.z, node.nz));
  }
}

double BlockNetwork::next_sample(double t) const {
  double next = std::numeric_limits<double>::infinity();
  for (const Node& node : nodes_) {
    const double period = node.block->period();
    if (period <= 0) continue;
    for (const double first : {node.block->phase(), node.block->phase() + node.block->delay()}) {
      next = std::min(next, first + (std::floor((t - first) / period + same_time) + 1) * period);
    }
  }
  return next;
}

double BlockNetwork::nearest_sample(double t) const {
  for (const Node& node : nodes_) {
    const double period = node.block->period();
    if (period <= 0) continue;
    for (const double first : {node.block->phase(), node.block->phase() + node.block->delay()}) {
      const double sample = first + std::round((t - first) / period) * period;
      if (std::abs(t - sample) <= same_time * period) return sample;
    }
  }
  return t;
}

static bool is_multiple(double t, double first, double period) {
  const double k = (t - first) / period;
  return std::abs(k - std::round(k)) <= same_time;
}

bool BlockNetwork::samples_at(double t) const {
  return std::any_of(nodes_.begin(), nodes_.end(), [&](const Node& node) {
    const double period = node.block->period(), phase = node.block->phase();
    return period > 0 && (is_multiple(t, phase, period) || is_multiple(t, phase + node.block->delay(), period));
  });
}

void BlockNetwork::sample(double t, std::span<double> z) const {
  for (const Node& node : nodes_) {
    const double period = node.block->period(), phase = node.block->phase(), delay = node.block->delay();
    if (period <= 0) continue;
    const auto own = z.subspan(node.z, node.nz);
    if (is_multiple(t, phase, period)) node.block->sample(t, node.in_values, own);
    if (delay > 0 && is_multiple(t, phase + delay, period)) node.block->release(own);
  }
}

}  // namespace articula::simulate
