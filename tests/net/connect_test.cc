#include "net/connect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>

#include "tests/net/loopback.h"
#include "tests/temporary_folder.h"

namespace tacit::net {
namespace {

using testing::HasSubstr;

// One party, alone; tests/package starts processes that join each other.
class Join : public testing::Test {
 protected:
  Join() {
    one_.identities[0].save(key_);
    std::ofstream(roster_) << one_.roster.text();
    set("RANK", "0");
    set("WORLD_SIZE", "1");
    for (const char* name : {"MASTER_ADDR", "MASTER_PORT"}) ::unsetenv(name);
  }
  static void set(const char* name, const char* value) { ASSERT_EQ(::setenv(name, value, 1), 0); }

  const TemporaryFolder folder_;
  const std::string key_ = folder_.path() / "key", roster_ = folder_.path() / "roster";
  const Ensemble one_{1};
};

TEST_F(Join, TakesTheRankFromTheEnvironmentAndTheRestFromTheFiles) {
  const std::unique_ptr<Mesh> mesh = join_mesh(key_, roster_);
  EXPECT_EQ(mesh->rank(), 0);
  EXPECT_EQ(mesh->size(), 1);
  EXPECT_EQ(mesh->parties(), 1);
  mesh->close();
}

TEST_F(Join, RefusesAWorldThatTheRosterDoesNotDescribe) {
  set("WORLD_SIZE", "2");
  set("MASTER_ADDR", "localhost");
  set("MASTER_PORT", "1");
  const Outcome outcome = outcome_of([this] { join_mesh(key_, roster_); });
  EXPECT_EQ(outcome.exit, Exit::kConfig) << outcome;
  EXPECT_THAT(outcome.what, HasSubstr("WORLD_SIZE"));
}

TEST_F(Join, RefusesAKeyThatIsNotThisRanks) {
  const std::string other = folder_.path() / "other";
  Identity::generate().save(other);
  const Outcome outcome = outcome_of([&] { join_mesh(other, roster_); });
  EXPECT_EQ(outcome.exit, Exit::kConfig) << outcome;
  EXPECT_THAT(outcome.what, HasSubstr("roster"));
}

TEST_F(Join, NamesAFileThatIsNotThere) {
  const Outcome outcome = outcome_of([this] { join_mesh(key_, roster_ + "-2"); });
  EXPECT_EQ(outcome.exit, Exit::kConfig) << outcome;
  EXPECT_THAT(outcome.what, HasSubstr(roster_ + "-2"));
}

}  // namespace
}  // namespace tacit::net
