#include "launcher/job/job_text.h"

#include <fmt/format.h>

#include "gnn/settings/setting_field.h"

namespace tacit::launcher {

namespace {

// TOML takes a setting below the header of a table as the table's own. So the settings of a table come before the tables in
// it; the job may describe them in another order.
class Writer final : public gnn::SettingVisitor {
 public:
  // `sources` null: writes the settings that all ranks share, without comments.
  explicit Writer(const JobSources* sources) : sources_(sources) {}

  std::string text() const { return text_of(open_.front()); }

 private:
  struct Table {
    std::string name;    // with the names of the tables around it, without item numbers; "": the whole job
    std::string header;  // "": the whole job
    std::string settings{}, tables{};
  };

  void visit(const gnn::About& about, gnn::SettingField& field) override {
    if (sources_ == nullptr && about.scope == gnn::Scope::kRank) return;
    write_setting(fmt::format("{} = {}", about.key, gnn::to_text(field.value())), path_of(about.key));
  }

  void write_setting(const std::string& setting, const std::string& path) {
    open_.back().settings +=
        sources_ == nullptr ? setting + "\n" : fmt::format("{:<40}  # {}\n", setting, sources_->of(path).text());
  }

  // An empty list may have another default.
  std::size_t length(std::string_view key, std::size_t now, std::size_t) override {
    if (now == 0) write_setting(fmt::format("{} = []", key), path_of(key));
    return now;
  }

  void entered(std::string_view key, std::string_view) override { open(key, "[{}]"); }
  void entered_item(std::string_view key, std::size_t) override { open(key, "[[{}]]"); }
  void left() override {
    const std::string text = text_of(open_.back());
    open_.pop_back();
    open_.back().tables += text;
  }
  void open(std::string_view key, std::string_view brackets) {
    const std::string& around = open_.back().name;
    const std::string name = around.empty() ? std::string(key) : fmt::format("{}.{}", around, key);
    open_.push_back({.name = name, .header = fmt::format(fmt::runtime(brackets), name)});
  }

  // A table without settings has no header.
  static std::string text_of(const Table& table) {
    const bool with_header = !table.header.empty() && !table.settings.empty();
    return (with_header ? fmt::format("\n{}\n", table.header) : "") + table.settings + table.tables;
  }

  const JobSources* sources_;
  std::vector<Table> open_ = std::vector<Table>(1);  // the whole job, and each table within the one before it
};

std::string text_of(const Job& job, const JobSources* sources) {
  Writer writer(sources);
  Job(job).describe(writer);
  return writer.text();
}

}  // namespace

std::string to_toml(const Job& job, const JobSources& sources) { return text_of(job, &sources); }

std::string shared_toml(const Job& job) { return text_of(job, nullptr); }

}  // namespace tacit::launcher
