// The metrics that Prometheus reads from a rank.
#include "launcher/run/metrics.h"

#include <gmock/gmock.h>

#include <sstream>

namespace tacit::launcher {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

gnn::EpochEvent event_of(std::int64_t epoch) {
  gnn::EpochEvent event;
  event.epoch = epoch;
  event.cost.rounds = 15;
  event.cost.bytes = 98667;
  event.usage.seconds = 0.25;
  event.usage.cpu_seconds = 0.5;
  event.traffic.emplace();
  event.traffic->rounds = 15;
  event.traffic->peers.resize(3);
  event.traffic->peers[1].payload_sent = 98667;
  event.traffic->peers[2].payload_received = 1000;
  return event;
}

TEST(Metrics, HaveTheValuesRevealedToThisRankAndAddUpTheRest) {
  Metrics metrics("a \"job\"\n", 0, 200);
  metrics.begin("training");
  metrics.take(event_of(1));
  EXPECT_THAT(metrics.text(), AllOf(Not(HasSubstr("training_loss")), Not(HasSubstr("tacit_metric"))));
  gnn::EpochEvent second = event_of(2);
  second.loss = 0.75;
  second.readings.push_back({{gnn::Metric::kRootMeanSquaredError, gnn::Part::kTest, {}}, 11.5});
  metrics.take(second);
  metrics.checkpoint(2);
  const std::string text = metrics.text();
  for (const char* line :
       {"tacit_training_loss{run=\"a \\\"job\\\"", ",rank=\"0\"} 0.75\n", "metric=\"test rmse\"} 11.5\n",
        "phase=\"training\"} 1\n", "tacit_epochs_done{", "tacit_rounds_total{", "peer=\"1\"} 197334\n",
        "peer=\"2\"} 2000\n", "# TYPE tacit_sent_bytes_total counter\n"}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
  EXPECT_EQ(text.find('\r'), std::string::npos);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_TRUE(line.starts_with("# HELP tacit_") || line.starts_with("# TYPE tacit_") || line.starts_with("tacit_"))
        << line;
  }
}

TEST(Metrics, TellEpsilonByAdversary) {
  Metrics metrics("census", 0, 10);
  EXPECT_THAT(metrics.text(), Not(HasSubstr("epsilon")));
  metrics.privacy({{"adversaries",
                    {{{"who", "1 party, not the owner"}, {"epsilon", 0.997}},
                     {{"who", "the dealer, if it sees the revealed values"}, {"epsilon", nullptr}}}}});  // infinite
  EXPECT_THAT(metrics.text(),
              AllOf(HasSubstr("# TYPE tacit_privacy_epsilon gauge\n"),
                    HasSubstr(",adversary=\"1 party, not the owner\"} 0.997\n"), Not(HasSubstr("the dealer"))));
}

TEST(Metrics, CountTheRequestsOfAServiceByAskerAndResult) {
  Metrics metrics("sensors", 1, 200);
  EXPECT_THAT(metrics.text(), Not(HasSubstr("request")));
  using gnn::Objection;
  metrics.take(gnn::AskedTurn{
      0, {{3}, {1, 2, 4}, {7, 8}}, {-1, 2, -1}, {Objection::kNone, Objection::kTooManyNodes, Objection::kNone}});
  metrics.take(gnn::AskedTurn{1, {{3}}, {0}, {Objection::kTooOften}});
  metrics.answered(RequestResult::kAnswered, 0.25);
  metrics.answered(RequestResult::kAnswered, 0.5);
  metrics.answered(RequestResult::kBadRequest, 0);
  const std::string text = metrics.text();
  const std::string labels = "{run=\"sensors\",rank=\"1\",";
  for (const char* line :
       {"tacit_requests_total{}asker=\"0\",result=\"answered\"} 2\n",
        "tacit_requests_total{}asker=\"0\",result=\"too_many_nodes\"} 1\n",
        "tacit_requests_total{}asker=\"1\",result=\"too_often\"} 1\n", "tacit_request_nodes_total{}asker=\"0\"} 3\n",
        "tacit_own_request_seconds_sum{}result=\"answered\"} 0.75\n",
        "tacit_own_request_seconds_count{}result=\"answered\"} 2\n",
        "tacit_own_request_seconds_count{}result=\"bad_request\"} 1\n"}) {
    std::string expected = line;
    expected.replace(expected.find("{}"), 2, labels);
    EXPECT_THAT(text, HasSubstr(expected));
  }
  EXPECT_THAT(text, HasSubstr("# TYPE tacit_own_request_seconds summary\n"));
}

}  // namespace
}  // namespace tacit::launcher
