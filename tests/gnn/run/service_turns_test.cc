// The turns of a service and the desk of a rank, without a session: a steady load, messages that no rank may send, and a
// mesh that fails in a thread of a client.
#include <gmock/gmock.h>

#include <thread>

#include "gnn/serve/request_desk.h"
#include "gnn/serve/turns.h"
#include "net/memory/memory_mesh.h"
#include "tests/net/meshes.h"

namespace tacit::gnn {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;
using Message = ServiceMessage::Kind;

constexpr int kDealer = 2;

std::vector<std::exception_ptr> errors_of_turns(milliseconds patience, const std::function<void(net::Mesh&)>& program) {
  return net::errors_of_ranks(net::memory_mesh(2, 1, {.patience = patience}), [&](net::Mesh& mesh) {
    try {
      program(mesh);
    } catch (const Error& error) {
      mesh.abort(error.exit(), error.what(), -1);
      throw;
    }
  });
}

// Rank 1 never pauses for a quiet time, and the dealer hears nothing of its requests.
TEST(ServiceTurns, OutlastASteadyLoad) {
  const milliseconds patience(1000), quiet(100);
  const auto errors = errors_of_turns(patience, [&](net::Mesh& mesh) {
    Turns turns(mesh, quiet);
    try {
      if (mesh.rank() == 1) {
        for (const auto end = net::Clock::now() + 3 * patience; net::Clock::now() < end;) {
          turns.ask({{7}});
          EXPECT_EQ(turns.next().requests, std::vector<Rows>{{7}});
          std::this_thread::sleep_for(quiet / 5);
        }
        turns.stop(15);
      }
      ServiceMessage turn = turns.next();
      while (turn.kind == Message::kRequests) turn = turns.next();
      EXPECT_EQ(turn.rank, 1);
      EXPECT_EQ(turn.reason, 15);
      turns.close();
    } catch (const Error& error) {
      mesh.abort(error.exit(), error.what(), -1);  // ends the threads of `turns`
      throw;
    }
  });
  for (const std::exception_ptr& error : errors) EXPECT_EQ(net::message_of(error), "");
}

// `sent`: the messages from `from` to `to`. All ranks end with the sentence.
void expect_refused(int from, int to, const std::vector<ServiceMessage>& sent, const char* sentence) {
  const auto errors = errors_of_turns(milliseconds(60'000), [&](net::Mesh& mesh) {
    if (mesh.rank() == from) {
      for (const ServiceMessage& one : sent) post(mesh, to, to == 0 ? kToRank0 : kFromRank0, one);
    }
    if (mesh.rank() == to) {
      Turns turns(mesh, milliseconds(60'000));
      std::this_thread::sleep_for(milliseconds(100));  // rank 0 has queued the message that came
      try {
        turns.next();
      } catch (const ProtocolError& error) {
        EXPECT_EQ(error.culprit(), from);
        mesh.abort(error.exit(), error.what(), -1);
        throw;
      }
    }
    std::byte never{};
    mesh.channel((mesh.rank() + 1) % mesh.size()).receive(net::kMainStream, net::Bytes(&never, 1)).wait();
  });
  for (const std::exception_ptr& error : errors) EXPECT_THAT(net::message_of(error), HasSubstr(sentence));
}

TEST(ServiceTurns, RefuseWhatARankCannotSend) {
  const ServiceMessage requests{Message::kRequests, 1, 0, {{3}}};
  expect_refused(1, 0, {requests, requests}, "rank 1 sent requests before its earlier ones had their turn");
  expect_refused(kDealer, 0, {requests}, "rank 2 asks for predictions that the job does not reveal to it");
  expect_refused(0, kDealer, {requests}, "rank 0 sent rank 2 a message of the service that is not for it");
  expect_refused(0, 1, {{Message::kBye, 0, 0, {}}}, "rank 0 sent rank 1 a message of the service that is not for it");
}

TEST(ServiceTurns, PutAnEndBeforeRequests) {
  const auto meshes = net::memory_mesh(1);
  Turns turns(*meshes.front(), milliseconds(60'000));
  turns.ask({{3}});
  turns.stop(2);
  turns.stop(15);
  const ServiceMessage first = turns.next();
  EXPECT_EQ(first.kind, Message::kEnd);
  EXPECT_EQ(first.reason, 2);
}

// As a failed mesh does in the thread of a client: the batch that has its replies keeps them, and end() answers the rest.
TEST(RequestDesk, AnswersEachRequestOnceIfTheMeshFails) {
  RequestDesk desk;
  bool failed = false;
  const auto fail = [&failed] {
    if (failed) throw NetError("the power is out");
  };
  desk.open({[&](const auto&) { fail(); }, [&](auto) { fail(); }});
  std::vector<std::vector<Reply>> replies(3);
  for (std::size_t i = 0; i < 2; ++i) {
    desk.ask({static_cast<std::int64_t>(i)}, [&replies, i](Reply reply) { replies[i].push_back(std::move(reply)); });
  }
  EXPECT_EQ(desk.batch(), std::vector<Rows>{{0}});
  failed = true;
  desk.settle({Reply{}});
  ASSERT_EQ(replies[0].size(), 1u);
  EXPECT_EQ(replies[0][0].kind, Reply::Kind::kAnswered);
  EXPECT_TRUE(desk.stop(15));
  desk.ask({2}, [&replies](Reply reply) { replies[2].push_back(std::move(reply)); });
  desk.end("rank 2 is gone");
  for (std::size_t i = 1; i < 3; ++i) {
    ASSERT_EQ(replies[i].size(), 1u);
    EXPECT_EQ(replies[i][0].kind, Reply::Kind::kEnded);
    EXPECT_EQ(replies[i][0].why, "rank 2 is gone");
  }
  EXPECT_EQ(replies[0].size(), 1u);
}

}  // namespace
}  // namespace tacit::gnn
