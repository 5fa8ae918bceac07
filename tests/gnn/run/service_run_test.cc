// A service at all ranks: its answers equal a prediction's, only the asker gets them, every party may refuse, and its end
// reaches every rank.
#include "gnn/run/service_run.h"

#include <gmock/gmock.h>

#include <future>

#include "gnn/train/range_left.h"
#include "net/wrapped_mesh.h"
#include "tests/gnn/ownership_of.h"
#include "tests/gnn/run/trained_job.h"
#include "tests/net/meshes.h"
#include "tests/sanitized.h"

namespace tacit::gnn {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

using Script = std::function<void(std::vector<RequestDesk>& desks)>;
using Adjust = std::function<void(int rank, ServiceOptions& options)>;

struct ServiceEnded {
  std::vector<std::exception_ptr> errors;  // by rank
  std::vector<ServedRun> runs;
  std::vector<std::int64_t> payload;  // sent within run_service()
  std::vector<std::int64_t> messages, rounds;
};

// Runs a service at all ranks. `script` runs beside it, with the desks of all ranks, once all are open.
ServiceEnded serve_all(const Trained& trained, const GraphData& data, const DataPlan& plan,
                       const TrainingPlan& training, const Script& script, const Adjust& adjust, net::Meshes meshes) {
  const auto ranks = static_cast<std::size_t>(trained.parties()) + 1;
  std::vector<RequestDesk> desks(ranks);
  ServiceEnded ended{{},
                     std::vector<ServedRun>(ranks),
                     std::vector<std::int64_t>(ranks),
                     std::vector<std::int64_t>(ranks),
                     std::vector<std::int64_t>(ranks)};
  std::atomic<std::size_t> open = 0;
  std::promise<void> all_open;
  std::thread beside([&] {
    if (all_open.get_future().wait_for(std::chrono::minutes(2)) == std::future_status::ready) script(desks);
  });
  std::atomic<bool> opened = false;
  ended.errors = net::errors_of_ranks(std::move(meshes), [&](net::Mesh& mesh) {
    const auto rank = static_cast<std::size_t>(mesh.rank());
    ServiceOptions options;
    options.desk = &desks[rank];
    options.on_open = [&] {
      if (++open == ranks) opened = true, all_open.set_value();
    };
    if (adjust) adjust(mesh.rank(), options);
    trained.at_rank(mesh, data, [&](net::Mesh&, const GraphData* own, const PredictionOptions& prediction) {
      const net::Traffic before = mesh.traffic();
      ended.runs[rank] = run_service(mesh, plan, training, own, prediction, options);
      const net::Traffic during = mesh.traffic() - before;
      // Messages to other parties alone: a request sends the dealer none.
      for (int peer = 0; peer < mesh.parties(); ++peer) {
        ended.payload[rank] += during.peers[static_cast<std::size_t>(peer)].payload_sent;
        ended.messages[rank] += during.peers[static_cast<std::size_t>(peer)].messages_sent;
      }
      ended.rounds[rank] = during.rounds;
    });
  });
  if (!opened) all_open.set_value();
  beside.join();
  return ended;
}

ServiceEnded serve_all(Trained& trained, const GraphData& data, const Script& script, const Adjust& adjust = {}) {
  return serve_all(trained, data, trained.job().data, trained.job().training, script, adjust,
                   net::mesh_kind("Memory").make(trained.parties(), 1));
}

void expect_no_errors(const ServiceEnded& ended) {
  for (const std::exception_ptr& error : ended.errors) EXPECT_EQ(net::message_of(error), "");
}

std::future<Reply> asked(RequestDesk& desk, const Rows& nodes) {
  auto reply = std::make_shared<std::promise<Reply>>();
  std::future<Reply> future = reply->get_future();
  desk.ask(nodes, [reply](Reply one) { reply->set_value(std::move(one)); });
  return future;
}

Reply reply_to(RequestDesk& desk, const Rows& nodes) { return asked(desk, nodes).get(); }

Matrix rows_at_nodes(const Matrix& all, const Rows& nodes) {
  Matrix some(std::ssize(nodes), all.cols());
  for (std::size_t i = 0; i < nodes.size(); ++i) some.row(static_cast<Eigen::Index>(i)) = all.row(nodes[i]);
  return some;
}

struct ServiceCase {
  const char* name;
  Job (*job)();
  bool large = false;
};

class ServiceRun : public testing::TestWithParam<ServiceCase> {};

INSTANTIATE_TEST_SUITE_P(
    Ownerships, ServiceRun,
    testing::Values(
        ServiceCase{"RowsStandardisedAcrossOwners",
                    [] { return sensors_job(ownership_of("rows", "edges", "rows", "public")); }},
        ServiceCase{"ColumnsAndASecretGraph",
                    [] { return sensors_job(ownership_of("columns", "rank 1", "rank 0", "public")); }},
        ServiceCase{"ClassesOfColumns",
                    [] {
                      Job job = communities_job(ownership_of("columns", "rank 1", "rank 0", "public"));
                      job.training.named_classes = 2;
                      job.training.probabilities_to = mpc::To::rank(1);
                      return job;
                    }},
        ServiceCase{"GraphsOfRows", [] { return pooled_job(ownership_of("rows", "edges", "rows", "public")); }},
        ServiceCase{"RowsInBlocks", [] { return many_rows_job(ownership_of("columns", "none", "rank 0", "public")); },
                    true}),
    [](const auto& tested) { return tested.param.name; });

TEST_P(ServiceRun, AnswersWithTheNumbersOfAPrediction) {
  std::vector<int> numbers{3};
  if (kSlowdown == 1) numbers = GetParam().large ? std::vector{2} : std::vector{2, 3, 5};
  for (const int parties : numbers) {
    SCOPED_TRACE(parties);
    Trained trained(GetParam().job(), parties);
    const GraphData data = other_data(trained.job().whole);
    const std::int64_t subjects = data.graphs.empty() ? data.nodes : number_of_graphs(data);
    const Rows few = {subjects - 1, 0, 3}, one = {3};
    const auto script = [&](std::vector<Reply>& replies, int stopping) {
      return [&, stopping](std::vector<RequestDesk>& desks) {
        for (const Rows& nodes : {all_rows(subjects), few, one, few}) replies.push_back(reply_to(desks[1], nodes));
        desks[static_cast<std::size_t>(stopping)].stop(15);
      };
    };
    std::vector<Reply> first, again;
    const ServiceEnded ended = serve_all(trained, data, script(first, 1));
    expect_no_errors(ended);
    ASSERT_EQ(first.size(), 4u);
    const Predictions expected = trained.predicted(data)[1].predictions;
    expect_no_errors(serve_all(trained, data, script(again, parties)));  // the dealer ends it
    for (const std::vector<Reply>* replies : {&first, &again}) {
      for (const auto& [place, nodes] : {std::pair(0, all_rows(subjects)), {1, few}, {2, one}, {3, few}}) {
        const Reply& reply = replies->at(static_cast<std::size_t>(place));
        ASSERT_EQ(reply.kind, Reply::Kind::kAnswered) << reply.why;
        EXPECT_EQ(reply.predictions.values.value(), rows_at_nodes(*expected.values, nodes));
        EXPECT_EQ(reply.predictions.probabilities.has_value(), expected.probabilities.has_value());
        if (expected.probabilities) {
          EXPECT_EQ(*reply.predictions.probabilities, rows_at_nodes(*expected.probabilities, nodes));
        }
      }
    }
    for (int rank = 0; rank < parties; ++rank) {
      const ServedRun& run = ended.runs[static_cast<std::size_t>(rank)];
      EXPECT_EQ(run.served.requests, 4);
      EXPECT_EQ(run.served.nodes, subjects + 7);
      EXPECT_EQ(run.served.ended_by, 1);
      EXPECT_EQ(run.served.reason, 15);
      EXPECT_FALSE(run.run.predictions.any());
    }
    EXPECT_EQ(ended.runs.back().served.turns, 0) << "the dealer learns of no request";
  }
}

Trained trained_sensors(int parties, const char* labels = "rank 0") {
  return Trained(sensors_job(ownership_of("columns", "rank 1", labels, "public")), parties);
}

// The first service computes the shares. The second opens nothing, and the third answers two turns of two ranks.
TEST(Service, MeasuresWhatATurnStates) {
  for (const int parties : {2, 3, 5}) {
    SCOPED_TRACE(parties);
    Trained trained = trained_sensors(parties);
    trained.job().training.predictions_to = mpc::To::everyone();
    const GraphData data = other_data(trained.job().whole);
    const auto nothing = [](std::vector<RequestDesk>& desks) { desks[0].stop(2); };
    const ServiceEnded first = serve_all(trained, data, nothing);
    expect_no_errors(first);
    const ServiceEnded idle = serve_all(trained, data, nothing);
    const ServiceEnded busy = serve_all(trained, data, [](std::vector<RequestDesk>& desks) {
      reply_to(desks[0], {4});
      reply_to(desks[1], {1, 2, 0});
      desks[0].stop(2);
    });
    expect_no_errors(idle);
    expect_no_errors(busy);
    for (std::size_t rank = 0; rank < static_cast<std::size_t>(parties); ++rank) {
      // The comparison at the end is beyond the plan, as the plan is for one request of many.
      const mpc::Cost ready = trained.planned_service_cost(data, 0, 1, static_cast<int>(rank)).ready.cost;
      EXPECT_EQ(first.runs[rank].run.cost.rounds, ready.rounds + 1);
      EXPECT_EQ(first.runs[rank].run.cost.dealt_bytes, ready.dealt_bytes);
      const mpc::Cost stated = busy.runs[rank].run.cost - idle.runs[rank].run.cost + busy.runs[rank].served.cost;
      EXPECT_EQ(busy.payload[rank] - idle.payload[rank], stated.bytes) << rank;
      EXPECT_EQ(busy.messages[rank] - idle.messages[rank], stated.messages) << rank;
      EXPECT_EQ(busy.rounds[rank] - idle.rounds[rank], stated.rounds) << rank;
      EXPECT_EQ(stated.rounds, 3 + 4);
      const mpc::Cost planned = trained.planned_service_cost(data, 0, 1, static_cast<int>(rank)).request.cost +
                                trained.planned_service_cost(data, 1, 3, static_cast<int>(rank)).request.cost;
      EXPECT_EQ(stated, planned) << rank;
      EXPECT_EQ(stated.dealt_bytes, 0);
    }
    EXPECT_EQ(busy.payload.back(), idle.payload.back());
  }
}

// A refused turn opens nothing, and compares the transcripts in a round of its own.
TEST(Service, MeasuresWhatARefusedTurnStates) {
  for (const int parties : {2, 3, 5}) {
    SCOPED_TRACE(parties);
    Trained trained = trained_sensors(parties);
    const GraphData data = other_data(trained.job().whole);
    const auto limited = [](int rank, ServiceOptions& options) {
      if (rank == 0) options.limits.nodes_per_request = 2;
    };
    const auto nothing = [](std::vector<RequestDesk>& desks) { desks[0].stop(2); };
    expect_no_errors(serve_all(trained, data, nothing));
    const ServiceEnded idle = serve_all(trained, data, nothing, limited);
    const ServiceEnded busy = serve_all(
        trained, data,
        [](std::vector<RequestDesk>& desks) {
          EXPECT_EQ(reply_to(desks[1], {1, 2, 0}).kind, Reply::Kind::kRefused);
          desks[0].stop(2);
        },
        limited);
    expect_no_errors(idle);
    expect_no_errors(busy);
    for (std::size_t rank = 0; rank < static_cast<std::size_t>(parties); ++rank) {
      const mpc::Cost stated = busy.runs[rank].run.cost - idle.runs[rank].run.cost + busy.runs[rank].served.cost;
      EXPECT_EQ(busy.payload[rank] - idle.payload[rank], stated.bytes) << rank;
      EXPECT_EQ(busy.messages[rank] - idle.messages[rank], stated.messages) << rank;
      EXPECT_EQ(busy.rounds[rank] - idle.rounds[rank], stated.rounds) << rank;
      EXPECT_EQ(stated.rounds, 3 + 1);
      const mpc::Cost turn =
          cost_of_turn({ServiceMessage::Kind::kRequests, 1, 0, {{1, 2, 0}}}, parties, static_cast<int>(rank));
      EXPECT_EQ(stated.bytes - turn.bytes, (parties - 1) * (parties > 2 ? 32 : 16));
    }
  }
}

// The numbers of predictions that were revealed, in all sessions so far.
std::int64_t revealed_of(const ServiceEnded& ended, std::size_t rank) {
  std::int64_t revealed = 0;
  for (const mpc::Reveal& reveal : ended.runs[rank].run.reveals) {
    if (reveal.reason == "predictions") revealed += reveal.elements;
  }
  return revealed;
}

TEST(Service, IsRefusedByEachPartysLimits) {
  Trained trained = trained_sensors(3);
  const GraphData data = other_data(trained.job().whole);
  const ServiceEnded before = serve_all(trained, data, [](std::vector<RequestDesk>& desks) { desks[0].stop(2); });
  std::vector<Reply> replies;
  std::vector<std::vector<AskedTurn>> turns(4);
  const ServiceEnded ended = serve_all(
      trained, data,
      [&](std::vector<RequestDesk>& desks) {
        for (const Rows& nodes : {Rows{1, 2, 3, 4}, Rows{5}, Rows{6, 7}, Rows{8}, Rows{9}}) {
          replies.push_back(reply_to(desks[1], nodes));
        }
        desks[2].stop(2);
      },
      [&](int rank, ServiceOptions& options) {
        if (rank == 0) options.limits.nodes_per_request = 3;
        if (rank == 2) options.limits.requests_per_minute = 3;
        options.on_turn = [&turns, rank](const AskedTurn& turn) {
          turns[static_cast<std::size_t>(rank)].push_back(turn);
        };
      });
  expect_no_errors(ended);
  EXPECT_EQ(replies.at(0).kind, Reply::Kind::kRefused);
  EXPECT_EQ(
      replies[0].why,
      "rank 0 takes part in requests for at most 3 nodes (serve.nodes_per_request there), and this request names 4: "
      "ask for fewer nodes at a time");
  EXPECT_EQ(replies[0].again_after, 0);
  for (std::size_t i = 1; i < 4; ++i) EXPECT_EQ(replies.at(i).kind, Reply::Kind::kAnswered) << replies[i].why;
  EXPECT_EQ(replies.at(4).kind, Reply::Kind::kRefused);
  EXPECT_THAT(replies[4].why, HasSubstr("rank 2 takes part in at most 3 requests of one rank in a minute"));
  EXPECT_GT(replies[4].again_after, 0);
  EXPECT_LE(replies[4].again_after, 60);
  for (std::size_t rank = 0; rank < 3; ++rank) {
    EXPECT_EQ(ended.runs[rank].served.requests, 3);
    EXPECT_EQ(ended.runs[rank].served.refused, 2);
    ASSERT_EQ(turns[rank].size(), 5u);
    EXPECT_EQ(turns[rank][0].asker, 1);
    EXPECT_THAT(turns[rank][0].refused_by, ElementsAre(0));
    EXPECT_THAT(turns[rank][2].requests, ElementsAre(Rows{6, 7}));
    EXPECT_THAT(turns[rank][4].refused_by, ElementsAre(2));
    EXPECT_EQ(revealed_of(ended, rank) - revealed_of(before, rank), 4) << "nothing of a refused request is opened";
  }
}

// While a turn is under way, further requests become one batch. Each gets its own rows.
TEST(Service, AnswersManyRequestsOfAllRanksInOrder) {
  Trained trained = trained_sensors(3);
  trained.job().training.predictions_to = mpc::To::everyone();
  const GraphData data = other_data(trained.job().whole);
  constexpr int kRequests = 200;
  std::vector<std::vector<Matrix>> answers(3);
  const ServiceEnded ended = serve_all(trained, data, [&](std::vector<RequestDesk>& desks) {
    std::vector<std::vector<std::future<Reply>>> waiting(3);
    for (int i = 0; i < kRequests; ++i) {
      for (std::size_t rank = 0; rank < 3; ++rank) {
        waiting[rank].push_back(asked(desks[rank], {i % data.nodes, (i + 7) % data.nodes}));
      }
    }
    for (std::size_t rank = 0; rank < 3; ++rank) {
      for (std::future<Reply>& one : waiting[rank]) answers[rank].push_back(one.get().predictions.values.value());
    }
    desks[1].stop(2);
  });
  expect_no_errors(ended);
  const Matrix all = *trained.predicted(data)[2].predictions.values;
  for (const std::vector<Matrix>& of_rank : answers) {
    ASSERT_EQ(of_rank.size(), static_cast<std::size_t>(kRequests));
    for (int i = 0; i < kRequests; ++i) {
      EXPECT_EQ(of_rank[static_cast<std::size_t>(i)], rows_at_nodes(all, {i % data.nodes, (i + 7) % data.nodes}));
    }
  }
  EXPECT_EQ(ended.runs[0].served.requests, 3 * kRequests);
  EXPECT_LT(ended.runs[0].served.turns, 3 * kRequests);
}

TEST(Service, OutlastsAQuietTime) {
  Trained trained = trained_sensors(2);
  const GraphData data = other_data(trained.job().whole);
  std::optional<Reply> reply;
  expect_no_errors(serve_all(
      trained, data,
      [&](std::vector<RequestDesk>& desks) {
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
        reply = reply_to(desks[1], {2});
        desks[2].stop(2);
      },
      [](int, ServiceOptions& options) { options.quiet = std::chrono::milliseconds(10); }));
  EXPECT_EQ(reply.value().kind, Reply::Kind::kAnswered);
}

TEST(Service, OfARankThatMayNotAskOrOfANodeThatNobodyHasEndsWithTheCulprit) {
  Trained trained = trained_sensors(2);
  const GraphData data = other_data(trained.job().whole);
  for (const auto& [rank, node, says] :
       {std::tuple(0, std::int64_t{1}, "rank 0 asks for predictions that the job does not reveal to it"),
        std::tuple(2, std::int64_t{1}, "rank 2 asks for predictions that the job does not reveal to it"),
        std::tuple(1, data.nodes, "rank 1 asks for predictions of a node that the data do not have")}) {
    std::optional<Reply> reply;
    const ServiceEnded ended = serve_all(trained, data, [&, at = rank, which = node](std::vector<RequestDesk>& desks) {
      reply = reply_to(desks[static_cast<std::size_t>(at)], {which});
    });
    for (const std::exception_ptr& error : ended.errors) EXPECT_THAT(net::message_of(error), HasSubstr(says));
    ASSERT_TRUE(reply);
    EXPECT_EQ(reply->kind, Reply::Kind::kEnded);
    EXPECT_THAT(reply->why, HasSubstr(says));
  }
}

// Rank 0 shows one rank another node than it got from the asker.
net::Meshes showing_another_node(net::Meshes meshes, int deceived) {
  class OtherNode final : public net::WrappedChannel {
   public:
    using WrappedChannel::WrappedChannel;
    void post(net::Stream stream, net::ConstBytes message) override {
      std::vector<std::byte> shown(message.begin(), message.end());
      constexpr std::size_t kOneNode = 16;  // bytes: the number of nodes, and the node
      if (stream == kFromRank0 && shown.size() == kOneNode) shown[8] ^= std::byte{1};
      WrappedChannel::post(stream, shown);
    }
  };
  meshes[0] = net::wrapped(std::move(meshes[0]), [deceived](net::Channel& inner, net::Mesh&) {
    return inner.peer() == deceived ? std::make_unique<OtherNode>(inner) : std::make_unique<net::WrappedChannel>(inner);
  });
  return meshes;
}

TEST(Service, RevealsNothingIfRank0ShowsTwoRanksDifferentRequests) {
  for (const auto& [deceived, says] : {std::pair(1, "rank 0 announced requests of rank 1 that this rank did not make"),
                                       std::pair(2, "has other requests of rank 1 than rank")}) {
    Trained trained = trained_sensors(3);
    const GraphData data = other_data(trained.job().whole);
    std::optional<Reply> reply;
    const ServiceEnded ended = serve_all(
        trained, data, trained.job().data, trained.job().training,
        [&](std::vector<RequestDesk>& desks) { reply = reply_to(desks[1], {4}); }, {},
        showing_another_node(net::mesh_kind("Memory").make(3, 1), deceived));
    for (const std::exception_ptr& error : ended.errors) EXPECT_THAT(net::message_of(error), HasSubstr(says));
    EXPECT_EQ(reply.value().kind, Reply::Kind::kEnded);
  }
}

// Rank 2 sends one party another objection to a request than it sends the others.
net::Meshes telling_another_objection(net::Meshes meshes, int deceived) {
  class OtherObjection final : public net::WrappedChannel {
   public:
    using WrappedChannel::WrappedChannel;
    net::Transfer send(net::Stream stream, std::span<const net::ConstBytes> pieces) override {
      constexpr std::size_t kOneObjection = 57;  // bytes: the last one is the objection
      if (pieces.size() != 1 || pieces[0].size() != kOneObjection) return WrappedChannel::send(stream, pieces);
      shown_.assign(pieces[0].begin(), pieces[0].end());
      shown_.back() ^= std::byte{1};
      const net::ConstBytes piece = shown_;
      return WrappedChannel::send(stream, std::span(&piece, 1));
    }

   private:
    std::vector<std::byte> shown_;
  };
  meshes[2] = net::wrapped(std::move(meshes[2]), [deceived](net::Channel& inner, net::Mesh&) {
    return inner.peer() == deceived ? std::make_unique<OtherObjection>(inner)
                                    : std::make_unique<net::WrappedChannel>(inner);
  });
  return meshes;
}

// Rank 1 asks. If rank 0 refuses the request too, no rank opens anything, and the lie would change only the accounts.
TEST(Service, FindsAPartyThatTellsTwoOthersDifferentObjections) {
  for (const int deceived : {0, 1}) {
    for (const bool refused : {false, true}) {
      SCOPED_TRACE(testing::Message() << deceived << (refused ? ", refused" : ""));
      Trained trained = trained_sensors(3);
      const GraphData data = other_data(trained.job().whole);
      std::optional<Reply> reply;
      const ServiceEnded ended = serve_all(
          trained, data, trained.job().data, trained.job().training,
          [&](std::vector<RequestDesk>& desks) {
            reply = reply_to(desks[1], {4, 5});
          },
          [&](int rank, ServiceOptions& options) {
            if (refused && rank == 0) options.limits.nodes_per_request = 1;
          },
          telling_another_objection(net::mesh_kind("Memory").make(3, 1), deceived));
      for (const std::exception_ptr& error : ended.errors) {
        EXPECT_THAT(net::message_of(error), HasSubstr("did not see the same opened values"));
      }
      EXPECT_EQ(reply.value().kind, Reply::Kind::kEnded);
    }
  }
}

TEST(Service, EndsAtAllRanksIfOneIsLost) {
  for (const int lost : {0, 2}) {
    Trained trained = trained_sensors(3);
    const GraphData data = other_data(trained.job().whole);
    std::optional<Reply> first, second, late;
    const ServiceEnded ended = serve_all(
        trained, data,
        [&](std::vector<RequestDesk>& desks) {
          first = reply_to(desks[1], {1});
          second = reply_to(desks[1], {2});
          late = reply_to(desks[1], {3});
        },
        [&](int rank, ServiceOptions& options) {
          if (rank != lost) return;
          options.on_turn = [turns = std::make_shared<int>(0)](const AskedTurn&) {
            if (++*turns == 2) throw NetError("the power is out");
          };
        });
    for (const std::exception_ptr& error : ended.errors) {
      EXPECT_THAT(net::message_of(error), HasSubstr("the power is out"));
    }
    EXPECT_EQ(first.value().kind, Reply::Kind::kAnswered);
    for (const std::optional<Reply>& reply : {second, late}) {
      EXPECT_EQ(reply.value().kind, Reply::Kind::kEnded);
      EXPECT_THAT(reply->why, HasSubstr("the power is out"));
    }
  }
}

TEST(Service, RevealsNothingOfDataThatLeaveARange) {
  Trained trained(sensors_job(ownership_of("rows", "edges", "rows", "public")), 2);
  GraphData far = other_data(trained.job().whole);
  (*far.x)(2, 1) *= 1e3;
  const ServiceEnded ended = serve_all(trained, far, [](std::vector<RequestDesk>& desks) { desks[0].stop(2); });
  for (int rank = 0; rank < 2; ++rank) {
    EXPECT_THAT(net::message_of(ended.errors[static_cast<std::size_t>(rank)]),
                HasSubstr("nothing is revealed: the data are unlike the training's data"));
  }
}

TEST(RequestLimits, CountTheLastMinuteOfEachRank) {
  RequestLimiter limiter({.requests_per_minute = 3, .nodes_per_request = 10}, 2);
  const auto begin = RequestLimiter::Clock::now();
  const auto at = [&](int seconds) { return begin + std::chrono::seconds(seconds); };
  const std::vector<std::int64_t> two = {10, 1}, many = {1, 11, 1, 1};
  EXPECT_THAT(limiter.judge(0, two, at(0)), Each(Objection::kNone));
  limiter.count(0, 2, at(0));
  EXPECT_THAT(limiter.judge(0, many, at(10)),
              ElementsAre(Objection::kNone, Objection::kTooManyNodes, Objection::kTooOften, Objection::kTooOften));
  EXPECT_THAT(limiter.judge(1, two, at(10)), Each(Objection::kNone));
  limiter.count(0, 1, at(10));
  EXPECT_EQ(limiter.seconds_to_wait(0, 0, at(20)), 40);
  EXPECT_EQ(limiter.seconds_to_wait(1, 0, at(20)), 0);
  EXPECT_EQ(limiter.seconds_to_wait(1, 2, at(20)), 0);
  EXPECT_EQ(limiter.seconds_to_wait(1, 3, at(20)), 60) << "the three of this batch fill the minute";
  EXPECT_THAT(limiter.judge(0, two, at(61)), Each(Objection::kNone));
  EXPECT_EQ(limiter.seconds_to_wait(0, 0, at(61)), 0);
}

}  // namespace
}  // namespace tacit::gnn
