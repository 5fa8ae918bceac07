#include <fmt/format.h>

#include <memory>

#include "launcher/commands/verb.h"
#include "launcher/job/job_text.h"
#include "launcher/job/load_job.h"
#include "launcher/job/setting_reference.h"
#include "launcher/settings/nearest_name.h"
#include "net/printable.h"

namespace tacit::launcher {

namespace {

struct SettingsOptions {
  std::string name;
  bool markdown = false;
  std::string job;
};

std::string lines_of(const SettingReference& setting) {
  std::string text = fmt::format("{}\n    {}\n    {}", setting.name, setting.help, setting.allowed);
  text += setting.required ? "; required" : "; default: " + (setting.otherwise.empty() ? "none" : setting.otherwise);
  if (!setting.only_with.empty()) text += "; only with " + setting.only_with;
  return text + "\n";
}

Json json_of(const SettingReference& setting) {
  return {{"name", setting.name},         {"help", setting.help},
          {"allowed", setting.allowed},   {"default", setting.otherwise.empty() ? Json() : Json(setting.otherwise)},
          {"required", setting.required}, {"only_with", setting.only_with.empty() ? Json() : Json(setting.only_with)}};
}

// "model.layers[].outputs" for "model.layers[0].outputs": the settings of all entries of a list are the same.
std::string without_numbers_of_entries(const std::string& name) {
  std::string kept;
  bool inside = false;
  for (const char c : name) {
    if (!inside || c < '0' || c > '9') kept += c;
    inside = c == '[' || (inside && c != ']');
  }
  return kept;
}

// The settings with this name, or inside the table of this name.
std::vector<SettingReference> chosen(const std::string& asked) {
  const std::string name = without_numbers_of_entries(asked);
  std::vector<SettingReference> all = setting_reference(), found;
  for (const SettingReference& one : all) {
    const bool inside = one.name.starts_with(name) && one.name.find_first_of(".[", name.size()) == name.size();
    if (name.empty() || one.name == name || inside) found.push_back(one);
  }
  if (!found.empty()) return found;
  std::vector<std::string_view> names;
  for (const SettingReference& one : all) names.push_back(one.name);
  const std::string_view near = nearest_name(name, names);
  throw ConfigError(fmt::format("a job has no setting \"{}\"; {}`tacit settings` lists all", net::printable(name, 80),
                                near.empty() ? "" : fmt::format("did you mean {}? ", near)));
}

// Every setting of one job, with its value and the source of the value. Throws if the job is wrong.
Answer settings_of_job(const std::string& file) {
  const ReadJob job = load_job(file);
  Answer answer;
  answer.text = to_toml(job.job, job.sources);
  answer.json = {{"job", answer.text}};
  return answer;
}

Answer settings(const SettingsOptions& options) {
  if (!options.job.empty()) return settings_of_job(options.job);
  const std::vector<SettingReference> found = chosen(options.name);
  Answer answer;
  answer.json = {{"settings", Json::array()}};
  for (const SettingReference& one : found) {
    answer.json["settings"].push_back(json_of(one));
    if (!options.markdown) answer.text += lines_of(one);
  }
  if (options.markdown) answer.text = to_markdown(found);
  return answer;
}

}  // namespace

void add_settings(CLI::App& tacit, Choice& choice) {
  const auto options = std::make_shared<SettingsOptions>();
  CLI::App* verb = add_verb(tacit, choice, "settings", "every setting of a job file: values, default, meaning",
                            "tacit settings training.optimiser", [options] { return settings(*options); });
  CLI::Option* name =
      verb->add_option("NAME", options->name, "one setting, or all settings of one table, such as training.optimiser");
  CLI::Option* markdown = verb->add_flag("--markdown", options->markdown, "as the page docs/job-file.md");
  verb->add_option("--job", options->job, "check this job, and print all its settings with values and their sources")
      ->excludes(name)
      ->excludes(markdown);
}

}  // namespace tacit::launcher
