// Plans — the data and the training of a job together: described, checked, compared and hashed as one.
#pragma once

#include <fmt/format.h>

#include <functional>

#include "gnn/plan/data_plan.h"
#include "gnn/plan/training_plan.h"
#include "net/error.h"

namespace tacit::gnn {

struct Plans {
  DataPlan data;
  TrainingPlan training;

  // Every setting, by table. `more_of_data` adds settings of the caller's own to the table [data].
  void describe(SettingVisitor& visitor, const std::function<void(SettingVisitor&)>& more_of_data = {});
};

// A setting beyond its limits, or one that contradicts another: its path, what is wrong, and what to do.
class SettingError : public ConfigError {
 public:
  SettingError(std::string_view path, const std::string& problem)
      : ConfigError(fmt::format("{}: {}", path, problem)), path_(path), problem_(problem) {}
  const std::string& path() const { return path_; }
  const std::string& problem() const { return problem_; }

 private:
  std::string path_, problem_;
};

template <typename... Arguments>
[[noreturn]] void wrong(std::string_view path, fmt::format_string<Arguments...> problem, Arguments&&... arguments) {
  throw SettingError(path, fmt::format(problem, std::forward<Arguments>(arguments)...));
}

// Throws SettingError unless every setting is within its limits.
void check_limits(const std::function<void(SettingVisitor&)>& described);

// Throws SettingError for a setting beyond its limits, one that contradicts another, or a rank that is no party.
void check(const Plans& plans, int parties);

}  // namespace tacit::gnn
