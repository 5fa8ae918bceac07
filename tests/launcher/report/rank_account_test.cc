#include "launcher/report/rank_account.h"

#include <gmock/gmock.h>

#include <sstream>

#include "launcher/json_value.h"
#include "launcher/report/measures.h"
#include "tests/launcher/report/told_run.h"

namespace tacit::launcher {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

RankAccount told_by(const std::string& events) {
  RankAccount account;
  account.parties = 2;
  std::istringstream in(events);
  read_events(in, "rank0/events.jsonl", account);
  return account;
}

std::vector<std::int64_t> epochs_of(const RankAccount& account) {
  std::vector<std::int64_t> epochs;
  for (const auto& [epoch, told] : account.epochs) epochs.push_back(epoch);
  return epochs;
}

TEST(RankAccount, HasTheNumbersOfEveryEpoch) {
  const ToldRun run(3);
  run.started(1);
  run.epoch(1, 1, 0.5);
  run.epoch(1, 2, 0.25);
  const RankAccount account = read_rank(run.rank(1), 1);
  EXPECT_EQ(account.role, "party");
  EXPECT_EQ(account.parties, 3);
  EXPECT_EQ(account.epochs_planned, 10);
  ASSERT_THAT(epochs_of(account), ElementsAre(1, 2));
  const ToldEpoch& second = account.epochs.at(2);
  EXPECT_EQ(second.loss, 0.25);
  ASSERT_EQ(second.readings.size(), 1u);
  EXPECT_EQ(second.readings[0].what, "test rmse");
  EXPECT_EQ(second.readings[0].value, 2.5);
  EXPECT_EQ(second.stated->bytes, 200);
  EXPECT_EQ(second.measured->parties.payload_sent, 200);
  EXPECT_EQ(second.measured->total.wire_sent, 220);
  EXPECT_EQ(second.measured->rounds, 7);
  EXPECT_THAT(account.sent_to, ElementsAre(200, 0, 200)) << "in both epochs";
  EXPECT_EQ(result_of(account), "running");
  EXPECT_THAT(account.complaints, IsEmpty());
}

TEST(RankAccount, PassesOverTheHalfOfALastLineWithoutAWordAndOthersWithTheirPlace) {
  const std::string epoch = R"({"event":"epoch","epoch":1,"loss":0.5})";
  EXPECT_THAT(told_by(epoch + "\n" + epoch.substr(0, 20)).complaints, IsEmpty());
  const RankAccount account =
      told_by(epoch + "\n[1]\nnothing\n\n" + R"({"event":"epoch","epoch":2,"loss":0.25})" + "\n");
  EXPECT_THAT(epochs_of(account), ElementsAre(1, 2));
  EXPECT_THAT(account.complaints,
              ElementsAre("rank0/events.jsonl:2: expected an object of JSON; the line was passed over",
                          "rank0/events.jsonl:3: expected an object of JSON; the line was passed over"));
}

TEST(RankAccount, NeverKeepsALineThatIsTooLong) {
  const std::string line = R"({"event":"epoch","epoch":1,"x":")" + std::string(2 * kMostEventLine, 'a') + "\"}\n";
  const RankAccount account = told_by(line + R"({"event":"epoch","epoch":2})" + "\n");
  EXPECT_THAT(epochs_of(account), ElementsAre(2));
  EXPECT_THAT(account.complaints, ElementsAre(HasSubstr("events.jsonl:1: a line of more than 1048576 bytes")));
}

TEST(RankAccount, OfAVeryLongRunHasItsBeginningAndSaysSo) {
  std::string text;
  for (std::size_t epoch = 1; epoch <= kMostEpochsTold + 5; ++epoch) {
    text += fmt::format("{{\"event\":\"epoch\",\"epoch\":{}}}\n", epoch);
  }
  const RankAccount account = told_by(text + "{\"event\":\"finished\"}\n");
  EXPECT_EQ(account.epochs.size(), kMostEpochsTold);
  EXPECT_EQ(result_of(account), "finished");
  EXPECT_THAT(account.complaints, ElementsAre("rank0/events.jsonl: only the first 100000 epochs are shown"));
}

TEST(RankAccount, ListsOnlySoManyComplaints) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "x\n";
  EXPECT_EQ(told_by(text).complaints.size(), kMostComplaints + 1);
}

TEST(RankAccount, TakesNumbersOfNoOtherTypeAndWithinLimitsOnly) {
  const RankAccount account = told_by(
      R"({"event":"epoch","epoch":1,"loss":"0.5","seconds":null,"peak_memory":-3,"readings":[1,{"what":"a"},{"value":1}],)"
      R"("stated":{"bytes":1e300,"rounds":2.0},"measured":{"rounds":"x","peers":{"0":5,"1":{"payload_sent":7},"x":{},)"
      R"("99999999999":{},"-1":{},"1024":{}}}})"
      "\n");
  const ToldEpoch& epoch = account.epochs.at(1);
  EXPECT_FALSE(epoch.loss);
  EXPECT_EQ(epoch.usage.seconds, 0);
  EXPECT_EQ(epoch.usage.peak_memory, 0);
  ASSERT_EQ(epoch.readings.size(), 1u);
  EXPECT_EQ(epoch.readings[0].what, "");
  EXPECT_EQ(epoch.stated->bytes, 0);
  EXPECT_EQ(epoch.stated->rounds, 2);
  EXPECT_EQ(epoch.measured->parties.payload_sent, 7);
  EXPECT_EQ(account.sent_to.size(), 2u);
}

TEST(RankAccount, OfATrainingThatWentBackHasItsBestModelUntilItGoesOn) {
  const std::string first = R"({"event":"epoch","epoch":1,"readings":[{"what":"test f1","value":0.5}]})"
                            "\n"
                            R"({"event":"epoch","epoch":2,"readings":[{"what":"test f1","value":0.25}],)"
                            R"("best":{"epoch":1,"readings":[{"what":"test f1","value":0.5}]}})"
                            "\n"
                            R"({"event":"stopped","epoch":2,"why":"training stopped early"})"
                            "\n";
  const RankAccount stopped = told_by(first);
  ASSERT_TRUE(stopped.best);
  EXPECT_EQ(stopped.best->epoch, 1);
  EXPECT_EQ(stopped.stopped, "training stopped early");
  EXPECT_EQ(result_of_reading(stopped, "test f1"), 0.5);
  const RankAccount later =
      told_by(first + R"({"event":"resumed","epoch":2})" + "\n" + R"({"event":"epoch","epoch":3,)" +
              R"("readings":[{"what":"test f1","value":0.75}]})" + "\n");
  EXPECT_FALSE(later.best);
  EXPECT_EQ(later.stopped, "");
  EXPECT_EQ(result_of_reading(later, "test f1"), 0.75);
}

TEST(RankAccount, OfAResumedRunDropsEpochsThatALaterSessionRepeats) {
  const ToldRun run;
  run.started(0);
  for (int epoch = 1; epoch <= 7; ++epoch) run.epoch(0, epoch, 1);
  run.write("rank0/events.jsonl", R"({"event":"epo)");  // killed
  run.write("rank0/events.jsonl", "\n");                // the next session ends the line
  run.started(0);
  run.event(0, {{"event", "resumed"}, {"epoch", 5}});
  run.epoch(0, 6, 0.5);
  run.finished(0);
  const RankAccount account = read_rank(run.rank(0), 0);
  EXPECT_THAT(epochs_of(account), ElementsAre(1, 2, 3, 4, 5, 6)) << "7 is gone";
  EXPECT_EQ(account.epochs.at(6).loss, 0.5);
  EXPECT_EQ(account.epochs_again, 2);
  ASSERT_EQ(account.sessions.size(), 2u);
  EXPECT_EQ(account.sessions[0].ended, "");
  EXPECT_EQ(account.sessions[0].epochs, 7);
  EXPECT_EQ(account.sessions[1].resumed_from, 5);
  EXPECT_EQ(account.sessions[1].ended, "finished");
  EXPECT_EQ(result_of(account), "finished");
  EXPECT_EQ(account.complaints.size(), 1u) << "the half line has a place, now that others follow";
}

TEST(RankAccount, OfAPredictionOrAServiceDoesNotChangeTheTraining) {
  const ToldRun run;
  run.started(0);
  for (int epoch = 1; epoch <= 3; ++epoch) run.epoch(0, epoch, 1);
  for (const char* command : {"predict", "serve"}) {
    run.event(0, {{"event", "started"}, {"command", command}});
    run.event(0, {{"event", "resumed"}, {"epoch", 2}});
    EXPECT_EQ(read_rank(run.rank(0), 0).epochs.size(), 3u);
  }
}

TEST(RankAccount, OfATrainingThatHadEndedKeepsItsLossesWhenReadingsAreToldAgain) {
  const RankAccount account = told_by(
      R"({"event":"epoch","epoch":4,"loss":0.5,"rate":0.1,"seconds":2})"
      "\n"
      R"({"event":"epoch","epoch":4,"loss":null,"rate":0.0,"seconds":1,"readings":[{"what":"test mae","value":3}]})"
      "\n");
  EXPECT_EQ(account.epochs.at(4).loss, 0.5);
  EXPECT_EQ(account.epochs.at(4).usage.seconds, 2);
  ASSERT_EQ(account.epochs.at(4).readings.size(), 1u);
  EXPECT_EQ(account.epochs.at(4).readings[0].value, 3);
}

TEST(RankAccount, SaysHowItEndedAlsoWithoutASummary) {
  EXPECT_EQ(result_of(told_by(R"({"event":"failed","error":"rank 1 is gone"})"
                              "\n")),
            "failed");
  const ToldRun run;
  run.write("rank0/summary.json", R"({"result": "interrupted", "error": "by its user"})");
  EXPECT_EQ(result_of(read_rank(run.rank(0), 0)), "interrupted");
  run.write("rank1/summary.json", "{\"result\": ");
  EXPECT_THAT(read_rank(run.rank(1), 1).complaints, ElementsAre(HasSubstr("rank1/summary.json: expected an object")));
}

}  // namespace
}  // namespace tacit::launcher
