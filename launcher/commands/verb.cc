#include "launcher/commands/verb.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "net/printable.h"

namespace tacit::launcher {

namespace {

std::string footer_of(const std::string& example) { return "Example:\n  " + example; }

// NaN for a text that is not a number.
double number_in(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool number = error == std::errc() && end == text.data() + text.size() && std::isfinite(value);
  return number ? value : std::nan("");
}

}  // namespace

CLI::App* add_verb(CLI::App& parent, Choice& choice, const std::string& name, const std::string& does,
                   const std::string& example, std::function<Answer()> run) {
  CLI::App* verb = parent.add_subcommand(name, does);
  verb->add_flag("--json", choice.json, "answer in JSON");
  verb->footer(footer_of(example));
  verb->callback([&choice, run = std::move(run)] { choice.run = run; });
  return verb;
}

CLI::Validator number_between(double least, double most) {
  const auto check = [least, most](const std::string& text) -> std::string {
    const double value = number_in(text);
    if (value >= least && value <= most) return "";
    return fmt::format("{} is not a number from {:g} to {:g}", net::printable(text, 80), least, most);
  };
  return {check, fmt::format("FLOAT in [{:g} - {:g}]", least, most)};
}

CLI::Validator number_below(double least, double limit) {
  const auto check = [least, limit](const std::string& text) -> std::string {
    const double value = number_in(text);
    if (value >= least && value < limit) return "";
    return fmt::format("{} is not a number of at least {:g} and below {:g}", net::printable(text, 80), least, limit);
  };
  return {check, fmt::format("FLOAT >= {:g} and < {:g}", least, limit)};
}

CLI::App* add_group(CLI::App& parent, const std::string& name, const std::string& does, const std::string& example) {
  CLI::App* group = parent.add_subcommand(name, does);
  group->footer(footer_of(example));
  group->require_subcommand(1);
  return group;
}

}  // namespace tacit::launcher
