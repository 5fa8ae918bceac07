#include "launcher/job/setting_reference.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "gnn/settings/setting_field.h"
#include "launcher/job/job.h"

namespace tacit::launcher {

namespace {

// "model.layers[0].kind" becomes "model.layers[].kind", a setting of each layer.
std::string of_each_item(std::string path) {
  if (const std::size_t item = path.find("[0]"); item != std::string::npos) path.erase(item + 1, 1);
  return path;
}

// A setting with a word as its value that decides which other settings exist.
struct ChosenWord {
  std::string path, word;
};

// Lists the settings that one job describes. Some settings exist only beside certain words (the
// kind of a layer) or inside optional tables, so setting_reference() lists several jobs.
class Lister final : public gnn::SettingVisitor {
 public:
  enum class Optional { kThere, kThereWithoutLinks, kLeftOut };
  Lister(std::vector<SettingReference>& all, Optional optional, ChosenWord chosen = {})
      : all_(all), optional_(optional), chosen_(std::move(chosen)) {}

  // A job that omits a setting with a default gets the default, derived from its other settings.
  bool has(std::string_view key, bool now) override {
    if (now || optional_ == Optional::kLeftOut) return false;
    if (optional_ == Optional::kThereWithoutLinks && key == "links") return false;
    without_default_.insert(path_of(key));
    return true;
  }

  const std::vector<ChosenWord>& words() const { return words_; }
  const std::set<std::string>& seen() const { return seen_; }

 private:
  std::size_t length(std::string_view, std::size_t, std::size_t) override { return 1; }

  void visit(const gnn::About& about, gnn::SettingField& field) override {
    const std::string path = path_of(about.key), name = of_each_item(path);
    const bool none = about.required || without_default_.contains(path);
    std::string otherwise = none ? "" : gnn::to_text(field.value());
    if (otherwise == "\"\"") otherwise.clear();
    for (const std::string_view word : field.words()) words_.push_back({path, std::string(word)});
    if (path == chosen_.path) field.read({chosen_.word});
    if (path == "data.edges") field.read({std::string("rank 0")});  // edges of a rank have all settings of edges
    seen_.insert(name);
    const auto place = [this](const std::string& of) {
      return std::find_if(all_.begin(), all_.end(), [&](const SettingReference& one) { return one.name == of; });
    };
    if (place(name) == all_.end()) {
      const auto before = place(last_);
      all_.insert(before == all_.end() ? before : before + 1,
                  {name, field.allowed(), otherwise, std::string(about.help), "", about.scope, about.required});
    }
    last_ = name;
  }

  std::vector<SettingReference>& all_;
  Optional optional_;
  ChosenWord chosen_;
  std::set<std::string> without_default_;
  std::vector<ChosenWord> words_;
  std::set<std::string> seen_;
  std::string last_;  // the previous setting
};

// The settings seen beside each word, by the path of the word's setting and by the word.
using SeenWith = std::map<std::string, std::map<std::string, std::set<std::string>>>;

std::string table_of(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  return dot == std::string::npos ? "" : name.substr(0, dot);
}

std::string heading(const std::string& table) {
  if (table.empty()) return "## Above all tables";
  const std::size_t list = table.find("[]");
  return list == std::string::npos ? fmt::format("## [{}]", table) : fmt::format("## [[{}]]", table.substr(0, list));
}

// The words of another setting in the same table that allow the setting, if not all words allow it.
std::string condition(const std::string& name, const SeenWith& seen) {
  for (const auto& [path, with] : seen) {
    const std::string other = of_each_item(path);
    if (other == name || table_of(other) != table_of(name)) continue;
    std::vector<std::string> words;
    for (const auto& [word, names] : with) {
      if (names.contains(name)) words.push_back(fmt::format("\"{}\"", word));
    }
    if (!words.empty() && words.size() < with.size()) return fmt::format("{} = {}", other, fmt::join(words, " or "));
  }
  return "";
}

std::string_view where_equal(gnn::Scope scope) {
  switch (scope) {
    case gnn::Scope::kRank:
      return "each rank's own";
    case gnn::Scope::kSession:
      return "session";
    case gnn::Scope::kRun:
      return "run";
    case gnn::Scope::kModel:
      return "model";
  }
  return "";
}

std::string in_table(std::string text) {
  for (std::size_t at = text.find('|'); at != std::string::npos; at = text.find('|', at + 2)) text.insert(at, "\\");
  return text;
}

}  // namespace

std::vector<SettingReference> setting_reference() {
  // A job of links has no labels, and a job of labels has no links, so neither has all settings. The job of labels is the
  // first: with the two classes of a job of links, reveal.top would end at 2.
  constexpr std::array kAll = {Lister::Optional::kThereWithoutLinks, Lister::Optional::kThere,
                               Lister::Optional::kLeftOut};
  std::vector<SettingReference> all;
  std::vector<ChosenWord> words;
  for (const auto optional : kAll) {
    Lister lister(all, optional);
    Job().describe(lister);
    words.insert(words.end(), lister.words().begin(), lister.words().end());
  }
  SeenWith seen;
  for (const ChosenWord& word : words) {
    for (const auto optional : kAll) {
      Lister lister(all, optional, word);
      Job().describe(lister);
      seen[word.path][word.word].insert(lister.seen().begin(), lister.seen().end());
    }
  }
  for (SettingReference& one : all) one.only_with = condition(one.name, seen);
  return all;
}

std::vector<std::string> settings_named(std::string_view key) {
  std::vector<std::string> all;
  for (const SettingReference& one : setting_reference()) {
    const std::string table = table_of(one.name);
    if (table.empty() && one.name == key) all.push_back(one.name + " above all tables");
    if (!table.empty() && std::string_view(one.name).substr(table.size() + 1) == key) all.push_back(one.name);
  }
  return all;
}

std::string to_markdown(const std::vector<SettingReference>& settings) {
  std::string page =
      "# The settings of a job file\n\n"
      "This page is made by `tacit settings --markdown` from the description of the plans in `gnn/plan` and of the job "
      "in\n"
      "`launcher/job/job.cc`. A job file is TOML; `examples/jobs/` has three with comments. The column *equal in* says "
      "where\n"
      "the values must be equal: at all ranks of a *session*, in all sessions of a *run*, in all uses of the *model*, "
      "or\n"
      "nowhere (*each rank's own*). `--set KEY=VALUE` gives a setting another value than the file; an entry of a list "
      "has a\n"
      "number there, from 0 on: `--set 'model.layers[0].outputs=32'`.\n";
  std::vector<std::string> tables;
  for (const SettingReference& one : settings) {
    const std::string table = table_of(one.name);
    if (std::find(tables.begin(), tables.end(), table) == tables.end()) tables.push_back(table);
  }
  for (const std::string& table : tables) {
    page += fmt::format("\n{}\n\n| setting | values | default | equal in | what it does |\n|---|---|---|---|---|\n",
                        heading(table));
    for (const SettingReference& one : settings) {
      if (table_of(one.name) != table) continue;
      const std::string key = table.empty() ? one.name : one.name.substr(table.size() + 1);
      const std::string otherwise = one.required            ? "required"
                                    : one.otherwise.empty() ? "none"
                                                            : fmt::format("`{}`", one.otherwise);
      const std::string only = one.only_with.empty() ? "" : fmt::format("; only with `{}`", one.only_with);
      page += fmt::format("| `{}` | {} | {} | {} | {}{} |\n", key, in_table(one.allowed), otherwise,
                          where_equal(one.scope), in_table(one.help), only);
    }
  }
  return page;
}

}  // namespace tacit::launcher
