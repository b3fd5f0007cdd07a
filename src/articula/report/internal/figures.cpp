#include <articula/report/internal/figures.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include <articula/base/text.h>

namespace articula::report {
namespace {

/// The words and symbol for signals with a name or a unit.
struct Term {
  std::string_view key, plural, symbol;
};

/// By the part of a signal's name that identifies its quantity.
constexpr std::array terms_of_names{
    Term{"q", "positions", "q"},     Term{"v", "velocities", "v"},
    Term{"a", "accelerations", "a"}, Term{"tau", "generalized forces", "τ"},
    Term{"energy", "energies", "E"},
};

/// By unit, for outputs of blocks.
constexpr std::array terms_of_units{
    Term{"N*m", "torques", "τ"},    Term{"N", "forces", "F"},
    Term{"Pa", "pressures", "p"},   Term{"A", "currents", "i"},
    Term{"V", "voltages", "u"},     Term{"W", "powers", "P"},
    Term{"J", "energies", "E"},     Term{"m", "lengths", "x"},
    Term{"rad", "angles", "φ"},     Term{"rad/s", "angular velocities", "ω"},
    Term{"m/s", "velocities", "v"}, Term{"m^3/s", "volume flows", "Q"},
    Term{"K", "temperatures", "T"},
};

template <std::size_t n>
const Term* find_term(const std::array<Term, n>& terms, std::string_view key) {
  const auto found = std::find_if(terms.begin(), terms.end(), [&](const Term& term) { return term.key == key; });
  return found == terms.end() ? nullptr : &*found;
}

/// The parts of a signal's name: `wave.q.elbow` → owner `wave`, what `q`, label `elbow`.
struct Parts {
  std::string_view owner, what, label;
};

Parts parts_of(std::string_view name) {
  const auto cut = [](std::string_view text) {
    const std::size_t dot = text.find('.');
    return dot == std::string_view::npos ? std::pair(text, std::string_view())
                                         : std::pair(text.substr(0, dot), text.substr(dot + 1));
  };
  const auto [first, rest] = cut(name);
  if (rest.empty()) return {{}, {}, name};
  if (find_term(terms_of_names, first)) return {{}, first, rest};
  const auto [second, end] = cut(rest);
  if (!end.empty() && find_term(terms_of_names, second)) return {first, second, end};
  return {first, {}, rest};
}

std::string capital(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

ReportFigure make_figure(const Parts& parts, std::string_view unit) {
  ReportFigure figure;
  figure.unit = printed_unit(unit);
  const Term* term = find_term(terms_of_names, parts.what);
  if (!term) term = find_term(terms_of_units, unit);
  std::string plural = term ? std::string(term->plural) : "signals";
  if (parts.what == "tau") plural = unit == "N*m" ? "torques" : unit == "N" ? "forces" : plural;
  if (term) figure.symbol = term->symbol;
  figure.title = parts.owner.empty() ? capital(plural) : concat(parts.owner, ": ", plural);
  if (find_term(terms_of_names, parts.what)) figure.title += concat(" ", figure.symbol);
  return figure;
}

/// Splits a figure with too many lines into several with nearly equal numbers of lines.
void split_into(const ReportFigure& figure, std::vector<ReportFigure>& figures) {
  const std::size_t size = figure.lines.size();
  const std::size_t pieces = (size + lines_of_figure - 1) / lines_of_figure;
  for (std::size_t k = 0; k < pieces; ++k) {
    ReportFigure piece{figure.title, figure.symbol, figure.unit, {}};
    if (pieces > 1) piece.title += concat(", part ", k + 1, " of ", pieces);
    const auto line = [&](std::size_t at) { return figure.lines.begin() + static_cast<std::ptrdiff_t>(at); };
    piece.lines.assign(line(size * k / pieces), line(size * (k + 1) / pieces));
    figures.push_back(std::move(piece));
  }
}

}  // namespace

std::vector<ReportFigure> make_figures(const std::vector<ReportSignal>& signals) {
  std::vector<ReportFigure> groups;
  std::map<std::tuple<std::string_view, std::string_view, std::string_view>, std::size_t> places;
  for (std::size_t k = 0; k < signals.size(); ++k) {
    const Parts parts = parts_of(signals[k].name);
    const auto [place, is_new] =
        places.emplace(std::tuple(parts.owner, parts.what, std::string_view(signals[k].unit)), groups.size());
    if (is_new) groups.push_back(make_figure(parts, signals[k].unit));
    groups[place->second].lines.push_back({k, std::string(parts.label)});
  }
  std::vector<ReportFigure> figures;
  for (const ReportFigure& group : groups) split_into(group, figures);
  return figures;
}

}  // namespace articula::report
