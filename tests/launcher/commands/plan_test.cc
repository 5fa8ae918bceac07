// `tacit plan`: its arguments, its table, its JSON.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "tests/launcher/commands/plan_of.h"

namespace tacit::launcher {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

TEST_F(PlanOf, TakesTheWholeGraphOrItsSizesWhereThereAreNoParts) {
  const Ran none = tacit({"plan", job_});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.err, AllOf(HasSubstr("the part of rank 0 is not here"), HasSubstr("--graph"), HasSubstr("--nodes")));
  make_data({"sensors", "--stations", "60"});
  const Json by_parts = tacit({"plan", job_, "--json"}).json();
  EXPECT_EQ(tacit({"plan", job_, "--graph", path("whole.npz"), "--json"}).json()["ranks"], by_parts["ranks"]);
  std::vector<std::string> words = {"plan", job_, "--json"};
  for (const char* size : {"nodes", "features", "train", "validation", "test"}) {
    words.push_back(fmt::format("--{}", size));
    words.push_back(by_parts["sizes"][size].dump());
  }
  const Json stated = tacit(words).json();
  EXPECT_EQ(stated["ranks"], by_parts["ranks"]);
  std::ranges::replace(words, std::string("--validation"), std::string("--validate"));  // the flag of `data make`
  EXPECT_EQ(tacit(words).json()["sizes"], stated["sizes"]);
  EXPECT_EQ(stated["sizes"]["at_most"], false);  // the graph is private, so it is read as a whole
}

TEST_F(PlanOfCitations, OfAnUnknownPublicGraphIsAtMost) {
  make_data({"communities", "--nodes", "2708", "--features", "1433"});
  const Json known = tacit({"plan", job_, "--json"}).json();
  const Ran stated = tacit({"plan", job_, "--json", "--nodes", "2708", "--features", "1433", "--train", "140",
                            "--validation", "500", "--test", "1000"});
  EXPECT_EQ(stated.json()["sizes"]["at_most"], true);
  EXPECT_GT(stated.json()["ranks"][0]["total"]["bytes"], known["ranks"][0]["total"]["bytes"]);
  EXPECT_EQ(stated.json()["ranks"][0]["total"]["rounds"], known["ranks"][0]["total"]["rounds"]);
}

TEST_F(PlanOf, OfASparseGraphNeedsItsEdgesAndEqualsThePlanOfItsFiles) {
  make_data({"sensors", "--stations", "60"});
  const std::vector<std::string> sparse{"--set", "data.edges=rank 1", "--set", "data.adjacency=sparse"};
  const Json by_parts = tacit(with({"plan", job_, "--json"}, sparse)).json();
  std::vector<std::string> words = with({"plan", job_, "--json"}, sparse);
  for (const char* size : {"nodes", "features", "train", "validation", "test"}) {
    words.push_back(fmt::format("--{}", size));
    words.push_back(by_parts["sizes"][size].dump());
  }
  const Ran lacking = tacit(words);
  EXPECT_EQ(lacking.exit_code, 2);
  EXPECT_THAT(lacking.err, AllOf(HasSubstr("data.adjacency"), HasSubstr("--edges")));
  const auto at_edges = [&](int edges) {
    return tacit(with(words, {"--edges", std::to_string(edges)}))
        .json()["ranks"][0]["epoch"]["bytes"]
        .get<std::int64_t>();
  };
  EXPECT_LT(at_edges(0), at_edges(100));
  EXPECT_LT(at_edges(100), at_edges(1000));
  const Ran of_owners = tacit(with(words, {"--edges", "1000", "--set", "data.edges=edges"}));
  EXPECT_EQ(of_owners.exit_code, 0) << of_owners.err;
  const Ran uncertain = tacit(with(words, {"--edges", "1000", "--set", "data.edges=any"}));
  EXPECT_EQ(uncertain.exit_code, 2);
  EXPECT_THAT(uncertain.err, AllOf(HasSubstr("data.adjacency"), HasSubstr("counts once"), HasSubstr("\"edges\"")));
  const Ran pointless =
      tacit(with(words, {"--edges", "100", "--set", "data.edges=any", "--set", "data.adjacency=dense"}));
  EXPECT_EQ(pointless.exit_code, 2);
  EXPECT_THAT(pointless.err, HasSubstr("--edges"));
}

TEST_F(PlanOf, NamesTheOtherFormOfAGraphWhereItIsCheaper) {
  const auto planned = [&](const char* nodes, const std::vector<std::string>& more) {
    return tacit(with({"plan", job_, "--nodes", nodes, "--features", "8", "--train", "40", "--test", "20", "--edges",
                       "60000", "--set", "data.edges=rank 1"},
                      more));
  };
  EXPECT_THAT(planned("20000", {}).out, HasSubstr("data.adjacency = \"sparse\" would send"));
  EXPECT_THAT(planned("20000", {"--set", "data.adjacency=sparse"}).out, Not(HasSubstr("data.adjacency")));
  EXPECT_THAT(planned("100", {"--set", "data.adjacency=sparse"}).out,
              HasSubstr("data.adjacency = \"dense\" would send"));
  EXPECT_EQ(planned("20000", {"--json"}).json()["other_adjacency"]["form"], "sparse");
  EXPECT_EQ(planned("20000", {"--json", "--set", "data.edges=edges"}).json()["other_adjacency"]["form"], "sparse");
  EXPECT_TRUE(planned("20000", {"--json", "--set", "data.edges=any"}).json()["other_adjacency"].is_null());
  EXPECT_TRUE(planned("100", {"--json"}).json()["other_adjacency"].is_null());
}

// The lists of a product are freed at its end, so ten products take hardly more memory than one.
TEST_F(PlanOf, OfASparseGraphTakesTheMemoryOfItsLargestProduct) {
  const auto memory = [&](int steps) {
    std::ofstream(job_) << fmt::format(
        "name = \"long\"\nparties = 2\ncorrelations = \"dealer\"\n"
        "data = {{ features = \"rank 0\", edges = \"rank 1\", labels = \"rank 0\", masks = \"public\", classes = 2, "
        "adjacency = \"sparse\", files = \"rank{{rank}}.npz\" }}\n"
        "model.layers = [{{ kind = \"dense\", outputs = 8 }}, {{ kind = \"propagate\", steps = {} }}, "
        "{{ kind = \"dense\", outputs = 2 }}]\n"
        "training = {{ epochs = 3, loss = \"cross-entropy\" }}\n",
        steps);
    const Ran ran = tacit({"plan", job_, "--json", "--nodes", "20000", "--features", "8", "--train", "40", "--test",
                           "20", "--edges", "1000000"});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    return ran.json()["memory"];
  };
  const Json once = memory(1), often = memory(10);
  for (const char* role : {"party", "dealer"}) {
    EXPECT_GT(once[role].get<double>(), 8 * 1020000 * 8 * 3);  // at least three lists of all rows
    EXPECT_LT(often[role].get<double>(), 1.5 * once[role].get<double>()) << role;
  }
}

TEST_F(PlanOf, WithoutADealerShowsThePartThatMakesCorrelations) {
  make_data({"sensors", "--stations", "40"});
  const std::vector<std::string> pairwise{"--set", "correlations=\"pairwise\""};
  const Ran ran = tacit(with({"plan", job_}, pairwise));
  ASSERT_EQ(ran.exit_code, 0) << ran;
  EXPECT_THAT(ran.out,
              AllOf(HasSubstr("sensors: 3 parties, which make the correlations among themselves, "),
                    ContainsRegex("rounds +rank 0 sends +rank 1 sends +rank 2 sends +making: rounds +making: sends"),
                    HasSubstr("making: the part of the rounds"), HasSubstr("before the first one, "),
                    ContainsRegex("leakage: .* about a party's masks is at most 2\\^-[0-9.]+ in 200 epochs"),
                    ContainsRegex("making: sends +leakage in 200 epochs"), ContainsRegex("5 parties .* 2\\^-[0-9.]+"),
                    Not(HasSubstr("dealer"))));
  const Json dealt = tacit({"plan", job_, "--json"}).json(),
             made = tacit(with({"plan", job_, "--json"}, pairwise)).json();
  EXPECT_EQ(dealt["correlations"], "dealer");
  EXPECT_EQ(made["correlations"], "pairwise");
  EXPECT_FALSE(made["memory"].contains("dealer"));
  EXPECT_TRUE(dealt["memory"].contains("dealer"));
  EXPECT_GT(made["ranks"][0]["start"]["bytes"], 0);
  EXPECT_FALSE(dealt["ranks"][0].contains("start"));
  EXPECT_FALSE(dealt.contains("leakage"));
  const double leakage = made["leakage"]["log2"];
  EXPECT_LT(leakage, made["leakage"]["most"]);
  EXPECT_EQ(leakage, std::log2(made["ranks"][0]["total"]["made_leakage"].get<double>()) - 90);
  for (const Json& of : made["by_parties"]) {
    const int others = of["parties"].get<int>() - 1;  // a party's answers go to all others
    EXPECT_NEAR(of["leakage"]["log2"].get<double>() - leakage, std::log2(others / 2.0), 0.3) << others;
  }
  for (const char* step : {"sharing", "epoch", "total"}) {
    for (std::size_t rank = 0; rank < 3; ++rank) {
      const Json &with_dealer = dealt["ranks"][rank][step], &without = made["ranks"][rank][step];
      EXPECT_GT(without["made_bytes"], 0) << step;
      EXPECT_GT(without["made_rounds"], 0) << step;
      EXPECT_EQ(without["dealt_bytes"], 0) << step;
      EXPECT_EQ(with_dealer["made_bytes"], 0) << step;
      EXPECT_GT(with_dealer["dealt_bytes"], 0) << step;
      // The rest is the protocols' own traffic, which does not depend on the source.
      for (const char* what : {"bytes", "rounds"}) {
        const auto made_part = without[std::string("made_") + what].get<std::int64_t>();
        EXPECT_EQ(without[what].get<std::int64_t>() - made_part, with_dealer[what].get<std::int64_t>()) << step << what;
      }
    }
  }
  EXPECT_GT(made["links"][0]["epoch_seconds"], dealt["links"][0]["epoch_seconds"]);
  for (const char* goal : {"--predict", "--serve"}) {
    const Ran other = tacit(with({"plan", job_, goal, "--set", "reveal.predictions=0"}, pairwise));
    ASSERT_EQ(other.exit_code, 0) << other;
    EXPECT_THAT(other.out, AllOf(HasSubstr("making: rounds"), HasSubstr("leakage: "), Not(HasSubstr("dealer"))))
        << goal;
  }
}

TEST_F(PlanOf, WithoutADealerRefusesEpochsThatTellTooMuchOfMasks) {
  make_data({"sensors", "--stations", "40"});
  const auto plan = [&](const std::string& epochs) {
    return tacit({"plan", job_, "--json", "--parties", "3", "--set", "correlations=\"pairwise\"", "--set",
                  "training.epochs=" + epochs});
  };
  const Ran refused = plan("100000000");
  EXPECT_EQ(refused.exit_code, 2);
  const std::string named = "Set training.epochs = ";
  ASSERT_THAT(refused.err, AllOf(HasSubstr(named), HasSubstr("2^-40"), HasSubstr("sessions of one job add up")));
  const std::string fits = std::to_string(std::stoll(refused.err.substr(refused.err.find(named) + named.size())));
  const Ran ran = plan(fits);
  ASSERT_EQ(ran.exit_code, 0) << ran;
  EXPECT_NEAR(ran.json()["leakage"]["log2"].get<double>(), -40, 0.2);
}

// Adam's first steps take more bytes at a rate that a plateau has lowered. Steps of SGD do not.
TEST_F(PlanOf, IsNotExactIfAPlateauMayLowerTheRateOfAdam) {
  make_data({"sensors", "--stations", "40"});
  for (const bool adam : {false, true}) {
    const std::string optimiser = fmt::format("training.optimiser={{kind=\"{}\"}}", adam ? "adam" : "sgd");
    const Json plan = tacit({"plan", job_, "--json", "--set", "openings=direct", "--set", optimiser, "--set",
                             "training.plateau={metric=\"loss\"}"})
                          .json();
    EXPECT_EQ(plan["exact"], !adam);
  }
}

TEST_F(PlanOf, ComparesNumbersOfPartiesAndLinks) {
  make_data({"sensors", "--stations", "40"});
  const Ran ran = tacit({"plan", job_, "--parties", "2,100", "--rtt", "10", "--bandwidth", "20"});
  EXPECT_EQ(ran.exit_code, 0) << ran;
  EXPECT_THAT(ran.out,
              AllOf(HasSubstr("100 parties"), HasSubstr("yours (10 ms, 20 Mbit/s)"), HasSubstr("WAN"),
                    HasSubstr("training loss to everyone, 200 x 1 numbers"), Not(HasSubstr("may stop early"))));
  const Json json = tacit({"plan", job_, "--parties", "2,100", "--rtt", "10", "--bandwidth", "20", "--json"}).json();
  EXPECT_EQ(json["by_parties"].size(), 2);
  EXPECT_EQ(json["links"].size(), 3);
  EXPECT_GT(json["links"][1]["seconds"], json["links"][0]["seconds"]);
  EXPECT_THAT(tacit({"plan", job_, "--parties", "1"}).err, HasSubstr("--parties"));
}

TEST_F(PlanOfPayments, TellsProgramsAllThatItTellsPeople) {
  make_data({"communities", "--nodes", "300", "--classes", "2", "--features", "24", "--words", "6", "--validate", "60",
             "--test", "100"});
  const Json plan =
      tacit({"plan", job_, "--json", "--set", "openings=direct", "--rtt", "0", "--bandwidth", "1"}).json();
  const auto stopping = std::ranges::find_if(
      plan["decisions"], [](const Json& one) { return one["reason"] == "early stopping: whether it was better"; });
  ASSERT_NE(stopping, plan["decisions"].end());
  EXPECT_EQ((*stopping)["count"], 20);
  EXPECT_EQ(plan["exact"], true);
  EXPECT_EQ(plan["may_stop_early"], true);
  EXPECT_LT(plan["links"][2]["better_epoch_seconds"], plan["links"][2]["epoch_seconds"]);
  EXPECT_EQ(tacit({"plan", job_, "--json", "--set", "openings=measured"}).json()["exact"], false);
}

TEST_F(PlanOfPayments, AdvisesOnARareClass) {
  make_data({"communities", "--nodes", "300", "--classes", "2", "--features", "24", "--words", "6", "--validate", "60",
             "--test", "100"});
  const auto advice = [&](const std::vector<std::string>& more) { return tacit(with({"plan", job_}, more)).out; };
  const std::string weights = "training.class_weights=balanced", metrics =
                                                                     "reveal.metric=[{what=\"f1\"}, "
                                                                     "{what=\"accuracy\", part=\"validation\", to=0}]";
  const auto on_metrics = HasSubstr("accuracy hides it"), on_weights = HasSubstr("class_weights = \"balanced\" makes");
  EXPECT_THAT(advice({}), AllOf(on_metrics, on_weights));
  EXPECT_THAT(advice({"--set", metrics}), AllOf(Not(on_metrics), on_weights));
  EXPECT_THAT(advice({"--set", weights, "--set", metrics}), AllOf(Not(on_metrics), Not(on_weights)));
  EXPECT_EQ(tacit({"plan", job_, "--json"}).json()["advice"].size(), 2);
}

TEST_F(PlanOf, StatedSizesNamesTheSizeThatAMetricNeeds) {
  const Ran ran = tacit({"plan", job_, "--nodes", "300", "--features", "8", "--train", "40"});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, HasSubstr("and no test data are stated: say how many with --test"));
}

// No data, and no matrix of all nodes by all nodes.
TEST_F(PlanOf, OfManyNodesFitsIntoMemoryAndTheTimeOfATest) {
  const Ran ran = tacit({"plan", job_, "--nodes", "200000", "--features", "100", "--train", "1000", "--test", "100"});
  EXPECT_EQ(ran.exit_code, 0) << ran;
  EXPECT_THAT(ran.out, ContainsRegex("memory: about [0-9.]+ GB at a party"));
}

TEST_F(PlanOf, SaysWhetherACardHelpsOnALinkAndHowMuchOfItsMemoryIsNeeded) {
  std::vector<std::string> large = {"plan",   job_,  "--nodes", "60000", "--features",  "64",    "--train",   "1000",
                                    "--test", "100", "--rtt",   "0.1",   "--bandwidth", "10000", "--threads", "1"};
  const Ran ran = tacit(large);
  EXPECT_THAT(ran.out, AllOf(HasSubstr("on yours, a GPU at each rank (--device cuda) would make an epoch about"),
                             HasSubstr("(an estimate)"), HasSubstr("memory of the GPU: at most")));
  large.push_back("--json");
  const Json json = tacit(large).json();
  EXPECT_LT(json["links"][2]["epoch_seconds_with_gpu"], 0.9 * json["links"][2]["epoch_seconds"].get<double>());
  EXPECT_GT(json["memory"]["party_on_gpu"], 16 * std::int64_t{60000} * 60000) << "Delta and a share of lambda";
  EXPECT_GT(json["memory"]["party_on_gpu"], json["memory"]["dealer_on_gpu"]);
  make_data({"sensors", "--stations", "40"});
  EXPECT_THAT(tacit({"plan", job_, "--threads", "1"}).out,
              AllOf(HasSubstr("a GPU would not make an epoch a twentieth shorter on these links"),
                    Not(HasSubstr("memory of the GPU"))));
}

TEST_F(PlanOf, TakesNoNumberThatIsNone) {
  for (const char* word : {"nan", "inf", "-nan", "1e400", "0x10", ""}) {
    EXPECT_EQ(
        tacit({"plan", job_, "--nodes", "9", "--features", "1", "--train", "5", "--rtt", word, "--bandwidth", "1"})
            .exit_code,
        2)
        << word;
  }
}

}  // namespace
}  // namespace tacit::launcher
