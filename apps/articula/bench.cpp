/// `articula bench`: measures the time of every algorithm for one state, in every way to run it.

#include "bench.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <limits>
#include <mutex>
#include <thread>
#include <tuple>

#include <fmt/core.h>

#include <articula/base/team.h>
#include <articula/base/text.h>
#include <articula/formats/load.h>
#include <articula/scalar/instruction_set.h>

#include "command.h"
#include "json_text.h"

namespace articula::program {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

struct Options {
  std::string model;
  std::vector<std::string> algorithms, ways;
  ReadOptions read;
  BuildOptions build;
  bool json = false;
  double seconds = 10;
  int threads = 1;
  int ticks = 0;
};

std::vector<Algorithm> measured_algorithms() {
  std::vector<Algorithm> all = all_algorithms();
  std::erase_if(all, [](Algorithm algorithm) { return !traits(algorithm).measured; });
  return all;
}
constexpr std::array ways{Way::flat, Way::generated, Way::batched, Way::batched_generated};

/// The elements of `all` whose names are in the lists, in the order of `all`; all of them if there is no list.
template <class Value>
std::vector<Value> chosen(const std::string& option, const std::vector<std::string>& lists,
                          const std::vector<Value>& all) {
  if (lists.empty()) return all;
  std::vector<std::string> known;
  for (const Value value : all) known.emplace_back(name_of(value));
  std::vector<bool> wanted(all.size());
  for (const std::string& list : lists) {
    for (std::size_t first = 0; first <= list.size();) {
      const std::size_t comma = std::min(list.find(',', first), list.size());
      const std::string name = list.substr(first, comma - first);
      first = comma + 1;
      const auto found = std::find(known.begin(), known.end(), name);
      if (found == known.end()) {
        const auto near = closest(name, known);
        throw WrongUsage(option, concat(quoted(name), " is nothing that can be measured.",
                                        near ? concat(" Did you mean ", quoted(*near), "?") : "",
                                        " Choices: ", list_of(known, known.size()), "."));
      }
      wanted[static_cast<std::size_t>(found - known.begin())] = true;
    }
  }
  std::vector<Value> values;
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (wanted[k]) values.push_back(all[k]);
  }
  return values;
}

/// A measurement and its result.
struct Entry {
  Case what;
  std::optional<Work> work;
  std::string left_out;  ///< the reason, if it was not measured
  bool late = false;     ///< not enough time
  bool failed = false;   ///< it ran, but its results are invalid
  double ns = std::numeric_limits<double>::infinity();

  bool is_measured() const { return work && !failed && std::isfinite(ns); }
};

std::vector<Entry> entries_for(const std::vector<Algorithm>& which, const std::vector<Way>& how, int threads) {
  std::vector<Entry> entries;
  const auto add = [&](const Case& c) { entries.emplace_back().what = c; };
  for (const Algorithm algorithm : which) {
    const bool floats = traits(algorithm).floats;
    for (const Way way : how) {
      add({algorithm, way, false, 1});
      if (way == Way::batched_generated || (way == Way::batched && floats)) add({algorithm, way, true, 1});
      if (way != Way::batched || threads == 1) continue;
      add({algorithm, way, false, threads});
      if (floats) add({algorithm, way, true, threads});
    }
  }
  return entries;
}

/// Shows the current measurement, until it is destroyed.
class Progress {
 public:
  void show(const std::string& what) const { show_progress(what); }
  ~Progress() { show(""); }
};

/// Runs `make`; if it throws, records why the entry is not measured.
template <class Make>
void try_to(Entry& entry, Make&& make) {
  try {
    make();
  } catch (const Error& error) {
    entry.left_out = concat(error.message(), "  [", error.code(), "]");
  } catch (const std::bad_alloc&) {
    entry.left_out = "there is not enough memory for it.";
  } catch (const std::exception& error) {
    entry.left_out = error.what();
  }
}

/// Compiles on all cores until `deadline`. The time of a compilation is estimated from earlier ones.
class Compilation {
 public:
  Compilation(const Workshop& workshop, std::vector<Entry*> entries, Clock::time_point begin, double deadline)
      : workshop_(workshop), entries_(std::move(entries)), begin_(begin), deadline_(deadline) {}

  void run(const Progress& progress) {
    const std::size_t most = std::min<std::size_t>(std::max(1u, std::thread::hardware_concurrency()), entries_.size());
    work_together(most, [&] {
      for (std::size_t k = next_++; k < entries_.size(); k = next_++) {
        {
          const std::lock_guard lock(mutex_);
          progress.show(concat("compiling ", to_text(entries_[k]->what)));
        }
        try_to(*entries_[k], [&] { compile(*entries_[k]); });
      }
    });
  }

 private:
  void compile(Entry& entry) {
    const bool is_compiled = workshop_.is_compiled(entry.what);
    const double guess = guessed_seconds(workshop_.recorded(entry.what));
    if (!is_compiled) {
      const std::lock_guard lock(mutex_);
      entry.late = seconds_since(begin_) + guess * taken_ / guessed_ > deadline_;
    }
    if (entry.late) return;
    const Clock::time_point from = Clock::now();
    entry.work = workshop_.make_generated(entry.what);
    if (is_compiled) return;
    const std::lock_guard lock(mutex_);
    taken_ += seconds_since(from), guessed_ += guess;
  }

  /// Estimated time: superlinear in the length of straight-line code, linear for loops, which are split into routines.
  /// Constants measured with GCC 12.
  static double guessed_seconds(const RecordedFunction& function) {
    const double expressions = function.graph.size();
    return 0.4 + (function.in_loops ? 6e-5 : 1.5e-4 + 8e-8 * expressions) * expressions;
  }

  const Workshop& workshop_;
  std::vector<Entry*> entries_;
  Clock::time_point begin_;
  double deadline_, taken_ = 1, guessed_ = 1;  ///< actual and estimated total time, initially one second
  std::atomic<std::size_t> next_{0};
  std::mutex mutex_;
};

void make_works(Workshop& workshop, std::vector<Entry>& entries, Clock::time_point begin, double deadline,
                const Progress& progress) {
  std::vector<Entry*> to_compile;
  for (Entry& entry : entries) {
    progress.show(concat("preparing ", to_text(entry.what)));
    if (seconds_since(begin) > deadline) {
      entry.late = true;
      continue;
    }
    try_to(entry, [&] {
      if (!is_generated(entry.what)) {
        entry.work = workshop.make(entry.what);
      } else {
        workshop.record(entry.what);
        to_compile.push_back(&entry);
      }
    });
  }
  Compilation(workshop, to_compile, begin, deadline).run(progress);
}

/// Repeats a pass over all states; for large mechanisms, over as many states as time allows.
void repeat(Entry& entry, double seconds) {
  const Clock::time_point begin = Clock::now();
  for (int count = 1; seconds_since(begin) < seconds || count == 1;) {
    const Clock::time_point from = Clock::now();
    const int computed = entry.work->pass(count);
    const double each = seconds_since(from) / computed;
    entry.ns = std::min(entry.ns, 1e9 * each);
    if (count > 1) continue;
    count = static_cast<int>(std::clamp(seconds / each, 1.0, static_cast<double>(entry.work->states)));
    if (count == 1) break;
  }
}

/// Measures the minimum time of a pass, since disturbances only increase it. Several rounds, so that a temporary
/// slowdown of the machine affects all entries equally.
void measure(std::vector<Entry>& entries, Clock::time_point begin, double end, const Progress& progress) {
  constexpr int rounds = 3;
  constexpr double most_each = 0.1, least_in_all = 0.02;
  const auto count = static_cast<double>(
      std::count_if(entries.begin(), entries.end(), [](const Entry& e) { return e.work.has_value(); }));
  const double left = std::max(end - seconds_since(begin), least_in_all * count);
  const double each = std::min(most_each, left / (rounds * std::max(count, 1.0)));
  const double limit = seconds_since(begin) + 1.5 * left;
  for (int round = 0; round < rounds; ++round) {
    for (Entry& entry : entries) {
      if (!entry.work || entry.failed) continue;
      if (seconds_since(begin) > limit) {
        entry.late |= round == 0;
        continue;
      }
      if (round == 0) progress.show(concat("measuring ", to_text(entry.what)));
      repeat(entry, each);
      entry.left_out = entry.work->wrong();
      entry.failed = !entry.left_out.empty();
    }
  }
}

/// Reports what was not measured and why: one line for each reason.
void tell_left_out(const std::vector<Entry>& entries, double seconds) {
  std::vector<std::pair<std::string, std::vector<std::string>>> reasons;
  for (const Entry& entry : entries) {
    if (entry.is_measured()) continue;
    const std::string why =
        entry.late ? concat("there is not enough time within ", seconds,
                            " s. Give more with --seconds; what was compiled is kept, and need not be again.")
                   : entry.left_out;
    auto found = std::find_if(reasons.begin(), reasons.end(), [&](const auto& reason) { return reason.first == why; });
    if (found == reasons.end()) found = reasons.insert(found, {why, {}});
    found->second.push_back(to_text(entry.what));
  }
  for (const auto& [why, what] : reasons) {
    say("note: left out: {}: {}\n", list_of(what, what.size()), why);
  }
}

/// Three decimals are more than can be measured.
double rounded(double x) { return std::max(std::round(1000 * x) / 1000, 0.001); }

void print_json(double peak, const std::vector<Entry>& entries) {
  std::string text = concat("{\"peak_gflops\": ", rounded(peak), ",\n \"results\": [");
  bool first = true;
  for (const Entry& entry : entries) {
    if (!entry.is_measured()) continue;
    JsonText out;
    out.open('{');
    out.key("algorithm"), out.string(name_of(entry.what.algorithm));
    out.key("run_as"), out.string(name_of(entry.what.way));
    out.key("precision"), out.string(entry.what.single ? "single" : "double");
    out.key("threads"), out.number(entry.work->threads);
    out.key("ns_per_state"), out.number(rounded(entry.ns));
    out.close('}');
    text += concat(first ? "\n  " : ",\n  ", out.text());
    first = false;
  }
  put(text + "\n ]}\n", Then::end);
}

void print_table(const std::string& name, double peak, const std::vector<Entry>& entries) {
  const auto title = [](const Entry& entry) {
    return concat(name_of(entry.what.way), entry.what.single ? ", single" : "",
                  entry.work->threads != 1 ? concat(", ", entry.work->threads, " threads") : "");
  };
  std::vector<const Entry*> measured;
  for (const Entry& entry : entries) {
    if (entry.is_measured()) measured.push_back(&entry);
  }
  std::vector<std::string> columns, rows;
  const auto add = [](std::vector<std::string>& to, const std::string& what) {
    if (std::find(to.begin(), to.end(), what) == to.end()) to.push_back(what);
  };
  for (const Entry* entry : measured) add(rows, std::string(name_of(entry->what.algorithm)));
  std::stable_sort(measured.begin(), measured.end(), [](const Entry* a, const Entry* b) {
    return std::tie(a->what.way, a->work->threads, a->what.single) <
           std::tie(b->what.way, b->work->threads, b->what.single);
  });
  for (const Entry* entry : measured) add(columns, title(*entry));
  constexpr std::size_t least_width = 9;
  std::string text = fmt::format(
      "{}: ns per state, the least of many repeats\npeak of a core: {:.1f} GFLOP/s in double precision ({})\n\n{:30}",
      quoted(name), peak, to_text(best_instruction_set()), "");
  for (const std::string& column : columns) text += fmt::format("  {:>{}}", column, least_width);
  text += '\n';
  for (const std::string& row : rows) {
    text += fmt::format("{:30}", row);
    for (const std::string& column : columns) {
      std::string cell = "-";
      for (const Entry* entry : measured) {
        if (name_of(entry->what.algorithm) != row || title(*entry) != column) continue;
        cell = fmt::format("{:.{}f}", entry->ns, entry->ns < 100 ? 1 : 0);
      }
      text += fmt::format("  {:>{}}", cell, std::max(column.size(), least_width));
    }
    text += '\n';
  }
  put(text, Then::end);
}

struct Ticked {
  const Entry* entry;
  TickTimes times;
};

void print_ticks_json(int ticks, const std::vector<Ticked>& all) {
  std::string text = concat("{\"ticks\": ", ticks, ",\n \"results\": [");
  for (const auto& [entry, times] : all) {
    JsonText out;
    out.open('{');
    out.key("algorithm"), out.string(name_of(entry->what.algorithm));
    out.key("run_as"), out.string(name_of(entry->what.way));
    out.key("median_ns"), out.number(rounded(times.median));
    out.key("p9999_ns"), out.number(rounded(times.rarely));
    out.key("worst_ns"), out.number(rounded(times.worst));
    out.key("worst_cpu_ns"), out.number(rounded(times.worst_alone));
    out.key("long_ticks"), out.number(static_cast<double>(times.long_ones));
    out.key("interruptions"), out.number(static_cast<double>(times.interruptions));
    out.close('}');
    text += concat(&all.front().entry == &entry ? "\n  " : ",\n  ", out.text());
  }
  put(text + "\n ]}\n", Then::end);
}

void print_ticks(const std::string& name, int ticks, const std::vector<Ticked>& all) {
  std::string text = fmt::format(
      "{}: ns of one tick, each of {} measured by itself\n\n{:42}{:>9}{:>11}{:>11}{:>14}{:>9}{:>13}{:>12}\n",
      quoted(name), ticks, "", "median", "99.99 %", "worst", "worst/median", "over 2x", "interrupted", "worst, CPU");
  for (const auto& [entry, times] : all) {
    text += fmt::format("{:42}{:>9.0f}{:>11.0f}{:>11.0f}{:>14.1f}{:>9}{:>13}{:>12.0f}\n", to_text(entry->what),
                        times.median, times.rarely, times.worst, times.worst / times.median, times.long_ones,
                        times.interruptions, times.worst_alone);
  }
  put(text, Then::end);
}

/// Measures single ticks of computations that compute one state at a time.
void run_ticks(const Options& options, const std::string& name, std::vector<Entry>& entries) {
  std::vector<Ticked> all;
  const Progress progress;
  for (Entry& entry : entries) {
    if (!entry.work) continue;
    progress.show(concat("measuring ticks of ", to_text(entry.what)));
    all.push_back({&entry, measure_ticks(*entry.work, options.ticks)});
    entry.ns = all.back().times.median;
    entry.left_out = entry.work->wrong();
    entry.failed = !entry.left_out.empty();
    if (entry.failed) all.pop_back();
  }
  if (all.empty()) return;
  options.json ? print_ticks_json(options.ticks, all) : print_ticks(name, options.ticks, all);
}

/// The ways that compute one state at a time.
std::vector<Way> ways_with_ticks(const std::vector<Way>& how, bool by_name) {
  std::vector<Way> result;
  for (const Way way : how) {
    if (way == Way::flat || way == Way::generated) {
      result.push_back(way);
    } else if (by_name) {
      throw WrongUsage("--ticks", concat(quoted(name_of(way)),
                                         " computes many states at once and has no "
                                         "ticks. Use --run-as flat,generated."));
    }
  }
  return result;
}

void run(const Options& options, int& code) {
  const std::vector<Algorithm> which = chosen("--algorithm", options.algorithms, measured_algorithms());
  std::vector<Way> how = chosen<Way>("--run-as", options.ways, {ways.begin(), ways.end()});
  if (options.ticks > 0) how = ways_with_ticks(how, !options.ways.empty());
  Findings findings;
  const Model model = load(options.model, &findings, options.read);
  BuildOptions build = options.build;
  build.strict = options.read.strict;
  Workshop workshop(model, build);
  findings.insert(findings.end(), workshop.findings().begin(), workshop.findings().end());
  tell(findings);

  std::vector<Entry> entries = entries_for(which, how, options.threads);
  double peak = 0;
  {
    const Progress progress;
    const Clock::time_point begin = Clock::now();
    if (options.ticks == 0) {
      progress.show("measuring the peak");
      peak = measured_peak(std::min(0.2, 0.05 * options.seconds));
    }
    make_works(workshop, entries, begin, 0.7 * options.seconds, progress);
    if (options.ticks == 0) measure(entries, begin, options.seconds, progress);
  }
  if (options.ticks > 0) run_ticks(options, model.name, entries);
  tell_left_out(entries, options.seconds);
  if (std::none_of(entries.begin(), entries.end(), [](const Entry& entry) { return entry.is_measured(); })) {
    tell({{Severity::error,
           "bench-nothing-measured",
           {},
           concat("nothing of ", quoted(model.name), " could be measured. The notes above say why.")}});
    code = std::any_of(entries.begin(), entries.end(), [](const Entry& entry) { return entry.failed; })
               ? numerical_failure
               : bad_input;
    return;
  }
  if (options.ticks > 0) return;
  options.json ? print_json(peak, entries) : print_table(model.name, peak, entries);
}

}  // namespace

void add_bench(const Command& app, int& code) {
  auto options = std::make_shared<Options>();
  const Command command = app.add(
      "bench", "Measure every algorithm on this machine: flat, generated, many states at once, beside its peak");
  command.text("MODEL", options->model, "The model: native YAML or URDF").required();
  command.flag("--json", options->json, "For programs");
  const auto words = [](const auto& all) {
    std::string text;
    for (const auto value : all) text += concat(text.empty() ? "" : ", ", name_of(value));
    return text;
  };
  command
      .texts("--algorithm", options->algorithms, "Comma separated, all if not given: " + words(measured_algorithms()))
      .shown_as("LIST");
  command.texts("--run-as", options->ways, "Comma separated, all if not given: " + words(ways)).shown_as("LIST");
  command.number("--seconds", options->seconds, {0.1, 3600}, "How long it may take, about (default 10)").shown_as("S");
  command
      .integer("--threads", options->threads, {0, 4096},
               "Measure batches on that many threads too, beside one; 0: one for each core")
      .shown_as("N");
  command
      .integer("--ticks", options->ticks, {100, 1e8},
               "Measure each of that many single computations: median, all but one in 10,000, and the worst")
      .shown_as("N");
  add_read_options(command, options->read);
  add_drives_option(command, options->build);
  command.footer("docs/bench.md tells what is measured, and how.");
  command.runs([options, &code] { run(*options, code); });
}

}  // namespace articula::program
