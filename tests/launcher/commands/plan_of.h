// PlanOf — an example job with made data in a temporary folder, for tests of `tacit plan`.
#pragma once

#include <gmock/gmock.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/launcher/commands/command.h"
#include "tests/temporary_folder.h"

namespace tacit::launcher {

class PlanOf : public testing::Test {
 protected:
  explicit PlanOf(const std::string& job = "sensors") : job_(path(job + ".toml")) {
    std::filesystem::copy_file(std::filesystem::path(TACIT_SOURCE_DIR) / "examples/jobs" / (job + ".toml"), job_);
  }
  std::string path(const std::string& name) const { return folder_.path() / name; }

  void make_data(const std::vector<std::string>& what) const {
    std::vector<std::string> words = {"data", "make"};
    words.insert(words.end(), what.begin(), what.end());
    words.insert(words.end(), {"--out", path("whole.npz")});
    ASSERT_EQ(tacit(words).exit_code, 0);
    ASSERT_EQ(tacit({"data", "split", path("whole.npz"), "--job", job_}).exit_code, 0);
  }

  static std::vector<std::string> with(std::vector<std::string> words, const std::vector<std::string>& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  TemporaryFolder folder_;
  const std::string job_;
};

class PlanOfCitations : public PlanOf {
 protected:
  PlanOfCitations() : PlanOf("citations") {}
};

class PlanOfPayments : public PlanOf {
 protected:
  PlanOfPayments() : PlanOf("payments") {}
};

}  // namespace tacit::launcher
