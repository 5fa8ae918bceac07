// `tacit settings` and the page docs/job-file.md; both are made from the description of the plans.
#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "launcher/job/setting_reference.h"
#include "tests/launcher/commands/command.h"
#include "tests/temporary_folder.h"

namespace tacit::launcher {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const SettingReference& setting(const std::vector<SettingReference>& all, const std::string& name) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.name == name; });
  if (found == all.end()) throw std::logic_error(name + " is not in the reference");
  return *found;
}

TEST(Settings, AreOfEveryKind) {
  std::vector<std::string> names;
  for (const SettingReference& one : setting_reference()) names.push_back(one.name);
  for (const char* name :
       {"name", "parties", "data.features", "data.files", "data.class_names", "data.edge_weights", "model.gcn.hidden",
        "model.layers[].kind", "model.layers[].rate", "training.optimiser.beta1", "training.optimiser.momentum",
        "training.schedule.factor", "training.stopping.part", "reveal.metric[].what", "audit.every", "keys.storage"}) {
    EXPECT_THAT(names, testing::Contains(name));
  }
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end()) << "each is listed once";
}

TEST(Settings, TellValuesDefaultsAndConditions) {
  const std::vector<SettingReference> all = setting_reference();
  EXPECT_TRUE(setting(all, "name").required);
  EXPECT_EQ(setting(all, "training.epochs").otherwise, "100");
  EXPECT_EQ(setting(all, "training.clip").otherwise, "") << "there is none";
  EXPECT_EQ(setting(all, "ranges.weights").otherwise, "63") << "the default of a job, not of a program";
  EXPECT_EQ(setting(all, "training.optimiser.beta2").only_with, "training.optimiser.kind = \"adam\"");
  EXPECT_EQ(setting(all, "training.optimiser.beta2").otherwise, "0.999");
  EXPECT_EQ(setting(all, "training.optimiser.rate").otherwise, "0.1");
  EXPECT_EQ(setting(all, "reveal.top").allowed, "a whole number, 1 ... 100") << "and not the two classes of a link";
  EXPECT_EQ(setting(all, "preprocessing.targets").otherwise, "\"standardise\"") << "of targets";
  EXPECT_EQ(setting(all, "model.layers[].rate").only_with, "model.layers[].kind = \"dropout\"");
  EXPECT_EQ(setting(all, "data.files").scope, gnn::Scope::kRank);
  EXPECT_EQ(setting(all, "ranges.weights").scope, gnn::Scope::kSession);
  for (const SettingReference& one : all) {
    EXPECT_FALSE(one.help.empty()) << one.name;
    EXPECT_FALSE(one.help.ends_with(".")) << one.name;
  }
}

TEST(Settings, OfATableOrOneAlone) {
  const Ran table = tacit({"settings", "training.optimiser"});
  EXPECT_EQ(table.exit_code, 0) << table;
  EXPECT_THAT(table.out, AllOf(HasSubstr("training.optimiser.kind\n"), HasSubstr("only with training.optimiser.kind"),
                               testing::Not(HasSubstr("training.epochs"))));
  const Json json = tacit({"settings", "training.epochs", "--json"}).json();
  ASSERT_EQ(json["settings"].size(), 1u);
  EXPECT_EQ(json["settings"][0]["default"], "100");
  const Json entry = tacit({"settings", "model.layers[0].outputs", "--json"}).json();
  ASSERT_EQ(entry["settings"].size(), 1u);
  EXPECT_EQ(entry["settings"][0]["name"], "model.layers[].outputs");
}

TEST(Settings, OfAnUnknownNameSuggestTheNearest) {
  const Ran ran = tacit({"settings", "training.epoch"});
  EXPECT_EQ(ran.exit_code, 2) << ran;
  EXPECT_THAT(ran.err, HasSubstr("did you mean training.epochs?"));
}

TEST(Settings, OfAJobHaveItsValuesAndTheDefaults) {
  const std::string job = TACIT_SOURCE_DIR "/examples/jobs/sensors.toml";
  const Json json = tacit({"settings", "--job", job, "--json"}).json();
  EXPECT_THAT(json["job"].get<std::string>(), AllOf(HasSubstr("edges = \"rank 1\""), HasSubstr("bits = 64")));
  EXPECT_THAT(tacit({"settings", "--job", job}).out, HasSubstr("# default"));
}

TEST(Settings, OfAJobWithAnUnknownKeySuggestTheNearest) {
  TemporaryFolder folder;
  const std::string job = (folder.path() / "job.toml").string();
  std::ofstream(job) << "name = \"try\"\n[training]\nepoch = 5\n";
  const Ran ran = tacit({"settings", "--job", job});
  EXPECT_EQ(ran.exit_code, 2) << ran;
  EXPECT_THAT(ran.err, AllOf(HasSubstr("job.toml:3"), HasSubstr("did you mean training.epochs?")));
}

TEST(Settings, AreThePageOfTheDocuments) {
  const Ran ran = tacit({"settings", "--markdown"});
  std::ifstream file(TACIT_SOURCE_DIR "/docs/job-file.md");
  std::stringstream page;
  page << file.rdbuf();
  EXPECT_EQ(page.str(), ran.out) << "make it anew: tacit settings --markdown > docs/job-file.md";
}

}  // namespace
}  // namespace tacit::launcher
