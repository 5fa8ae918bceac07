#include "launcher/job/job_text.h"

#include <fmt/format.h>

#include "launcher/job/job_fields.h"

namespace tacit::launcher {

namespace {

class Writer final : public JobVisitor {
 public:
  // `sources` null: of the settings that all ranks share alone, and without where they came from.
  explicit Writer(const JobSources* sources) : sources_(sources) {}

  void field(std::string_view key, Field& field, Need, Whose whose) override {
    if (sources_ == nullptr && whose == Whose::kLocal) return;
    if (!header_.empty()) text_ += fmt::format("\n{}\n", std::exchange(header_, ""));
    const std::string setting = fmt::format("{} = {}", key, field.toml());
    text_ += sources_ == nullptr ? setting + "\n"
                                 : fmt::format("{:<40}  # {}\n", setting, sources_->of(path_of(key)).text());
  }
  bool has(std::string_view, bool now) override { return now; }
  void enter(std::string_view key, std::string_view) override { open(path_of(key), path_of(key), "[{}]"); }
  void leave() override {
    tables_.pop_back();
    header_ = "";
  }
  std::size_t items(std::string_view, std::size_t now, std::size_t) override { return now; }
  void enter_item(std::string_view key, std::size_t index) override {
    open(path_of(key), fmt::format("{}[{}]", path_of(key), index), "[[{}]]");
  }
  void exclude(std::string_view, std::string_view) override {}
  void stands_for(std::string_view, std::string_view) override {}

  const std::string& text() const { return text_; }

 private:
  std::string path_of(std::string_view key) const {
    return tables_.empty() ? std::string(key) : fmt::format("{}.{}", tables_.back(), key);
  }
  // Its header is written with the first setting in it: an empty table says nothing.
  void open(const std::string& name, std::string path, std::string_view brackets) {
    header_ = fmt::format(fmt::runtime(brackets), name);
    tables_.push_back(std::move(path));
  }

  const JobSources* sources_;
  std::vector<std::string> tables_;  // paths
  std::string header_;               // that is still to be written
  std::string text_;
};

}  // namespace

namespace {

std::string text_of(const Job& job, const JobSources* sources) {
  Writer writer(sources);
  Job copy = job;
  visit(copy, writer);
  return writer.text();
}

}  // namespace

std::string to_toml(const Job& job, const JobSources& sources) { return text_of(job, &sources); }

std::string shared_toml(const Job& job) { return text_of(job, nullptr); }

}  // namespace tacit::launcher
