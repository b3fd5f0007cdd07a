#include <articula/control/block_kinds.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include <articula/base/findings.h>
#include <articula/base/text.h>

namespace articula::control {
namespace {

template <class F, std::size_t... k>
void each_kind(F&& f, std::index_sequence<k...>) {
  (f(std::variant_alternative_t<k, BlockKind>{}), ...);
}
template <class F>
void each_kind(F&& f) {
  each_kind(f, std::make_index_sequence<std::variant_size_v<BlockKind>>{});
}

/// The name of the block that a spec wraps; empty if it wraps none.
std::string wrapped(const BlockSpec& spec) {
  return std::visit(
      []<class K>(const K& kind) -> std::string {
        if constexpr (is_wrapper<K>) {
          return kind.block;
        } else {
          return {};
        }
      },
      spec.kind);
}

bool wraps(const BlockSpec& spec) {
  return std::visit([]<class K>(const K&) { return is_wrapper<K>; }, spec.kind);
}

class Maker {
 public:
  Maker(std::span<const BlockSpec> specs, const BlockSite& site) : specs_(specs), site_(site) {
    for (std::size_t k = 0; k < specs_.size(); ++k) {
      names_.push_back(specs_[k].name);
      places_.emplace(specs_[k].name, k);
      if (wraps(specs_[k])) wrappers_.emplace(wrapped(specs_[k]), k);
    }
  }

  std::vector<std::unique_ptr<Block>> all() {
    check_names();
    throw_if_errors(findings_);
    std::vector<std::unique_ptr<Block>> blocks;
    for (const BlockSpec& spec : specs_) {
      if (wrapper_of(spec.name) == nullptr) blocks.push_back(make(spec));
    }
    throw_if_errors(findings_);
    for (const BlockSpec& spec : specs_) check_unit(spec, blocks);
    throw_if_errors(findings_);
    return blocks;
  }

 private:
  /// Indices of blocks by name; of duplicates, the first.
  using Places = std::unordered_map<std::string, std::size_t>;

  const BlockSpec* at(const Places& places, const std::string& name) const {
    const auto found = places.find(name);
    return found == places.end() ? nullptr : &specs_[found->second];
  }
  const BlockSpec* find(const std::string& name) const { return at(places_, name); }
  const BlockSpec* wrapper_of(const std::string& name) const { return at(wrappers_, name); }
  void note(const BlockSpec& spec, std::string code, std::string message) {
    add_finding(findings_,
                {Severity::error, std::move(code), spec.where, concat("block ", quoted(spec.name), ": ", message)});
  }

  void check_names() {
    for (std::size_t k = 0; k < specs_.size(); ++k) {
      const BlockSpec& spec = specs_[k];
      if (find(spec.name) != &spec)
        note(spec, "name-duplicate", "there is another block of this name. Give each a name of its own.");
      if (!wraps(spec)) continue;
      const std::string inner = wrapped(spec);
      if (find(inner) == nullptr) {
        note(spec, "no-such-block",
             concat("block ", quoted(inner), ", which it is to wrap, not found.", choices(inner, "Blocks", names_)));
      } else if (wrapper_of(inner) != &spec) {
        note(spec, "block-wraps",
             concat("block ", quoted(inner), " is wrapped by ", quoted(wrapper_of(inner)->name),
                    " already. Wrap that one instead."));
      } else {
        check_depth(spec);
      }
    }
  }

  /// A block may not wrap itself, and nesting is bounded.
  void check_depth(const BlockSpec& first) {
    constexpr int deepest = 16;
    const BlockSpec* spec = find(wrapped(first));
    for (int depth = 1; spec != nullptr && wraps(*spec); ++depth) {
      if (spec == &first) return note(first, "block-wraps", "it wraps itself, by way of others. Take one of them out.");
      if (depth == deepest) {
        return note(first, "block-wraps",
                    concat("more than ", deepest, " blocks lie inside one another. Take some of them out."));
      }
      spec = find(wrapped(*spec));
    }
  }

  /// If a stop watches a signal of another block, its unit must fit that signal.
  void check_unit(const BlockSpec& spec, const std::vector<std::unique_ptr<Block>>& blocks) {
    const auto* stop = std::get_if<StopWhen>(&spec.kind);
    if (stop == nullptr) return;
    try {
      for (const auto& block : blocks) {
        for (const auto& signals : {block->outputs(), block->states()}) {
          for (const Signal& each : signals) {
            if (stop->signal != concat(block->name, ".", each.name)) continue;
            stop->need_unit(BlockMaking(site_, spec.name, spec.where), each.unit);
          }
        }
      }
    } catch (const Error& error) {
      add_findings(findings_, error.errors());
    }
  }

  /// Null if it cannot be made; the errors are then in the findings. The recursion ends, since no block wraps itself.
  std::unique_ptr<Block> make(const BlockSpec& spec) {
    try {
      const BlockMaking making(site_, spec.name, spec.where);
      return std::visit(
          [&]<class K>(const K& kind) -> std::unique_ptr<Block> {
            if constexpr (is_wrapper<K>) {
              auto inner = make(*find(kind.block));
              return inner ? kind.make(making, std::move(inner)) : nullptr;
            } else {
              return kind.make(making);
            }
          },
          spec.kind);
    } catch (const Error& error) {
      add_findings(findings_, error.errors());
      return nullptr;
    }
  }

  std::span<const BlockSpec> specs_;
  const BlockSite& site_;
  std::vector<std::string> names_;
  Places places_, wrappers_;
  Findings findings_;
};

}  // namespace

std::string wrapped_by(const BlockSpec& spec) {
  return std::visit(
      []<class K>(const K& kind) {
        if constexpr (is_wrapper<K>) {
          return std::string(kind.block);
        } else {
          return std::string();
        }
      },
      spec.kind);
}

std::vector<std::string> block_kind_names() {
  std::vector<std::string> names;
  each_kind([&]<class K>(K) { names.emplace_back(K::name); });
  return names;
}

BlockKind make_block_kind(std::string_view name) {
  std::optional<BlockKind> found;
  each_kind([&]<class K>(K kind) {
    if (K::name == name) found = std::move(kind);
  });
  if (found) return std::move(*found);
  throw Error("no-such-block-kind", {},
              concat("there is no block of type ", quoted(name), ".", choices(name, "Types", block_kind_names())));
}

std::vector<std::unique_ptr<Block>> make_blocks(std::span<const BlockSpec> specs, const BlockSite& site) {
  return Maker(specs, site).all();
}

}  // namespace articula::control
