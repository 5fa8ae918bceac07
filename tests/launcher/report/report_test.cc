// `tacit report` on the command line.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <algorithm>

#include "tests/launcher/commands/command.h"
#include "tests/launcher/report/told_run.h"

namespace tacit::launcher {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::string text_of(const fs::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Report, WritesThePageIntoTheRunsFolderForItsOwnerAlone) {
  const ToldRun run;
  run.train(3);
  const Ran ran = tacit({"report", run.path()});
  EXPECT_EQ(ran.exit_code, 0) << ran;
  const fs::path page = run.path() / "report.html";
  EXPECT_EQ(ran.out, "written: " + page.string() + "\n");
  EXPECT_THAT(text_of(page), HasSubstr("<h1>told</h1>"));
  struct stat about {};
  ASSERT_EQ(::stat(page.c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 07777, 0600u);
}

TEST(Report, WritesFiguresAsFilesAndTheirNumbersAsJson) {
  const ToldRun run;
  run.train(3);
  const Ran ran =
      tacit({"report", run.path(), "--figures", run.path() / "figures", "--output", run.path() / "x.html", "--json"});
  ASSERT_EQ(ran.exit_code, 0) << ran;
  const Json json = ran.json();
  EXPECT_EQ(json["report"], (run.path() / "x.html").string());
  EXPECT_EQ(json["runs"][0]["result"], "finished");
  EXPECT_EQ(json["runs"][0]["median_epoch"]["rounds"], 7);
  EXPECT_EQ(json["runs"][0]["predictions"].size(), 8u);
  ASSERT_EQ(json["runs"][0]["ranks"].size(), 3u);
  const Json& first = json["runs"][0]["ranks"][0];
  EXPECT_EQ(first["job_digest"], "d1");
  EXPECT_EQ(first["error"], nullptr);
  EXPECT_EQ(first["sent_to"], Json::array({0.0, 300.0}));
  EXPECT_EQ(first["reveals"][0]["what"], "training loss");
  EXPECT_EQ(first["decisions"][0]["count"], 2);
  EXPECT_EQ(first["stated_by_protocol"][0]["protocol"], "mask");
  EXPECT_EQ(first["sessions"][0]["phases"][0]["phase"], "training");
  EXPECT_EQ(json["files"].size(), json["figures"].size());
  EXPECT_GE(json["files"].size(), 9u);
  EXPECT_EQ(text_of(run.path() / "figures" / "loss.csv"), "epoch,on shares\n1,1\n2,0.5\n3,0.3333333333333333\n");
  const Json& loss = json["figures"][0];
  EXPECT_EQ(loss["name"], "loss");
  EXPECT_EQ(loss["series"][0]["epoch"], Json::array({1.0, 2.0, 3.0}));
  EXPECT_EQ(loss["series"][0]["value"][1], 0.5);
}

TEST(Report, OfAFigureWithAHostileNameStaysInItsFolder) {
  const ToldRun run;
  run.started(0);
  for (int epoch = 1; epoch < 3; ++epoch) {
    run.event(0, {{"event", "epoch"},
                  {"epoch", epoch},
                  {"loss", 1},
                  {"readings", Json::array({{{"what", "test ../../../x"}, {"value", 1}},
                                            {{"what", "a ..|..|..|x"}, {"value", 1}}})}});
  }
  const Json json = tacit({"report", run.path(), "--figures", run.path() / "figures", "--json"}).json();
  for (const Json& file : json["files"]) {
    EXPECT_EQ(fs::path(file.get<std::string>()).parent_path(), run.path() / "figures") << file;
    EXPECT_TRUE(fs::exists(file.get<std::string>()));
  }
  std::vector<std::string> files = json["files"];
  std::sort(files.begin(), files.end());
  EXPECT_EQ(std::unique(files.begin(), files.end()), files.end()) << "two figures in one file";
}

TEST(Report, ComparesSeveralRunsAndRefusesTooMany) {
  const ToldRun a(2), b(3);
  a.train(2);
  b.train(4);
  const Ran ran = tacit({"report", a.path(), b.path(), "--output", a.path() / "both.html"});
  EXPECT_EQ(ran.exit_code, 0) << ran;
  EXPECT_THAT(text_of(a.path() / "both.html"), HasSubstr("Comparison of 2 runs"));
  std::vector<std::string> words = {"report"};
  for (int i = 0; i < 17; ++i) words.push_back(a.path());
  EXPECT_THAT(tacit(words).err, HasSubstr("at most 16"));
}

TEST(Report, OfNoRunIsRefusedAndLeavesNoPage) {
  const TemporaryFolder folder;
  const Ran ran = tacit({"report", folder.path()});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, HasSubstr("holds no run"));
  EXPECT_FALSE(fs::exists(folder.path() / "report.html"));
  const ToldRun run;
  run.train(1);
  EXPECT_EQ(tacit({"report", run.path(), "--output", "/nowhere/at/all.html"}).exit_code, 2);
}

}  // namespace
}  // namespace tacit::launcher
