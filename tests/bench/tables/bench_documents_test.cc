#include "bench/tables/documents.h"

#include <gmock/gmock.h>

#include <set>
#include <stdexcept>

#include "bench/tables/others.h"
#include "bench/tables/rank_figures.h"

namespace tacit::launcher {
namespace {

using testing::HasSubstr;

const Answered& place(const std::vector<Document>& all, const std::string& begin) {
  for (const Document& document : all) {
    for (const Answered& one : document.places) {
      if (one.place.starts_with(begin)) return one;
    }
  }
  throw std::runtime_error("there is no place " + begin);
}

TEST(Documents, AreThereWithAllTheirTablesWhereNothingIsMeasured) {
  std::set<std::string> benches;
  std::size_t rows_of_table_five = 0;
  const std::vector<Document> all = documents({});
  for (const Document& document : all) {
    EXPECT_FALSE(document.places.empty()) << document.name;
    for (const Answered& one : document.places) {
      EXPECT_NE(one.theirs, "") << one.place;
      EXPECT_EQ(one.ours, "") << one.place;
      EXPECT_EQ(one.verdict, "") << one.place << ": no verdict without a measurement";
      benches.insert(one.bench);
      if (one.place.starts_with("Table 5: ")) ++rows_of_table_five;
    }
  }
  EXPECT_EQ(rows_of_table_five, 12u);
  for (const char* bench :
       {"scaling", "two-machine", "accuracy", "divergence", "privacy", "data-parallel", "preprocessing", "gradients"}) {
    EXPECT_TRUE(benches.contains(bench)) << bench;
    EXPECT_FALSE(others(bench).empty());
  }
}

Measurements scaling(double data_of_two, double data_of_five) {
  Measurements made("scaling", "");
  Table& ranks = made.table("ranks");
  for (const auto& [parties, data] : {std::pair("2", data_of_two), std::pair("5", data_of_five)}) {
    ranks.add({{"parties", parties}, {"rank", "0"}}).figure(figure_name::kEpochData, "MB").add(data);
  }
  return made;
}

TEST(Documents, CompareNumberByNumber) {
  const auto told = [](double two, double five) {
    return place(documents({scaling(two, five)}), "Cloud nodes, figures 3 and 4: data per epoch");
  };
  const Answered less = told(0.4, 0.4);
  EXPECT_THAT(less.theirs, HasSubstr("(2), "));
  EXPECT_EQ(less.ours, "0.4 MB (2), 0.4 MB (5)");
  EXPECT_THAT(less.verdict, testing::MatchesRegex("[0-9]+ x to [0-9]+ x less here"));
  EXPECT_THAT(told(4000, 8000).verdict, testing::EndsWith("more here"));
  EXPECT_THAT(told(0.4, 8000).verdict, testing::MatchesRegex("from .* more to .* less here"));
  for (const Measurements& one : others("scaling")) {  // exactly as much
    if (!one.tables().front().name.starts_with("CrypTen, cloud")) continue;
    const auto stated = [&](const char* parties) {
      for (const Row& row : one.tables().front().rows) {
        if (row.label("parties") == parties && row.label("rank") == "0")
          return row.find(figure_name::kEpochData)->median();
      }
      return 0.0;
    };
    EXPECT_EQ(told(stated("2"), stated("5")).verdict, "as much here");
  }
}

TEST(Documents, SayWhetherALossExplodesAlone) {
  const auto told = [](const std::vector<const char*>& kinds) {
    Measurements made("divergence", "");
    for (const char* kind : kinds) made.table("trainings").add({{"beside the twin", kind}});
    return place(documents({made}), "The loss").verdict;
  };
  EXPECT_EQ(told({"trains", "diverges like the twin"}), "does not come out: sharing adds no divergence");
  EXPECT_EQ(told({"trains", "diverges alone"}), "comes out in part");
}

TEST(Documents, SetThePriceOfPrivacyBesideTheirs) {
  const auto told = [](double without, double with) {
    Measurements made("privacy", "");
    Table& costs = made.table("costs");
    costs.add({{"training", "SGD on shares"}}).figure(figure_name::kUsualTime, "s").add(without);
    costs.add({{"training", "DP-SGD on shares, owners draw"}}).figure(figure_name::kUsualTime, "s").add(with);
    return place(documents({made}), "An epoch with privacy");
  };
  EXPECT_EQ(told(1, 2).theirs, "99 x");
  EXPECT_THAT(told(1, 2).ours, HasSubstr("2.0 x"));
  EXPECT_EQ(told(1, 2).verdict, "privacy costs 50 x less here");
  EXPECT_EQ(told(1, 200).verdict, "privacy does not cost less here");
}

TEST(Documents, OfDataParallelTrainingTellSpeedUps) {
  const auto told = [](double two, double four) {
    Measurements made("data-parallel", "");
    Table& layouts = made.table("layouts");
    layouts.add({{"layout", "2x1"}}).figure("speed-up", "").add(two);
    layouts.add({{"layout", "4x1"}}).figure("speed-up", "").add(four);
    return place(documents({made}), "Speed-up over one worker, package");
  };
  EXPECT_EQ(told(2, 4).theirs, "1.99 (2 workers), 3.47 (4 workers)");
  EXPECT_EQ(told(2, 4).verdict, "comes out");
  EXPECT_THAT(told(2, 1.1).verdict, HasSubstr("share this machine's cores"));
}

TEST(Documents, RepeatTheVerdictsOnSentences) {
  Measurements made("gradients", "");
  made.table("said in the document")
      .add({{"the document", "a larger bucket takes more time"},
            {"verdict", "does not come out here"},
            {"here", "less"}});
  Table& ways = made.table("ways");
  ways.add({{"way", "buckets"}, {"batch", "4 x 64"}}).figure("time of an iteration", "s").add(0.0767883410);
  ways.add({{"way", "gather-scatter"}, {"batch", "4 x 4"}}).figure("time of an iteration", "s").add(0.125639041);
  const std::vector<Document> all = documents({made});
  const Answered times = place(all, "time of an iteration");
  EXPECT_EQ(times.verdict, "10 x less here");
  EXPECT_THAT(times.theirs, HasSubstr("(gather and scatter, batch 4 x 64)"));
  EXPECT_EQ(times.ours, "0.126 s (gather and scatter, batch 4 x 4), 0.0768 s (distributed data parallel)");
  std::size_t judged = 0;
  for (const Answered& one : all.back().places) {
    if (one.verdict != "does not come out here") continue;
    ++judged;
    EXPECT_EQ(one.theirs, "a larger bucket takes more time");
    EXPECT_EQ(one.ours, "less");
  }
  EXPECT_EQ(judged, 1u);
}

}  // namespace
}  // namespace tacit::launcher
