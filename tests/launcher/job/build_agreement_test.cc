// Ranks of different builds do not begin: the error names each field that differs, with both values
// and the ranks.
#include "launcher/job/build_agreement.h"

#include <gmock/gmock.h>

#include <functional>

#include "launcher/job/job_agreement.h"
#include "mpc/session/protocol_number.h"

namespace tacit::launcher {
namespace {

using testing::HasSubstr;

std::optional<std::string> difference_of(const std::function<void(Build&)>& change) {
  const Job job;
  net::Agreement ours = agreement_of(job), theirs = agreement_of(job);
  Build other = this_build();
  change(other);
  add(this_build(), ours);
  add(other, theirs);
  return net::difference(ours, 0, theirs, 2);
}

TEST(BuildAgreement, OfOneBuildHasNoDifference) {
  EXPECT_FALSE(difference_of([](Build&) {}));
}

TEST(BuildAgreement, NamesTheFieldThatDiffersWithBothValuesAndRanks) {
  const auto expect_named = [](const std::function<void(Build&)>& change, const std::string& field,
                               const std::string& ours, const std::string& theirs) {
    EXPECT_THAT(difference_of(change).value_or(""), testing::AllOf(HasSubstr(field), HasSubstr("rank 0 has \"" + ours),
                                                                   HasSubstr("rank 2 has \"" + theirs)));
  };
  const Build own = this_build();
  expect_named([](Build& other) { other.version = "9.9.9"; }, "Tacit version", own.version, "9.9.9");
  expect_named([](Build& other) { other.commit = "abcdef0"; }, "commit", own.commit, "abcdef0");
  expect_named([](Build& other) { other.protocol += 1; }, "protocol number", std::to_string(mpc::kProtocolNumber),
               std::to_string(mpc::kProtocolNumber + 1));
  expect_named([](Build& other) { other.generators = "none"; }, "generators", own.generators, "none");
}

TEST(BuildAgreement, TellsTheVersionFirst) {
  EXPECT_THAT(difference_of([](Build& other) {
                other = {"9.9.9", "abcdef0", -1, "none"};
              }).value_or(""),
              testing::AllOf(HasSubstr("\"Tacit version\""), HasSubstr("(and on 3 more)")));
}

}  // namespace
}  // namespace tacit::launcher
