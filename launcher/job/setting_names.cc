#include "launcher/job/setting_names.h"

#include <fmt/format.h>

#include <algorithm>

#include "launcher/job/job_fields.h"

namespace tacit::launcher {

namespace {

// Which settings there are depends on what others say, so it is shown more than one job: one in which all that may be
// left out is there, and one as it is.
class Names final : public JobVisitor {
 public:
  enum class LeftOut { kNothing, kAsTheJobSays };
  Names(std::vector<std::string>& names, LeftOut left_out) : names_(names), left_out_(left_out) {}

  void field(std::string_view key, Field&, Need, Whose) override { add(path_of(key)); }
  bool has(std::string_view, bool now) override { return now || left_out_ == LeftOut::kNothing; }
  void enter(std::string_view key, std::string_view) override { folders_.push_back(path_of(key)); }
  void leave() override { folders_.pop_back(); }
  std::size_t items(std::string_view, std::size_t now, std::size_t) override { return now; }
  void enter_item(std::string_view key, std::size_t) override { folders_.push_back(path_of(key) + "[]"); }
  void exclude(std::string_view key, std::string_view) override { add(path_of(key)); }
  void stands_for(std::string_view, std::string_view) override {}

 private:
  std::string path_of(std::string_view key) const {
    return folders_.empty() ? std::string(key) : fmt::format("{}.{}", folders_.back(), key);
  }
  void add(std::string name) {
    if (std::find(names_.begin(), names_.end(), name) == names_.end()) names_.push_back(std::move(name));
  }

  std::vector<std::string>& names_;
  LeftOut left_out_;
  std::vector<std::string> folders_;
};

}  // namespace

std::vector<std::string> setting_names() {
  std::vector<std::string> names;
  for (const auto left_out : {Names::LeftOut::kNothing, Names::LeftOut::kAsTheJobSays}) {
    Job job;
    job.model.layers.resize(1);
    job.reveal.metrics.resize(1);
    Names visitor(names, left_out);
    visit(job, visitor);
  }
  return names;
}

std::vector<std::string> settings_named(std::string_view key) {
  std::vector<std::string> all;
  for (const std::string& name : setting_names()) {
    const std::size_t dot = name.rfind('.');
    if (dot == std::string::npos && name == key) all.push_back(name + " above all tables");
    if (dot != std::string::npos && std::string_view(name).substr(dot + 1) == key) all.push_back(name);
  }
  return all;
}

}  // namespace tacit::launcher
