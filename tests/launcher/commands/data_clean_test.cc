#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

#include "gnn/data/cleaning_mark.h"
#include "gnn/data/graph_file.h"
#include "gnn/data/graph_npz.h"
#include "net/error.h"
#include "tests/launcher/commands/command.h"
#include "tests/temporary_folder.h"

namespace tacit::launcher {
namespace {

using testing::HasSubstr;

constexpr const char* kRules = R"(
others = "drop"
malformed = "drop"
missing = ["NA"]
split = { validation = 0.2, test = 0.2, seed = 4 }

[columns.sex]
allowed = { Male = 1, Female = 0 }
impute = "mode"

[columns.age]
range = [0, 120]
whole = true
missing = [99]
impute = "median"

[columns.employed]
role = "class"
allowed = [0, 1]
drop = true
)";

std::string raw_table(int rows) {
  std::string table = "age,sex,note,employed\n";
  for (int row = 0; row < rows; ++row) {
    table += row % 7 == 0 ? "99," : std::to_string(20 + row % 50) + ",";
    table += row % 5 == 0 ? "NA,x," : row % 2 == 0 ? "Male,," : "Female,\"a, b\",";
    table += row % 11 == 0 ? "7\n" : row % 3 == 0 ? "1\n" : "0\n";
  }
  return table;
}

class DataClean : public testing::Test {
 protected:
  std::string file(const std::string& name) const { return folder_.path() / name; }
  std::string with(const std::string& name, const std::string& text) const {
    std::ofstream(file(name)) << text;
    return file(name);
  }
  static std::string content(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }

  TemporaryFolder folder_;
  const std::string rules_ = with("rules.toml", kRules);
  const std::string raw_ = with("raw.csv", raw_table(400));
};

TEST_F(DataClean, WritesAPartAndAccountsForAllRows) {
  const Ran ran = tacit({"data", "clean", raw_, "--rules", rules_, "--out", file("part.npz"), "--json"});
  ASSERT_EQ(ran.exit_code, 0) << ran;
  const Json told = ran.json();
  EXPECT_EQ(told["rows"], 400);
  EXPECT_EQ(told["kept"], 363);
  EXPECT_EQ(told["dropped_by"], (Json{{"employed", 37}}));
  EXPECT_EQ(told["columns"]["sex"]["by"], "mode");
  EXPECT_EQ(told["columns"]["sex"]["number"], 0);
  EXPECT_EQ(told["statistic_used"], true);
  EXPECT_EQ(told["splittable"], true);
  const gnn::GraphData part = gnn::read_graph(file("part.npz"));
  EXPECT_EQ(part.nodes, 363);
  EXPECT_EQ(part.x->cols(), 2);
  EXPECT_EQ(std::count(part.test_mask->begin(), part.test_mask->end(), true), told["split"]["test"]);
  EXPECT_EQ(tacit({"data", "show", file("part.npz")}).exit_code, 0);
  EXPECT_THAT(tacit({"data", "clean", raw_, "--rules", rules_, "--out", file("part.npz")}).err, HasSubstr("--force"));
  EXPECT_THAT(tacit({"data", "clean", raw_, "--rules", rules_}).out, HasSubstr("a statistic of the data was imputed"));
}

// A table in Latin-1: its values are invalid, and the account says why.
TEST_F(DataClean, SaysThatValuesAreNotUtf8) {
  const std::string rules = with("cities.toml", R"(
others = "drop"
[columns.id]
role = "name"
drop = true
[columns."Größe"]
range = [0, 9]
drop = true
[columns.city]
allowed = { "Köln" = 0, "Bonn" = 1 }
constant = 1
)");
  const std::string rows =
      "a,1,Bonn\nGr\xf6\xdf"
      "e,2,K\xf6ln\nc,x,\xe4\nd,3,Rom\n";
  const std::string utf8 = with("mixed.csv", "id,Größe,city\n" + rows);
  const Ran ran = tacit({"data", "clean", utf8, "--rules", rules, "--out", file("cities.npz"), "--json"});
  ASSERT_EQ(ran.exit_code, 0) << ran;
  EXPECT_EQ(ran.json()["kept"], 2);
  EXPECT_EQ(ran.json()["columns"]["id"]["not_utf8"], 1);
  EXPECT_EQ(ran.json()["columns"]["city"]["not_utf8"], 2) << "K\xf6ln, and one byte alone";
  EXPECT_FALSE(ran.json()["columns"]["Größe"].contains("not_utf8")) << "x is UTF-8";
  EXPECT_THAT(tacit({"data", "clean", utf8, "--rules", rules}).out,
              HasSubstr("city: 0 missing, 3 invalid (2 of them are not UTF-8: save the table as UTF-8)"));
  const std::string latin = with("latin.csv",
                                 "id,Gr\xf6\xdf"
                                 "e,city\n" +
                                     rows);
  EXPECT_THAT(tacit({"data", "clean", latin, "--rules", rules}).err,
              HasSubstr("id, Gr\\xf6\\xdf"
                        "e, city. The line is not UTF-8: save the table as UTF-8"));
}

// A part with two equal names could not be used, so it is not written.
TEST_F(DataClean, RefusesTwoRowsOfOneName) {
  const std::string rules =
      with("names.toml", "[columns.id]\nrole = \"name\"\ndrop = true\n[columns.x]\nrange = [0, 9]\ndrop = true\n");
  const auto clean = [&](const std::string& table) {
    return tacit({"data", "clean", with("names.csv", table), "--rules", rules, "--out", file("names.npz"), "--threads",
                  "2", "--force"});
  };
  const std::string table = "id,x\nNorth 1,1\nb,2\nc,3\n";
  EXPECT_EQ(clean(table).exit_code, 0);
  EXPECT_EQ(clean(table + "b,77\n").exit_code, 0) << "the second b is dropped";
  for (const char* again : {"b,4\n", "north  1,4\n", "\"b\",4\n", "d,4\nd,5\n"}) {
    const Ran ran = clean(table + again);
    EXPECT_EQ(ran.exit_code, 2) << again;
    EXPECT_THAT(ran.err, HasSubstr("two rows have the same name, apart from spaces and case"));
  }
  EXPECT_THAT(clean(table + "b,4\n").err, HasSubstr("bytes 15 and 23"));
  std::string many = "id,x\n";
  for (int row = 0; row < 200'000; ++row) many += "name " + std::to_string(row % 199'999) + ",1\n";
  EXPECT_THAT(clean(many).err, HasSubstr("bytes 5 and ")) << "in different pieces";
}

TEST_F(DataClean, WritesTheSameByAnyThreadsAndRanges) {
  for (const std::string ending : {".npz", ".csv"}) {
    ASSERT_EQ(
        tacit({"data", "clean", raw_, "--rules", rules_, "--out", file("one" + ending), "--threads", "1"}).exit_code,
        0);
    ASSERT_EQ(
        tacit({"data", "clean", raw_, "--rules", rules_, "--out", file("all" + ending), "--threads", "8"}).exit_code,
        0);
    EXPECT_EQ(content(file("one" + ending)), content(file("all" + ending)));
  }
  ASSERT_EQ(tacit({"data", "clean", raw_, "--rules", rules_, "--statistics", file("counts")}).exit_code, 0);
  std::string parts;
  for (const std::string range : {":3000", "3000:3001", "3001:"}) {
    const std::string part = file("part" + range + ".csv");
    const Ran ran = tacit(
        {"data", "clean", raw_, "--rules", rules_, "--out", part, "--range", range, "--statistics", file("counts")});
    ASSERT_EQ(ran.exit_code, 0) << ran;
    parts += content(part);
  }
  EXPECT_EQ(parts, content(file("one.csv")));
}

TEST_F(DataClean, WritesTheSameByMergedStatisticsOfRanges) {
  const std::vector<std::string> ranges = {":2000", "2000:4321", "4321:"};
  std::vector<std::string> merge = {"data", "merge-statistics"};
  for (const std::string& range : ranges) {
    merge.push_back(file("counts" + range));
    ASSERT_EQ(
        tacit({"data", "clean", raw_, "--rules", rules_, "--range", range, "--statistics", merge.back()}).exit_code, 0);
  }
  merge.insert(merge.end(), {"--out", file("counts")});
  const Ran merged = tacit(merge);
  ASSERT_EQ(merged.exit_code, 0) << merged;
  ASSERT_EQ(tacit({"data", "clean", raw_, "--rules", rules_, "--statistics", file("whole")}).exit_code, 0);
  const auto of_columns = [&](const std::string& name) {
    const std::string text = content(file(name));
    return text.substr(text.find("\nmissing "));
  };
  EXPECT_EQ(of_columns("counts"), of_columns("whole"));
  EXPECT_THAT(content(file("counts")),
              testing::AllOf(HasSubstr("\nranges 3 0 2000 "), HasSubstr(" 4321 "), HasSubstr(" rows 400 ")));
  EXPECT_EQ(tacit(merge).exit_code, 2) << "the file is there already";
  const std::string other = with("other.toml", "others = \"drop\"\n[columns.age]\nconstant = 1\n");
  ASSERT_EQ(tacit({"data", "clean", raw_, "--rules", other, "--statistics", file("others")}).exit_code, 0);
  EXPECT_THAT(tacit({"data", "merge-statistics", file("whole"), file("others"), "--out", file("sum")}).err,
              HasSubstr("counted by different rules"));
  EXPECT_THAT(tacit({"data", "merge-statistics", raw_, "--out", file("sum")}).err,
              HasSubstr("line 1: it does not begin as statistics"));
}

TEST_F(DataClean, RefusesWrongOptionsAndRulesWithExit2) {
  const auto error_of = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"data", "clean"});
    const Ran ran = tacit(words);
    EXPECT_EQ(ran.exit_code, 2) << ran;
    return ran.err;
  };
  const auto error_by = [&](const std::string& rules) { return error_of({raw_, "--rules", with("bad.toml", rules)}); };
  EXPECT_THAT(error_of({raw_, "--rules", rules_, "--out", file("part.txt")}), HasSubstr("ends in .npz or .csv"));
  EXPECT_THAT(error_of({raw_, "--rules", rules_, "--out", file("a.csv"), "--range", "0:10"}),
              HasSubstr("--range with --out needs --statistics"));
  EXPECT_THAT(error_of({raw_, "--rules", rules_, "--range", "10"}), HasSubstr("expected two whole numbers"));
  EXPECT_THAT(error_of({raw_, "--rules", rules_, "--range", "10:9999999"}), HasSubstr("is not in the file"));
  EXPECT_THAT(error_of({raw_, "--rules", rules_, "--out", file("a.csv"), "--rows", "1:2"}),
              HasSubstr("--rows is for a part"));
  EXPECT_THAT(error_by("others = \"drop\"\n[columns.weight]\nconstant = 1\n"),
              HasSubstr("there is no column \"weight\""));
  EXPECT_THAT(error_by("[columns.age]\nconstant = 1\n"), HasSubstr("has no rule; add its table"));
  EXPECT_THAT(error_by("[columns.age]\n"), HasSubstr("bad.toml:1"));
  EXPECT_THAT(error_by("[columns.age]\ndrop = true\nconstant = 1\n"),
              HasSubstr("needs exactly one rule for a missing"));
  EXPECT_THAT(error_by("[columns.age]\nimpute = \"average\"\n"), HasSubstr("\"mode\", \"median\", \"mean\""));
  EXPECT_THAT(error_by("[columns.age]\nalowed = [1]\n"), HasSubstr("did you mean allowed?"));
  EXPECT_THAT(error_by("[columns.age]\nallowed = [1, \"x\"]\n"), HasSubstr("numbers alone, or of texts alone"));
  EXPECT_THAT(error_by("[columns.age]\nimpute = \"mean\"\n"), HasSubstr("needs their range"));
  ASSERT_EQ(
      tacit({"data", "clean", raw_, "--rules", rules_, "--range", "0:100", "--statistics", file("some")}).exit_code, 0);
  EXPECT_THAT(error_of({raw_, "--rules", rules_, "--out", file("a.csv"), "--statistics", file("some")}),
              HasSubstr("count each range of the file once"));
  const std::string quoted = with("quoted.csv", "age,sex,employed\n1,\"Ma\nle\",1\n2,Male,0\n");
  EXPECT_THAT(error_of({quoted, "--rules", rules_, "--range", "0:30"}), HasSubstr("without --range"));
  EXPECT_THAT(tacit({"data", "clean", quoted, "--rules", rules_, "--out", file("q.npz")}).out,
              HasSubstr("one thread read it"));
}

// The part says from which table it was made, and by which numbers.
TEST_F(DataClean, MarksThePart) {
  using Imputed = gnn::CleaningMark::Imputed;
  const auto mark_by = [&](const std::string& rules, const std::string& table) {
    const Ran ran = tacit({"data", "clean", table, "--rules", rules, "--out", file("marked.npz"), "--force"});
    EXPECT_EQ(ran.exit_code, 0) << ran;
    return gnn::cleaning_mark_in(file("marked.npz")).value();
  };
  const std::string constants = with("constants.toml", "others = \"drop\"\n[columns.age]\nconstant = 30\n");
  const gnn::CleaningMark exact = mark_by(rules_, raw_), constant = mark_by(constants, raw_);
  EXPECT_EQ(exact.imputed, Imputed::kExact);
  EXPECT_EQ(constant.imputed, Imputed::kConstants);
  EXPECT_EQ(exact.table, constant.table) << "by any rules";
  const std::string complete = with("complete.csv", "age,sex,employed\n20,Male,1\n40,Female,0\n30,Male,1\n");
  EXPECT_EQ(mark_by(rules_, complete).imputed, Imputed::kConstants) << "nothing was missing";
  const std::string moved = with("moved.csv", "age,sex,employed\n40,Female,0\n30,Male,1\n20,Male,1\n");
  EXPECT_EQ(mark_by(rules_, moved).table, mark_by(rules_, complete).table) << "rows in another order";
  const std::string changed = with("changed.csv", "age,sex,employed\n20,Male,1\n40,Female,0\n30,Male,0\n");
  EXPECT_NE(mark_by(rules_, changed).table, mark_by(rules_, complete).table);
  const std::string twice = content(complete) + "20,Male,1\n";
  EXPECT_NE(mark_by(rules_, with("twice.csv", twice)).table, mark_by(rules_, complete).table);
}

TEST_F(DataClean, RefusesADamagedMark) {
  gnn::GraphData data;
  data.nodes = 2;
  data.x = gnn::Matrix::Zero(2, 1);
  std::vector<gnn::NamedArray> arrays = gnn::arrays_of(data);
  arrays.push_back({"cleaning", {}, std::vector<std::string>{"noisy"}});
  gnn::write_npz(file("bad.npz"), arrays);
  EXPECT_THROW(gnn::cleaning_mark_in(file("bad.npz")), ConfigError);
  const std::string table(32, 'a'), session(64, 'b');
  for (const std::string& text : {std::string("constants"), "exact table " + table, "noisy session " + session,
                                  "noisy table " + table + " session " + session}) {
    EXPECT_EQ(gnn::CleaningMark::parse(text).value().text(), text);
  }
  for (const std::string& text :
       {std::string(), std::string("exactly"), "exact table " + table + "a", "exact table " + session,
        "constants session " + session, "noisy table " + table, "noisy session " + table, "exact " + table}) {
    EXPECT_FALSE(gnn::CleaningMark::parse(text)) << text;
  }
}

}  // namespace
}  // namespace tacit::launcher
