// A rank that gives up ends all other ranks with its own error, over every mesh.
#include <gmock/gmock.h>

#include "net/error.h"
#include "net/tcp/mesh_failure.h"
#include "tests/net/meshes.h"

namespace tacit::net {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::ThrowsMessage;

Exit exit_of_rank(const std::exception_ptr& error) {
  try {
    if (error) std::rethrow_exception(error);
    return Exit::kOk;
  } catch (const std::exception& e) {
    return exit_of(e);
  }
}

class AbortOver : public testing::TestWithParam<MeshKind> {
 protected:
  // The errors of all ranks after rank 1 throws in the middle of a run.
  template <typename Thrown>
  std::vector<std::exception_ptr> when_rank_1_throws(const Thrown& thrown) {
    return errors_of_ranks(GetParam().make(3, 1), [&](Mesh& mesh) {
      if (mesh.rank() == 1) throw thrown;
      std::byte byte{};
      mesh.channel(1).receive(kMainStream, Bytes(&byte, 1)).wait();
    });
  }
};

INSTANTIATE_TEST_SUITE_P(Every, AbortOver, testing::ValuesIn(every_mesh()), mesh_name);

TEST_P(AbortOver, EndsAllRanksWithTheSameExit) {
  for (const auto& error : when_rank_1_throws(ConfigError("the disk is full"))) {
    EXPECT_EQ(exit_of_rank(error), Exit::kConfig) << message_of(error);
    EXPECT_THAT(message_of(error), Not(HasSubstr("start all ranks again"))) << "it would end the same way";
  }
  for (const auto& error : when_rank_1_throws(ProtocolError("it lied", 1))) {
    EXPECT_EQ(exit_of_rank(error), Exit::kProtocol) << message_of(error);
  }
  for (const auto& error : when_rank_1_throws(NetError("interrupted", 1))) {
    EXPECT_EQ(exit_of_rank(error), Exit::kNet) << message_of(error);
  }
}

TEST_P(AbortOver, OfABugIsALostPeerToTheOthers) {
  const auto errors = when_rank_1_throws(BrokenInvariant("one is two"));
  EXPECT_EQ(exit_of_rank(errors[1]), Exit::kBug);
  for (const std::size_t other : {0U, 2U, 3U}) EXPECT_EQ(exit_of_rank(errors[other]), Exit::kNet);
}

TEST(MeshFailure, SaysOnceWhoReportedItHoweverFarItTravels) {
  AbortReport heard{Exit::kNet, 2, "rank 2 is gone"};
  for (const int reporter : {0, 1}) {
    MeshFailure failure;
    EXPECT_TRUE(failure.record(heard.exit, heard.culprit, heard.reason, reporter));
    EXPECT_THAT([&] { failure.raise("; rank 3 was at work"); },
                ThrowsMessage<NetError>(HasSubstr("rank 2 is gone (reported by rank " + std::to_string(reporter) +
                                                  "); rank 3 was at work")));
    heard = failure.report();
  }
  EXPECT_EQ(heard.reason, "rank 2 is gone");
}

}  // namespace
}  // namespace tacit::net
