#include "gnn/clean/cleaning.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cmath>
#include <fstream>
#include <random>
#include <sstream>

#include "gnn/data/graph_npz.h"
#include "gnn/data/nodes_csv.h"
#include "net/error.h"
#include "tests/gnn/clean/plain_cleaning.h"
#include "tests/temporary_folder.h"

namespace tacit::gnn {
namespace {

using Kind = PartFormat::Kind;
using Repair = CleaningColumn::Repair;
using Role = CleaningColumn::Role;
using testing::HasSubstr;
using namespace std::string_literals;

std::vector<CleaningColumn::Code> bits() { return {{"0", 0}, {"1", 1}}; }

CleaningColumn column(const std::string& name, Repair repair, double constant = 0) {
  CleaningColumn made;
  made.name = name;
  made.missing = {"NA", "?"};
  made.repair = repair;
  made.constant = constant;
  return made;
}

CleaningColumn coded(const std::string& name, Repair repair, double constant = 0) {
  CleaningColumn made = column(name, repair, constant);
  made.codes = bits();
  return made;
}

// A name, four features of different kinds, and a class.
CleaningRules mixed_rules() {
  CleaningRules rules;
  rules.drop_malformed = true;
  rules.columns.push_back(coded("sex", Repair::kMode));
  rules.columns.push_back(column("age", Repair::kMedian));
  rules.columns.back().range = {0, 120};
  rules.columns.back().whole = true;
  rules.columns.push_back(column("income", Repair::kMean));
  rules.columns.back().range = {-1000, 1000};
  rules.columns.push_back(column("height", Repair::kConstant, -2.5));
  rules.columns.back().missing.push_back("-9");
  rules.columns.push_back(coded("employed", Repair::kDrop));
  rules.columns.back().role = Role::kClass;
  rules.columns.push_back(column("person", Repair::kDrop));
  rules.columns.back().role = Role::kName;
  return rules;
}

CleaningRules coded_rules() {
  CleaningRules rules;
  rules.drop_malformed = true;
  rules.columns = {coded("a", Repair::kMode), coded("b", Repair::kConstant, 1), coded("c", Repair::kDrop)};
  rules.columns[2].role = Role::kClass;
  return rules;
}

struct Cleaned {
  bool refused = false;
  std::string error;
  CleaningStatistics counted;
  std::string bytes;  // the file
  GraphData graph;    // empty for a file without rows
  bool splittable = true;
};

std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

Cleaned cleaned(const std::string& table, const CleaningRules& rules, CleaningOptions options = {},
                Kind kind = Kind::kNpz, const CleaningStatistics* all = nullptr) {
  static const TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / (kind == Kind::kNpz ? "part.npz" : "part.csv");
  const MemorySource file("raw.csv", std::as_bytes(std::span(table)));
  Cleaned result;
  try {
    Cleaning cleaning(file, rules, options);
    result.counted = cleaning.count();
    result.splittable = cleaning.splittable();
    cleaning.write(path, kind, all != nullptr ? *all : result.counted);
    result.bytes = content_of(path);
    if (kind == Kind::kNpz && result.counted.kept > 0) result.graph = read_graph_npz(Npz(path));
  } catch (const ConfigError& error) {
    result.refused = true;
    result.error = error.what();
  }
  return result;
}

void expect_as_plain(const std::string& table, const CleaningRules& rules, const Cleaned& found) {
  SCOPED_TRACE(testing::PrintToString(table.substr(0, 300)));
  const PlainCleaning plain = clean_plainly(table, rules);
  ASSERT_EQ(found.refused, plain.refused || plain.x.empty()) << found.error;
  if (found.refused) return;
  EXPECT_EQ(found.counted.rows, plain.rows);
  EXPECT_EQ(found.counted.malformed, plain.malformed);
  ASSERT_EQ(found.graph.nodes, std::ssize(plain.x));
  for (Eigen::Index row = 0; row < found.graph.nodes; ++row) {
    const auto& x = plain.x[static_cast<std::size_t>(row)];
    for (std::size_t col = 0; col < x.size(); ++col) {
      EXPECT_NEAR((*found.graph.x)(row, static_cast<Eigen::Index>(col)), x[col], 1e-6) << row << " " << col;
    }
    EXPECT_EQ((*found.graph.classes)[static_cast<std::size_t>(row)], plain.y[static_cast<std::size_t>(row)]);
  }
  if (rules.with(Role::kName) != nullptr) {
    EXPECT_EQ(found.graph.ids, plain.names);
  }
}

const std::string kHeader = "person,sex,unused,age,income,height,employed\n";

// Rows of mixed_rules(), some of them bad.
std::string mixed_table(int rows, unsigned seed, const std::string& line_end, bool quotes) {
  std::mt19937 random(seed);
  const auto one_of = [&](const std::vector<std::string>& words) { return words[random() % words.size()]; };
  std::string table = kHeader;
  if (line_end != "\n") table.insert(table.size() - 1, "\r");
  for (int row = 0; row < rows; ++row) {
    const auto field = [&](const std::string& text) {
      const std::string spaced = random() % 9 == 0 ? " " + text + "\t" : text;
      return quotes && random() % 5 == 0 ? '"' + spaced + '"' : spaced;
    };
    table += field("person " + std::to_string(row) + (random() % 4 == 0 ? "\xc3\xa9" : ""));
    table += ',' + field(one_of({"0", "1", "1", "NA", "", "9", "1.0", "x"}));
    table += ',' + one_of({"", "z", "0"});
    table += ',' + field(one_of({"35", "36", "37", "121", "-1", "3.5", "?", "+40", "4e1"}));
    table += ',' + field(one_of({"1.25", "-7e2", "1001", "", "inf", "nan", "12", "0x1"}));
    table += ',' + field(one_of({"1", "170.5", "", "1e400", "NA", "-9", "-9.0"}));
    table += ',' + field(one_of({"0", "1", "1", "0", "0", "2", ""}));
    if (random() % 12 == 0) table += ",7";
    if (random() % 40 == 0) table += "\"";
    table += line_end;
    if (random() % 15 == 0) table += line_end;
  }
  return table;
}

TEST(Cleaning, EqualsAPlainReferenceForUglyTables) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::string table = mixed_table(60, seed, seed % 2 == 0 ? "\n" : "\r\n", seed % 4 < 2);
    if (seed % 3 == 0 && table.ends_with('\n')) table.pop_back();  // no line end at the end
    expect_as_plain(table, mixed_rules(), cleaned(table, mixed_rules()));
  }
  for (const char* table : {
           "a,b,c\n0,1,1\n",
           "a,b,c\n0,1,1",
           "a,b,c\r\n0,1,1\r\n,,0\r\n",
           "c,b,a\n1,,NA\n0,0,1\n",
           "a,b,c,d\n1,1,1,zzz\n",
           "a,b,c\n1,1\n1,1,1,1\n1,1,1\n",
           "a,b,c\n\n\n1,1,1\n\n",
           "a,b,c\n\"1\",\"0\",\"1\"\n",
           "a,b,c\n1,1,\"1\"\"\"\n0,0,0\n",
           "a,b,c\n1,\"1\"x,1\n0,0,0\n",
           "a,b,c\n1,1\"\"1,1\n0,0,0\n",
           "\xef\xbb\xbf\x61,b,c\n1,1,1\n",
           "a,b,c\n1,\r,1\n0,1,\r\n1,1,1\r",
           "\"a\",\"b\",c\n1,0,1\n",
           "a,b,c\n1,1,1\n\"\n",
           "a,b,c\n,,\n",
       }) {
    const std::string text = table;
    expect_as_plain(text.starts_with('\xef') ? text.substr(3)
                    : text.starts_with('"')  ? "a,b,c\n1,0,1\n"
                                             : text,
                    coded_rules(), cleaned(text, coded_rules()));
  }
}

TEST(Cleaning, TakesAZeroByteAsAnInvalidValue) {
  const std::string table("a,b,c\n\0,1,1\n1,1,1\n1,1\0,0\n", 25);
  const Cleaned found = cleaned(table, coded_rules());
  EXPECT_EQ(found.counted.kept, 3);
  EXPECT_EQ(found.counted.columns[0].invalid, 1);
  EXPECT_EQ(found.counted.columns[1].invalid, 1);
}

TEST(Cleaning, GivesEqualBytesForAllThreadsPiecesAndFormats) {
  for (const bool quotes : {false, true}) {
    const std::string table = mixed_table(300, 77, "\n", quotes);
    CleaningRules rules = mixed_rules();
    rules.split = {{0.2, 0.3, 5}};
    for (const Kind kind : {Kind::kNpz, Kind::kCsv}) {
      const Cleaned one = cleaned(table, rules, {}, kind);
      ASSERT_FALSE(one.refused) << one.error;
      for (const int threads : {1, 2, 3, 8}) {
        for (const std::int64_t piece : {1, 7, 100, 5000}) {
          const Cleaned other = cleaned(table, rules, {.threads = threads, .piece_bytes = piece}, kind);
          EXPECT_EQ(other.bytes, one.bytes) << threads << " threads, pieces of " << piece;
          EXPECT_EQ(text_of(other.counted), text_of(one.counted));
        }
      }
    }
  }
}

TEST(Cleaning, GivesEqualRowsForACutAtEveryByte) {
  for (const std::string& table : {mixed_table(8, 3, "\n", false), mixed_table(12, 5, "\r\n", true),
                                   "person,sex,age,income,height,employed\na,,,,,1\n\nb,1,1,1,1,0"s}) {
    const Cleaned whole = cleaned(table, mixed_rules(), {}, Kind::kCsv);
    ASSERT_FALSE(whole.refused) << whole.error;
    const auto size = std::ssize(table);
    for (std::int64_t cut = 0; cut <= size; ++cut) {
      const MemorySource file("raw.csv", std::as_bytes(std::span(table)));
      CleaningStatistics all(mixed_rules());
      for (const auto& range : {std::pair(std::int64_t{0}, cut), std::pair(cut, size)}) {
        all.add(Cleaning(file, mixed_rules(), {.range = range}).count());
      }
      CleaningStatistics all_but_ranges = all, whole_but_ranges = whole.counted;
      all_but_ranges.ranges = whole_but_ranges.ranges = {};
      EXPECT_EQ(text_of(all_but_ranges), text_of(whole_but_ranges)) << "cut at " << cut;
      std::string parts;
      for (const auto& range : {std::pair(std::int64_t{0}, cut), std::pair(cut, size)}) {
        const Cleaned part = cleaned(table, mixed_rules(), {.range = range}, Kind::kCsv, &all);
        ASSERT_FALSE(part.refused) << part.error;
        parts += part.bytes;
      }
      EXPECT_EQ(parts, whole.bytes) << "cut at " << cut;
    }
  }
}

TEST(Cleaning, ReadsQuotedLineEndsInOneThreadAndRefusesToCutThem) {
  CleaningRules rules = coded_rules();
  for (const std::string& table : {"a,b,d,c\n1,1,\"x\ny\",1\n0,0,\"\n\n\",0\n1,,z,\"1\"\n"s,
                                   "a,b,d,c\n0,1,\"1,1\n1,1,1,1\n1,1,1,1\",0\n1,1,1,1\n"s}) {
    const Cleaned one = cleaned(table, rules);
    expect_as_plain(table, rules, one);
    EXPECT_FALSE(one.splittable);
    for (const std::int64_t piece : {1, 3, 10, 1000}) {
      EXPECT_EQ(cleaned(table, rules, {.threads = 3, .piece_bytes = piece}).bytes, one.bytes);
    }
    const MemorySource file("raw.csv", std::as_bytes(std::span(table)));
    try {
      Cleaning(file, rules, {.range = {{0, std::ssize(table)}}}).count();
      FAIL();
    } catch (const ConfigError& error) {
      EXPECT_THAT(error.what(), HasSubstr("without --range"));
    }
  }
  EXPECT_THAT(cleaned("a,b,c\n1,\"1,1\n1,1,1\n", rules).error, HasSubstr("byte 6: a quoted field has no end"));
}

TEST(Cleaning, ReadsALongLineAndRefusesOneBeyondTheLimit) {
  const std::string long_field(static_cast<std::size_t>(kMostLineBytes) - 8, 'z');
  for (const int threads : {1, 3}) {
    const std::string fits = "a,b,c,d\n1,1,0,1\n1,1,1," + long_field + "\n0,1,0,z\n";
    expect_as_plain(fits, coded_rules(), cleaned(fits, coded_rules(), {.threads = threads}));
    const std::string beyond = "a,b,c,d\n1,1,0,1\n1,1,1," + long_field + "zzz\n0,1,0,z\n";
    EXPECT_THAT(cleaned(beyond, coded_rules(), {.threads = threads}).error, HasSubstr("byte 16: a line of more than"));
  }
}

TEST(Cleaning, RefusesTablesWithoutRowsOrColumns) {
  const CleaningRules rules = coded_rules();
  EXPECT_THAT(cleaned("", rules).error, HasSubstr("the file is empty"));
  EXPECT_THAT(cleaned("a,b,c\n", rules).error, HasSubstr("there are no rows"));
  EXPECT_THAT(cleaned("a,b,c", rules).error, HasSubstr("there are no rows"));
  EXPECT_THAT(
      cleaned("a,b,c\n1,1,5\n", rules).error,
      HasSubstr("no row is left of 1: dropped were 1 for column \"c\" (0 missing, 1 invalid); check the rules"));
  EXPECT_THAT(cleaned("a,b,c\n1,1,5\n1,1\n1,1,\n", rules).error,
              HasSubstr("no row is left of 3: dropped were 2 for column \"c\" (1 missing, 1 invalid), 1 for malformed "
                        "lines; check"));
  EXPECT_THAT(cleaned("a,c\n1,1\n", rules).error, HasSubstr("there is no column \"b\""));
  EXPECT_THAT(cleaned("a,b,c,b\n1,1,1,1\n", rules).error, HasSubstr("\"b\" is there twice"));
  EXPECT_THAT(cleaned("\xff\xfe\x61", rules).error, HasSubstr("UTF-16"));
  EXPECT_THAT(cleaned("a,b,c\n,1,1\nNA,1,0\n", rules).error, HasSubstr("columns.a: no kept row has a valid value"));
  CleaningRules strict = rules;
  strict.drop_other_columns = strict.drop_malformed = false;
  EXPECT_THAT(cleaned("a,b,c,d\n1,1,1,1\n", strict).error, HasSubstr("the column \"d\" has no rule"));
  EXPECT_THAT(cleaned("a;b;c\n1;1;1\n", rules).error, HasSubstr("not separated by commas: \"a;b;c\"; save the table"));
  EXPECT_THAT(cleaned("a\tb\tc\n1\t1\t1\n", rules).error, HasSubstr("not separated by commas"));
  EXPECT_THAT(cleaned("a,b,c\r1,1,1\r", rules).error, HasSubstr("lines end with CR alone; expected LF"));
  EXPECT_THAT(cleaned("a,b,c\n1,1,1\n1,1\n1\n", strict).error,
              HasSubstr("byte 12: the line has not a field for each of the 3 columns"));
  EXPECT_THAT(cleaned("a,b,c\n1,1,1\n1,1\n1\n", strict).error, HasSubstr("2 of 3 lines"));
}

TEST(Cleaning, DropsByTheFirstColumnAndCountsEachBadValue) {
  const Cleaned found = cleaned("a,b,c\n1,1,1\nNA,9,\n1,,0\n,1,1\n1,1,x\n", coded_rules());
  EXPECT_EQ(found.counted.rows, 5);
  EXPECT_EQ(found.counted.kept, 3);
  EXPECT_EQ(found.counted.columns[0].missing, 2);
  EXPECT_EQ(found.counted.columns[0].imputed, 1);
  EXPECT_EQ(found.counted.columns[1].missing, 1);
  EXPECT_EQ(found.counted.columns[1].invalid, 1);
  EXPECT_EQ(found.counted.columns[1].imputed, 1);
  EXPECT_EQ(found.counted.columns[2].dropped, 2);
}

// Draws are by the numbers of lines: a longer record, a dropped one and a malformed one leave all others in their masks.
TEST(Cleaning, WritesLogarithmsAndAColumnForEachAllowedValue) {
  CleaningRules rules;
  rules.columns = {column("amount", Repair::kConstant, 3), column("kind", Repair::kMode),
                   column("plain", Repair::kDrop)};
  rules.columns[0].range = {0, 1e6};
  rules.columns[0].log = true;
  rules.columns[1].codes = {{"a", 0}, {"b", 1}, {"B", 1}, {"c", 2}};
  rules.columns[1].numeric_codes = false;
  rules.columns[1].one_hot = true;
  rules.columns[2].range = {0, 10};
  const std::string table = "kind,plain,amount\nB,1,0\na,2,99.5\nNA,3,NA\nb,4,1e6\n?,5,-1\n";
  const Matrix expected = (Matrix(5, 5) << 0, 0, 1, 0, 1,    //
                           std::log(100.5), 1, 0, 0, 2,      //
                           std::log(4.0), 0, 1, 0, 3,        //
                           std::log(1000001.0), 0, 1, 0, 4,  //
                           std::log(4.0), 0, 1, 0, 5)
                              .finished();
  const Cleaned npz = cleaned(table, rules);
  ASSERT_FALSE(npz.refused) << npz.error;
  EXPECT_TRUE(npz.graph.x->isApprox(expected, 1e-12)) << *npz.graph.x;
  EXPECT_THAT(npz.graph.feature_names, testing::ElementsAre("amount", "kind=a", "kind=b", "kind=c", "plain"));
  const Cleaned csv = cleaned(table, rules, {}, Kind::kCsv);
  const MemorySource file("nodes.csv", std::as_bytes(std::span(csv.bytes)));
  const GraphData read = read_nodes_csv(file).data;
  EXPECT_TRUE(read.x->isApprox(expected, 1e-12)) << csv.bytes;
  EXPECT_EQ(read.feature_names, npz.graph.feature_names);
  rules.columns.erase(rules.columns.begin());
  rules.columns.pop_back();
  const Cleaned small = cleaned(table, rules);  // bytes
  EXPECT_EQ(*small.graph.x, expected.middleCols(1, 3));
}

TEST(Cleaning, MovesNoOtherRowIntoAnotherMaskForAChangedRecord) {
  CleaningRules rules = coded_rules();
  rules.split = {{0.3, 0.3, 5}};
  const auto masks = [&](const std::string& first) {
    std::string table = "a,b,c\n" + first + "\n";
    for (int row = 0; row < 200; ++row) table += row % 3 == 0 ? "1,0,1\n" : "1.0,0,0\n";
    const Cleaned found = cleaned(table, rules, {.threads = 2, .piece_bytes = 64});
    EXPECT_FALSE(found.refused) << found.error;
    std::vector<std::string> told;
    for (std::size_t row = 0; row < found.graph.train_mask->size(); ++row) {
      told.push_back((*found.graph.train_mask)[row] ? "train" : (*found.graph.val_mask)[row] ? "validation" : "test");
    }
    return std::vector<std::string>(told.end() - 200, told.end());
  };
  const std::vector<std::string> others = masks("1,1,1");
  for (const char* first : {"1.00000,1,1", "\"1\",1,1", ",1,1", "1,1,", "1,1,7", "1,1,1,1"})
    EXPECT_EQ(masks(first), others) << first;
}

TEST(Cleaning, DrawsTheSameMasksForACutAtEveryByte) {
  std::string table = mixed_table(14, 3, "\n", false);
  table.insert(table.find('\n', table.size() / 2), "\n");  // an empty line
  CleaningRules rules = mixed_rules();
  rules.split = {{0.3, 0.3, 5}};
  const Cleaned whole = cleaned(table, rules, {.piece_bytes = 30}, Kind::kCsv);
  ASSERT_FALSE(whole.refused) << whole.error;
  const auto size = std::ssize(table);
  for (std::int64_t cut = 0; cut <= size; ++cut) {
    const MemorySource file("raw.csv", std::as_bytes(std::span(table)));
    const std::array ranges = {std::pair(std::int64_t{0}, cut / 2), std::pair(cut / 2, cut), std::pair(cut, size)};
    CleaningStatistics all(rules);
    for (const auto& range : {ranges[1], ranges[2], ranges[0]})
      all.add(Cleaning(file, rules, {.range = range}).count());
    EXPECT_EQ(all.train + all.validation + all.test, 0) << "not known";
    all = parse_statistics(text_of(all), rules, "counts");
    std::string parts;
    CleaningStatistics again(rules);
    for (const auto& range : ranges) {
      const Cleaned part = cleaned(table, rules, {.range = range, .counted = all.ranges}, Kind::kCsv, &all);
      ASSERT_FALSE(part.refused) << part.error;
      parts += part.bytes;
      again.add(part.counted);
    }
    EXPECT_EQ(parts, whole.bytes) << "cut at " << cut;
    EXPECT_EQ(again.train, whole.counted.train);
    EXPECT_EQ(again.test, whole.counted.test);
    std::string blind;  // without the numbers of lines
    for (const auto& range : ranges) blind += cleaned(table, rules, {.range = range}, Kind::kCsv, &all).bytes;
    EXPECT_EQ(blind, whole.bytes) << "cut at " << cut;
  }
}

TEST(Cleaning, SplitsByNumbersOfLinesOrByAColumn) {
  std::string table = "a,b,c\n";
  for (int i = 0; i < 20000; ++i) table += "1,0,1\n";
  CleaningRules rules = coded_rules();
  rules.split = {{0.1, 0.25, 1}};
  const Cleaned drawn = cleaned(table, rules);
  EXPECT_NEAR(static_cast<double>(drawn.counted.validation), 2000, 200);  // 4.7 standard deviations
  EXPECT_NEAR(static_cast<double>(drawn.counted.test), 5000, 290);
  EXPECT_EQ(drawn.counted.train + drawn.counted.validation + drawn.counted.test, 20000);
  EXPECT_EQ(std::count(drawn.graph.val_mask->begin(), drawn.graph.val_mask->end(), true), drawn.counted.validation);
  EXPECT_EQ(std::count(drawn.graph.train_mask->begin(), drawn.graph.train_mask->end(), true), drawn.counted.train);
  rules.split->seed = 2;
  EXPECT_NE(cleaned(table, rules).graph.val_mask, drawn.graph.val_mask);
  rules.split.reset();
  rules.columns.push_back(column("part", Repair::kDrop));
  rules.columns.back().role = Role::kSplit;
  rules.columns.back().codes = split_codes();
  rules.columns.back().numeric_codes = false;
  const Cleaned told = cleaned("a,part,b,c\n1,train,1,1\n1,val,1,0\n0,none,1,1\n1,test,1,1\n1,validation,1,0\n", rules);
  EXPECT_EQ(*told.graph.train_mask, (NodeMask{true, false, false, false}));
  EXPECT_EQ(*told.graph.val_mask, (NodeMask{false, true, false, true}));
  EXPECT_EQ(*told.graph.test_mask, (NodeMask{false, false, true, false}));
}

// Between the two passes, another program makes rows malformed, cuts a quoted field, or changes a value in its place.
TEST(Cleaning, RefusesAFileThatChangesBetweenItsPasses) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "raw.csv";
  for (const char* changed : {"1\n1,0", "0,0,0", "0,\",0"}) {
    std::ofstream(path) << "a,b,c\n1,1,1\n0,0,1\n1,0,0\n";
    std::filesystem::last_write_time(path, std::filesystem::last_write_time(path) - std::chrono::seconds(10));
    const FileSource file(path);
    const CleaningRules rules = coded_rules();
    Cleaning cleaning(file, rules, {});
    const CleaningStatistics counted = cleaning.count();
    std::fstream(path, std::ios::in | std::ios::out).seekp(12) << changed;
    try {
      cleaning.write(folder.path() / "part.npz", Kind::kNpz, counted);
      FAIL() << changed;
    } catch (const ConfigError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("it changed while it was read"));
    }
  }
}

TEST(Cleaning, TakesEverySpellingOfAMissingNumber) {
  CleaningRules rules = coded_rules();
  rules.columns = {column("a", Repair::kConstant, 7), coded("b", Repair::kConstant, 1),
                   coded("c", Repair::kUnlabelled)};
  rules.columns[0].missing = {"-9", "999.0"};
  rules.columns[1].missing = {"9"};
  rules.columns[2].role = Role::kClass;
  const Cleaned found = cleaned("a,b,c\n-9.0,0,1\n999,9.0,0\n9.99e2,1.0,1\n-99,0.0,\n", rules);
  ASSERT_FALSE(found.refused) << found.error;
  EXPECT_EQ(*found.graph.x, (Matrix(4, 2) << 7, 0, 7, 1, 7, 1, -99, 0).finished());
  EXPECT_EQ(found.counted.columns[0].missing, 3);
  EXPECT_EQ(found.counted.columns[1].missing, 1);
}

TEST(Cleaning, HasARowForAnEmptyLineOfATableOfOneColumn) {
  CleaningRules rules;
  rules.columns = {coded("c", Repair::kUnlabelled)};
  rules.columns[0].role = Role::kClass;
  for (const std::string line_end : {"\n", "\r\n"}) {
    std::string table;
    for (const char* line : {"c", "1", "", "0", "\"\"", "1"}) table += line + line_end;
    EXPECT_EQ(*cleaned(table, rules).graph.classes, (std::vector<std::int64_t>{1, -1, 0, -1, 1}));
    CleaningRules dropping = rules;
    dropping.columns[0].repair = Repair::kDrop;
    expect_as_plain(table, dropping, cleaned(table, dropping));
  }
}

TEST(Cleaning, KeepsRowsWithoutALabelInNoMask) {
  CleaningRules rules = coded_rules();
  rules.columns[2].repair = Repair::kUnlabelled;
  rules.split = CleaningSplit{0.3, 0.3, 5};
  std::string table = "a,b,c\n";
  for (int row = 0; row < 60; ++row) table += row % 3 == 0 ? "1,0,\n" : row % 3 == 1 ? "0,1,1\n" : "1,1,x\n";
  const Cleaned found = cleaned(table, rules);
  ASSERT_FALSE(found.refused) << found.error;
  ASSERT_EQ(found.graph.nodes, 60);
  EXPECT_EQ(found.counted.columns[2].imputed, 40);
  EXPECT_EQ(found.counted.train + found.counted.validation + found.counted.test, 20);
  for (std::size_t row = 0; row < 60; ++row) {
    const bool labelled = row % 3 == 1;
    EXPECT_EQ((*found.graph.classes)[row], labelled ? 1 : -1);
    const int masks = (*found.graph.train_mask)[row] + (*found.graph.val_mask)[row] + (*found.graph.test_mask)[row];
    EXPECT_EQ(masks, labelled ? 1 : 0) << row;
  }
  const std::string lines = cleaned(table, rules, {}, Kind::kCsv).bytes;
  EXPECT_EQ(lines.substr(0, lines.find('\n', lines.find('\n') + 1)),
            "a,b,class,train_mask,val_mask,test_mask\n1,0,,0,0,0");

  rules.columns[2] = column("c", Repair::kUnlabelled);
  rules.columns[2].role = Role::kTarget;
  const Cleaned targets = cleaned("a,b,c\n1,1,2.5\n1,0,NA\n", rules);
  ASSERT_FALSE(targets.refused) << targets.error;
  EXPECT_EQ((*targets.graph.targets)(0, 0), 2.5);
  EXPECT_TRUE(std::isnan((*targets.graph.targets)(1, 0)));
}

// The owner of the labels may have no features.
TEST(Cleaning, MakesAPartOfLabelsAlone) {
  CleaningRules rules;
  rules.columns = {column("who", Repair::kDrop), coded("c", Repair::kDrop)};
  rules.columns[0].role = Role::kName;
  rules.columns[1].role = Role::kClass;
  rules.split = CleaningSplit{0.5, 0, 1};
  const std::string table = "who,c\nNorth,1\nSouth,0\nEast,\nWest,1\n";
  const Cleaned found = cleaned(table, rules);
  ASSERT_FALSE(found.refused) << found.error;
  EXPECT_EQ(*found.graph.ids, (std::vector<std::string>{"North", "South", "West"}));
  EXPECT_EQ(*found.graph.classes, (std::vector<std::int64_t>{1, 0, 1}));
  EXPECT_TRUE(found.graph.train_mask && found.graph.val_mask);
  EXPECT_EQ(found.graph.nodes, 3);
  EXPECT_FALSE(found.graph.x);
  const std::string lines = cleaned(table, rules, {}, Kind::kCsv).bytes;
  EXPECT_TRUE(lines.starts_with("id,class,train_mask,val_mask,test_mask\nNorth,1,")) << lines;
  rules.columns = {coded("c", Repair::kUnlabelled)};
  rules.columns[0].role = Role::kClass;
  rules.split.reset();
  EXPECT_EQ(cleaned("c,d\n1,1\n,1\n", rules, {}, Kind::kCsv).bytes, "class\n1\n\"\"\n");
  rules.columns = {column("s", Repair::kDrop)};
  rules.columns[0].role = Role::kSplit;
  rules.columns[0].codes = split_codes();
  rules.split.reset();
  EXPECT_EQ(*cleaned("s\ntrain\ntest\n", rules).graph.test_mask, (NodeMask{false, true}));
}

TEST(Cleaning, ImputesWithinABinOfTheExactStatistic) {
  std::mt19937 random(9);
  for (const Repair repair : {Repair::kMedian, Repair::kMean}) {
    CleaningRules rules = coded_rules();
    rules.columns[0] = column("a", repair);
    rules.columns[0].range = {-3, 5};
    std::string table = "a,b,c\n";
    std::vector<double> values;
    for (int i = 0; i < 1001; ++i) {
      values.push_back(static_cast<double>(random() % 8001) / 1000 - 3);
      table += std::to_string(values.back()) + ",1,1\n";
    }
    table += "9,1,1\n";
    std::sort(values.begin(), values.end());
    double sum = 0;
    for (const double value : values) sum += value;
    const double exact = repair == Repair::kMedian ? values[500] : sum / 1001;
    const Cleaned found = cleaned(table, rules);
    EXPECT_NEAR((*found.graph.x)(1001, 0), exact, repair == Repair::kMedian ? 16.0 / kCleaningBins : 1e-8);
  }
}

TEST(Cleaning, WritesCsvThatANodeFileIsReadFrom) {
  CleaningRules rules = mixed_rules();
  rules.split = {{0.25, 0.25, 3}};
  const std::string table = mixed_table(80, 12, "\n", true);
  const Cleaned npz = cleaned(table, rules);
  const Cleaned csv = cleaned(table, rules, {}, Kind::kCsv);
  const MemorySource file("nodes.csv", std::as_bytes(std::span(csv.bytes)));
  const GraphData graph = read_nodes_csv(file).data;
  EXPECT_EQ(*graph.x, *npz.graph.x);
  EXPECT_EQ(graph.classes, npz.graph.classes);
  EXPECT_EQ(graph.ids, npz.graph.ids);
  EXPECT_EQ(graph.train_mask, npz.graph.train_mask);
  EXPECT_EQ(graph.test_mask, npz.graph.test_mask);
}

TEST(Cleaning, PlacesAPartAmongTheRowsOfAllParties) {
  const std::string table = "a,b,c\n1,1,1\n0,0,0\n1,0,1\n";
  const Cleaned part = cleaned(table, coded_rules(), {.place = PartPlace{10, 20}});
  EXPECT_EQ(part.graph.nodes, 20);
  EXPECT_EQ(part.graph.own_rows, (NodeRange{10, 3}));
  EXPECT_THAT(cleaned(table, coded_rules(), {.place = PartPlace{18, 20}}).error, HasSubstr("not within the 20 rows"));
}

}  // namespace
}  // namespace tacit::gnn
