#include "gnn/optimiser/optimisers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tacit::gnn {

namespace {

constexpr std::size_t kKinds = std::variant_size_v<OptimiserOptions>;

template <std::size_t... i>
std::array<OptimiserOptions, kKinds> kinds_of(std::index_sequence<i...>) {
  return {OptimiserOptions(std::in_place_index<i>)...};
}
// The options of every kind, by default.
std::array<OptimiserOptions, kKinds> kinds() { return kinds_of(std::make_index_sequence<kKinds>()); }

std::string_view word_of(const OptimiserOptions& options) {
  return std::visit([](const auto& one) { return one.kWord; }, options);
}

WordTable<std::size_t, kKinds> words() {
  WordTable<std::size_t, kKinds> all;
  for (const OptimiserOptions& kind : kinds()) all[kind.index()] = {kind.index(), word_of(kind)};
  return all;
}

class Keys final : public SettingVisitor {
 public:
  explicit Keys(OptimiserOptions options) {
    std::visit([this](auto& one) { one.describe(*this); }, options);
  }
  bool contains(std::string_view key) const { return std::find(all_.begin(), all_.end(), key) != all_.end(); }
  const std::vector<std::string_view>& all() const { return all_; }

 private:
  void visit(const About& about, SettingField&) override { all_.push_back(about.key); }
  std::vector<std::string_view> all_;
};

const std::string& help_of_rate() {
  static const std::string help = [] {
    std::string defaults;
    for (const OptimiserOptions& kind : kinds()) {
      const double rate = std::visit([](const auto& one) { return one.kRate; }, kind);
      defaults += fmt::format("{}{:g} for {}", defaults.empty() ? "" : " and ", rate, word_of(kind));
    }
    return "the learning rate; by default " + defaults;
  }();
  return help;
}

}  // namespace

void describe(OptimiserOptions& options, double& rate, SettingVisitor& visitor) {
  const bool rate_is_given = visitor.has("rate", true);
  std::size_t kind = options.index();
  visitor.word({"kind", "how a step follows from the gradient"}, kind, words());
  if (kind != options.index()) options = kinds()[kind];
  if (!rate_is_given) rate = std::visit([](const auto& one) { return one.kRate; }, options);
  visitor.real({"rate", help_of_rate()}, rate, {.least = 0, .most = 16, .without_least = true});
  std::visit([&visitor](auto& one) { one.describe(visitor); }, options);
  const Keys own(options);
  for (const OptimiserOptions& other : kinds()) {
    const Keys others(other);
    for (const std::string_view key : others.all()) {
      if (own.contains(key)) continue;
      visitor.exclude(key, fmt::format("it is for kind = \"{}\"; take it out, or change the kind", word_of(other)));
    }
  }
}

std::unique_ptr<Optimiser> make_optimiser(const OptimiserOptions& options) {
  return std::visit([](const auto& one) { return one.make(); }, options);
}

std::unique_ptr<PlainOptimiser> make_plain_optimiser(const OptimiserOptions& options) {
  return std::visit([](const auto& one) { return one.make_plain(); }, options);
}

std::string misfit(const OptimiserOptions& options, mpc::Format top) {
  return std::visit([top](const auto& one) { return one.misfit(top); }, options);
}

double largest_gradient(const OptimiserOptions& options, const Ranges& ranges, double scale) {
  return std::visit([&](const auto& one) { return one.largest_gradient(ranges, scale); }, options);
}

std::int64_t starting_steps(const OptimiserOptions& options) {
  return std::visit([](const auto& one) { return one.starting_steps(); }, options);
}

double largest_gradient_scale(const OptimiserOptions& options, const Ranges& ranges, const LossKind& loss) {
  return std::visit([&](const auto& one) { return one.largest_scale(ranges, loss); }, options);
}

}  // namespace tacit::gnn
