// The doctor's report on a rank alone, on all ranks, and on missing ranks.
#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>

#include "tests/launcher/run/ranks.h"

namespace tacit::launcher {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class DoctorTest : public testing::Test {
 protected:
  net::Ended alone(int rank, const Words& more = {}) const {
    Words words{"--alone"};
    words.insert(words.end(), more.begin(), more.end());
    return net::Process(ranks_.command("doctor", rank, words)).wait(kSoon);
  }

  Ranks ranks_;
};

TEST_F(DoctorTest, MeasuresTheLinksBetweenAllRanks) {
  const std::vector<net::Ended> all = ranks_.run_all("doctor", {"--json"});
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    ASSERT_EQ(all[rank].exit_code, 0) << all[rank];
    const Json answer = Json::parse(all[rank].out);
    EXPECT_EQ(answer["ok"], true);
    ASSERT_EQ(answer["peers"].size(), Ranks::kSize - 1);
    for (const Json& peer : answer["peers"]) {
      EXPECT_NE(peer["rank"], rank);
      EXPECT_GT(peer["round_trip"], 0);
      EXPECT_LT(peer["round_trip"], 5);
      EXPECT_GT(peer["sends"], 1e5);
      EXPECT_GT(peer["receives"], 1e5);
      EXPECT_LT(std::abs(peer["clock_ahead"].get<double>()), 5);
      EXPECT_THAT(peer["about"].get<std::string>(), AllOf(HasSubstr("tacit "), HasSubstr("cores")));
    }
  }
  // Both ends report the same of a link, with directions swapped.
  const Json first = Json::parse(all[0].out)["peers"][0], second = Json::parse(all[1].out)["peers"][0];
  EXPECT_EQ(first["round_trip"], second["round_trip"]);
  EXPECT_EQ(first["sends"], second["receives"]);
  EXPECT_EQ(first["receives"], second["sends"]);
}

TEST_F(DoctorTest, SaysALineForEachThing) {
  const net::Ended ended = alone(0);
  EXPECT_EQ(ended.exit_code, 0) << ended;
  for (const char* what : {"job ", "seat ", "key ", "data ", "output ", "processor ", "AES ", "memory ", "open files ",
                           "clock ", "GPU "}) {
    EXPECT_THAT(ended.out, HasSubstr(what));
  }
  EXPECT_THAT(ended.out, AllOf(HasSubstr("all is well here"), Not(HasSubstr("WRONG"))));
  EXPECT_THAT(alone(Ranks::kDealer).out, Not(HasSubstr("data ")));  // the dealer has none
}

TEST_F(DoctorTest, NamesProblemsAndRemedies) {
  const net::Ended key = alone(1, {"--key", ranks_.path("key0")});
  EXPECT_EQ(key.exit_code, 2) << key;
  EXPECT_THAT(key.out, AllOf(HasSubstr("WRONG  seat and key"), HasSubstr("belongs to rank 0")));
  const net::Ended data = alone(1, {"--data", ranks_.path("nothing.npz")});
  EXPECT_EQ(data.exit_code, 2) << data;
  EXPECT_THAT(data.out, AllOf(HasSubstr("WRONG  data"), HasSubstr("nothing.npz"), HasSubstr("1 to mend")));
  std::ofstream(ranks_.path("out")) << "no folder";
  const net::Ended output = alone(0);
  EXPECT_EQ(output.exit_code, 2) << output;
  EXPECT_THAT(output.out, AllOf(HasSubstr("WRONG  output"), HasSubstr("no folder: choose another with --output")));
}

TEST_F(DoctorTest, NamesWhoDoesNotCome) {
  net::Process first = ranks_.start("doctor", 0, {"--deadline", "1"});
  net::Process dealer = ranks_.start("doctor", Ranks::kDealer, {"--deadline", "1"});
  const net::Ended ended = first.wait(kSoon);
  dealer.wait(kSoon);
  EXPECT_EQ(ended.exit_code, 3) << ended;
  EXPECT_THAT(ended.out, AllOf(HasSubstr("WRONG  others"), HasSubstr("WRONG  rank 1"), HasSubstr("did not come")));
  EXPECT_THAT(ended.out, HasSubstr("(dealer"));  // the link to the present rank is still measured
}

TEST_F(DoctorTest, TellsProgramsOfAFailureAndOfThoseWhoCame) {
  net::Process first = ranks_.start("doctor", 0, {"--deadline", "1", "--json"});
  net::Process dealer = ranks_.start("doctor", Ranks::kDealer, {"--deadline", "1", "--json"});
  const Json answer = Json::parse(first.wait(kSoon).out), other = Json::parse(dealer.wait(kSoon).out);
  EXPECT_EQ(answer["exit_code"], 3);
  EXPECT_THAT(answer["error"].get<std::string>(), HasSubstr("rank 1"));
  ASSERT_EQ(answer["peers"].size(), 1);
  EXPECT_EQ(answer["peers"][0]["rank"], Ranks::kDealer);
  EXPECT_EQ(answer["peers"][0]["round_trip"], other["peers"][0]["round_trip"]);
}

// The words of the doctor's own help: no address of rank 0 is given.
TEST_F(DoctorTest, AloneNeedsNoAddress) {
  net::Command here = ranks_.command("doctor", 1, {"--alone"});
  const auto master = std::find(here.arguments.begin(), here.arguments.end(), "--master");
  here.arguments.erase(master, master + 2);
  here.environment["MASTER_ADDR"] = "";
  const net::Ended ended = net::Process(here).wait(kSoon);
  EXPECT_EQ(ended.exit_code, 0) << ended;
  EXPECT_THAT(ended.out, AllOf(HasSubstr("data "), HasSubstr("output "), Not(HasSubstr("rank 0 listens"))));
  // The other checks need no key, either.
  here.arguments.insert(here.arguments.end(), {"--key", ranks_.path("nothing")});
  const net::Ended keyless = net::Process(here).wait(kSoon);
  EXPECT_EQ(keyless.exit_code, 2);
  EXPECT_THAT(keyless.out, AllOf(HasSubstr("WRONG  seat and key"), HasSubstr("data "), HasSubstr("1 to mend")));
}

TEST(DoctorWithoutJob, ExaminesTheMachineAndRefusesOptionsThatNeedAJob) {
  const auto doctor = [](Words words) {
    words.insert(words.begin(), {TACIT, "doctor"});
    return net::Process({words, {}, -1}).wait(kSoon);
  };
  const net::Ended too_long = doctor({"--output", "/tmp/" + std::string(300, 'x')});
  EXPECT_THAT(too_long.out, AllOf(HasSubstr("WRONG  output"), HasSubstr("a name of 300 bytes is too long")));
  const net::Ended ended = doctor({"--output", "/proc/nowhere"});
  EXPECT_EQ(ended.exit_code, 2) << ended;
  EXPECT_THAT(ended.out, AllOf(HasSubstr("WRONG  output"), HasSubstr("1 to mend"), Not(HasSubstr("seat"))));
  const net::Ended well = doctor({});
  EXPECT_EQ(well.exit_code, 0) << well;
  for (const char* what :
       {"memory ", "threads ", "processor ", "AES ", "open files ", "clock ", "GPU ", "all is well"}) {
    EXPECT_THAT(well.out, HasSubstr(what));
  }
  EXPECT_EQ(Json::parse(doctor({"--json"}).out)["ok"], true);
  const net::Ended cards = doctor({"--device", "cuda:999"});
  EXPECT_EQ(cards.exit_code, 2) << cards;
  EXPECT_THAT(cards.out, HasSubstr("WRONG  GPU"));
  for (const Words& words : {Words{"--alone"}, {"--rank", "1"}, {"--set", "training.epochs=1"}}) {
    const net::Ended refused = doctor(words);
    EXPECT_EQ(refused.exit_code, 2) << refused;
    EXPECT_THAT(refused.err, HasSubstr(words.front() + " requires JOB"));
  }
}

}  // namespace
}  // namespace tacit::launcher
