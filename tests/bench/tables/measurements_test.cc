#include "bench/tables/measurements.h"

#include <gmock/gmock.h>

#include "net/error.h"

namespace tacit::launcher {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Measurements sample() {
  Measurements made("scaling", "tacit bench scaling");
  Table& ranks = made.table("ranks", "every rank");
  Row& first = ranks.add({{"parties", "2"}, {"rank", "0"}});
  for (const double value : {3.0, 1.0, 2.0, 10.0}) first.figure("time", "s").add(value);
  ranks.add({{"parties", "2"}, {"rank", "a \"dealer\", of all"}}).figure("rounds", "").add(15);
  Row& growth = made.table("growth").add({{"what", "time"}});
  growth.figure("exponent", "").add(0.25);
  growth.remark = "hardly, or not";
  made.aim({"bytes", "<= 1", "2", false});
  made.aim({"overlap", ">= 60 %", "no core is free", false, false});
  made.note("on a train");
  made.took(65);
  return made;
}

TEST(Samples, HaveTheMedianTheLeastAndTheMost) {
  const Samples even("s", {3, 1, 2, 10}), odd("s", {5, 1, 3});
  EXPECT_EQ(even.median(), 2.5);
  EXPECT_EQ(odd.median(), 3);
  EXPECT_EQ(even.min(), 1);
  EXPECT_EQ(even.max(), 10);
  EXPECT_EQ(even.text(), "2.5 (1..10)");
  EXPECT_EQ(Samples("s", {0.123456}).text(), "0.123");
  EXPECT_EQ(Samples("s").text(), "-");
  EXPECT_THROW(Samples("s").median(), BrokenInvariant);
}

TEST(Measurements, ComeBackFromTheirJson) {
  const Measurements made = sample();
  const Json json = Json::parse(made.json_text());
  EXPECT_EQ(json, made.json());
  const Measurements again = Measurements::from_json(json, "a.json");
  EXPECT_EQ(again.json(), json);
  EXPECT_EQ(again.text(), made.text());
  EXPECT_EQ(json["aims"][1]["met"], Json()) << "cannot be told";
  EXPECT_FALSE(again.aims()[1].told);
  EXPECT_TRUE(again.aims()[0].told);
  EXPECT_EQ(again.seconds(), 65);
  EXPECT_EQ(again.find("ranks")->rows[0].find("time")->values(), (std::vector<double>{3, 1, 2, 10}));
  EXPECT_EQ(again.find("none"), nullptr);
}

TEST(Measurements, NameTheirMachineAndCommand) {
  const Json json = sample().json();
  EXPECT_EQ(json["command"], "tacit bench scaling");
  for (const char* what : {"cpu", "cores", "memory", "kernel", "tacit", "commit"}) {
    EXPECT_TRUE(json["machine"].contains(what)) << what;
  }
  EXPECT_THAT(sample().machine(), HasSubstr("cores"));
}

TEST(Measurements, WriteARowOfJsonToALine) {
  std::istringstream lines(sample().json_text());
  int rows = 0;
  for (std::string line; std::getline(lines, line);) rows += line.find("\"labels\"") != std::string::npos;
  EXPECT_EQ(rows, 3);
}

TEST(Measurements, AreTablesForPeople) {
  const Measurements made = sample();
  EXPECT_THAT(made.find("ranks")->cells()[0], ElementsAre("parties", "rank", "time, s", "rounds"));
  EXPECT_THAT(made.find("ranks")->cells()[1], ElementsAre("2", "0", "2.5 (1..10)", "-"));
  EXPECT_EQ(made.find("ranks")->columns_of_words(), 2u);
  EXPECT_THAT(made.find("growth")->cells()[1], ElementsAre("time", "hardly, or not", "0.25"));
  EXPECT_EQ(made.find("growth")->columns_of_words(), 2u);
  EXPECT_THAT(made.text(), HasSubstr("NOT met"));
  EXPECT_THAT(made.text(), HasSubstr("on a train"));
}

TEST(Measurements, AreCsvForPrograms) {
  EXPECT_EQ(sample().find("ranks")->csv(),
            "parties,rank,time [s],time [s] min,time [s] max,time runs,rounds,rounds min,rounds max,rounds runs\n"
            "2,0,2.5,1,10,4,,,,\n"
            "2,\"a \"\"dealer\"\", of all\",,,,,15,15,15,1\n");
  EXPECT_EQ(sample().find("growth")->csv(),
            "what,exponent,exponent min,exponent max,exponent runs,remark\ntime,0.25,0.25,0.25,1,\"hardly, or not\"\n");
}

TEST(Measurements, RefuseAFileOfSomethingElse) {
  const Json good = sample().json();
  EXPECT_NO_THROW(Measurements::from_json(good, "good"));
  const auto without = [&](const char* pointer) {
    Json json = good;
    const Json::json_pointer at(pointer);
    json.at(at.parent_pointer()).erase(at.back());
    return json;
  };
  for (const char* pointer :
       {"/bench", "/command", "/tables/0/name", "/tables/0/rows/0/labels", "/tables/0/rows/0/figures",
        "/tables/0/rows/0/figures/time/runs", "/tables/0/rows/0/figures/time/unit", "/aims/0/what"}) {
    EXPECT_THROW(Measurements::from_json(without(pointer), "x"), ConfigError) << pointer;
  }
  const auto with = [&](const char* pointer, Json value) {
    Json json = good;
    json.at(Json::json_pointer(pointer)) = std::move(value);
    return json;
  };
  for (const auto& [pointer, value] :
       std::vector<std::pair<const char*, Json>>{{"/tables", 3},
                                                 {"/tables/0", "a"},
                                                 {"/tables/0/rows", Json::object()},
                                                 {"/tables/0/rows/0", Json::array()},
                                                 {"/tables/0/rows/0/labels", Json::array()},
                                                 {"/tables/0/rows/0/labels/rank", 0},
                                                 {"/tables/0/rows/0/figures/time", 1},
                                                 {"/tables/0/rows/0/figures/time/runs", Json::array()},
                                                 {"/tables/0/rows/0/figures/time/runs/0", "much"},
                                                 {"/notes", "a note"},
                                                 {"/notes/0", 1}}) {
    EXPECT_THROW(Measurements::from_json(with(pointer, value), "x"), ConfigError) << pointer;
  }
  for (const Json& json : {Json(), Json(1), Json::array(), Json::parse("{", nullptr, false)}) {
    EXPECT_THROW(Measurements::from_json(json, "x"), ConfigError) << json.type_name();
  }
}

TEST(Measurements, HaveLimitsForFilesOfOtherPeople) {
  Json many = sample().json();
  for (int i = 0; i < 100; ++i) many["tables"].push_back(many["tables"][0]);
  EXPECT_THROW(Measurements::from_json(many, "x"), ConfigError);
  Json wide = sample().json();
  for (int i = 0; i < 100; ++i) wide["tables"][0]["rows"][0]["labels"][std::to_string(i)] = "x";
  EXPECT_THROW(Measurements::from_json(wide, "x"), ConfigError);
}

}  // namespace
}  // namespace tacit::launcher
