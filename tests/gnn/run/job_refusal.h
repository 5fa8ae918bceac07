// JobRefusal — a change of a valid job that check() refuses, with the path of the setting that the error must name. And runs that
// end before anything is shared.
#pragma once

#include <exception>
#include <functional>
#include <vector>

#include "tests/gnn/run/sample_jobs.h"

namespace tacit::gnn {

struct JobRefusal {
  const char* name;
  std::function<void(Job&)> change;
  const char* path;
};

// For INSTANTIATE_TEST_SUITE_P.
inline const auto kNameOfRefusal = [](const auto& tested) { return tested.param.name; };

// Fails unless `act` throws a SettingError with this path.
void expect_setting_error(const std::function<void()>& act, const char* path);

// Two parties and a dealer run the job: the error of each. Fails if a rank began to share data.
std::vector<std::exception_ptr> errors_before_sharing(const Job& job);

// Fails unless two parties may run the job, and may not run it after the change.
void expect_refused(Job valid, const JobRefusal& refusal);

}  // namespace tacit::gnn
