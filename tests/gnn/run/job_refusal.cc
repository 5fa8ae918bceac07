#include "tests/gnn/run/job_refusal.h"

#include <gtest/gtest.h>

#include "gnn/plan/plans.h"

namespace tacit::gnn {

void expect_setting_error(const std::function<void()>& act, const char* path) {
  try {
    act();
    FAIL() << "it was not refused";
  } catch (const SettingError& error) {
    EXPECT_EQ(error.path(), std::string(path)) << error.what();
  }
}

void expect_refused(Job valid, const JobRefusal& refusal) {
  EXPECT_NO_THROW(check(Plans{valid.data, valid.training}, 2));
  refusal.change(valid);
  expect_setting_error([&] { check(Plans{valid.data, valid.training}, 2); }, refusal.path);
}

}  // namespace tacit::gnn
