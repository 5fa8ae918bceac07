#include "launcher/job/job_text.h"

#include <fmt/format.h>

#include "gnn/settings/setting_field.h"

namespace tacit::launcher {

namespace {

class Writer final : public gnn::SettingVisitor {
 public:
  // `sources` null: writes the settings that all ranks share, without comments.
  explicit Writer(const JobSources* sources) : sources_(sources) {}

  const std::string& text() const { return text_; }

 private:
  void visit(const gnn::About& about, gnn::SettingField& field) override {
    if (sources_ == nullptr && about.scope == gnn::Scope::kRank) return;
    write_setting(fmt::format("{} = {}", about.key, gnn::to_text(field.value())), path_of(about.key));
  }

  void write_setting(const std::string& setting, const std::string& path) {
    if (!header_.empty()) text_ += fmt::format("\n{}\n", std::exchange(header_, ""));
    text_ += sources_ == nullptr ? setting + "\n" : fmt::format("{:<40}  # {}\n", setting, sources_->of(path).text());
  }

  // An empty list may have another default.
  std::size_t length(std::string_view key, std::size_t now, std::size_t) override {
    if (now == 0) write_setting(fmt::format("{} = []", key), path_of(key));
    return now;
  }

  // A table's header is written with its first setting, so an empty table writes nothing.
  void entered(std::string_view key, std::string_view) override { open(key, "[{}]"); }
  void entered_item(std::string_view key, std::size_t) override { open(key, "[[{}]]"); }
  void left() override {
    header_ = "";
    names_.pop_back();
  }
  void open(std::string_view key, std::string_view brackets) {
    names_.push_back(names_.empty() ? std::string(key) : fmt::format("{}.{}", names_.back(), key));
    header_ = fmt::format(fmt::runtime(brackets), names_.back());
  }

  const JobSources* sources_;
  std::vector<std::string> names_;  // tables, without item numbers
  std::string header_;              // not written yet
  std::string text_;
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
