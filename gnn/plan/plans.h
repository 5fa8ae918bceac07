// Plans — the data plan and the training plan of a job, which are described, validated, compared
// and hashed together.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "gnn/plan/data_plan.h"
#include "gnn/plan/training_plan.h"
#include "net/error.h"

namespace tacit::gnn {

struct Plans {
  DataPlan data;
  TrainingPlan training;

  // Visits every setting, table by table. `more_of_data` and `more_of_privacy` add settings of the caller to the
  // tables [data] and [privacy].
  using More = std::function<void(SettingVisitor&)>;
  void describe(SettingVisitor& visitor, const More& more_of_data = {}, const More& more_of_privacy = {});
};

// Error for a setting beyond its limits or in conflict with another one: its path, the problem and
// a remedy.
class SettingError : public ConfigError {
 public:
  SettingError(std::string_view path, const std::string& problem);
  const std::string& path() const { return path_; }
  const std::string& problem() const { return problem_; }

 private:
  std::string path_, problem_;
};

// Throws SettingError if a setting is beyond its limits.
void check_limits(const std::function<void(SettingVisitor&)>& described);

// Validates both plans. Throws SettingError for a setting beyond its limits, for a conflict between
// two settings, and for a rank that is no party.
void check(const Plans& plans, int parties);

}  // namespace tacit::gnn
