#include "launcher/commands/verb.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "net/printable.h"

namespace tacit::launcher {

namespace {

std::string footer_of(const std::string& example) { return "Example:\n  " + example; }

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
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool number = error == std::errc() && end == text.data() + text.size();
    if (number && std::isfinite(value) && value >= least && value <= most) return "";
    return fmt::format("{} is not a number from {:g} to {:g}", net::printable(text, 80), least, most);
  };
  return {check, fmt::format("FLOAT in [{:g} - {:g}]", least, most)};
}

CLI::App* add_group(CLI::App& parent, const std::string& name, const std::string& does, const std::string& example) {
  CLI::App* group = parent.add_subcommand(name, does);
  group->footer(footer_of(example));
  group->require_subcommand(1);
  return group;
}

}  // namespace tacit::launcher
