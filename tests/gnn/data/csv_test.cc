#include "gnn/data/csv.h"

#include <gmock/gmock.h>

#include <clocale>

#include "gnn/data/csv_values.h"
#include "tests/gnn/data/refusal.h"

namespace tacit::gnn {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using Table = std::vector<std::vector<std::string>>;

Table table_of(std::string_view text) {
  const MemorySource file("a.csv", std::as_bytes(std::span(text)));
  CsvReader csv(file);
  Table table = {csv.columns()};
  while (csv.next()) {
    table.emplace_back();
    for (std::size_t column = 0; column < csv.columns().size(); ++column) table.back().emplace_back(csv.field(column));
  }
  return table;
}

const Table kTable = {{"a", "b"}, {"1", "x"}, {"2", ""}};

TEST(Csv, MayEndItsLinesInEitherWay) {
  EXPECT_EQ(table_of("a,b\n1,x\n2,\n"), kTable);
  EXPECT_EQ(table_of("a,b\r\n1,x\r\n2,\r\n"), kTable);
  EXPECT_EQ(table_of("a,b\n1,x\n2,"), kTable) << "the last line needs no end";
  EXPECT_EQ(table_of("a,b\n1,x\n2,\n\n\r\n"), kTable) << "blank lines at the end are no records";
}

TEST(Csv, MayBeginWithAByteOrderMark) {
  EXPECT_EQ(table_of("\xef\xbb\xbf"
                     "a,b\n1,x\n2,\n"),
            kTable);
}

TEST(Csv, FieldsInQuotesHoldAnything) {
  EXPECT_EQ(table_of("\"a\",\"b, c\"\n\"1\n2\",\"say \"\"x\"\"\"\n\"\",é\n"),
            (Table{{"a", "b, c"}, {"1\n2", "say \"x\""}, {"", "é"}}));
}

TEST(Csv, RecordsMayBeLongerThanTheBuffer) {
  const std::string longest(1'000'000, 'z');
  EXPECT_EQ(table_of("a,b\n" + longest + ",1\n2," + longest), (Table{{"a", "b"}, {longest, "1"}, {"2", longest}}));
}

struct WrongTable {
  const char* name;
  std::string text;
  const char* said;
};

class RefusedTable : public testing::TestWithParam<WrongTable> {};

INSTANTIATE_TEST_SUITE_P(
    Tables, RefusedTable,
    testing::Values(
        WrongTable{"Empty", "", "line 1: it is empty"}, WrongTable{"BlankHeader", "\na,b\n", "line 1: it is empty"},
        WrongTable{"NamelessColumn", ",a\n0,1\n", "line 1: column 1 has no name"},
        WrongTable{"ColumnTwice", "a,b,a\n", "line 1, column \"a\": it is there twice, as columns 1 and 3"},
        WrongTable{"Semicolons", "a;b\n1;2\n", "line 1: one column, with ; or tabs in its name"},
        WrongTable{"FewFields", "a,b\n1,2\n3\n", "line 3: 1 fields; expected 2"},
        WrongTable{"ManyFields", "a,b\n1,2,\n", "line 2: 3 fields; expected 2"},
        WrongTable{"BlankLine", "a,b\n1,2\n\n3,4\n", "line 3: it is empty; every line before the last is a record"},
        WrongTable{"OpenQuote", "a,b\n1,\"2\n3,4\n", "line 2: a quoted field has no end"},
        WrongTable{"QuoteWithin", "a,b\n1,2\"\n", "line 2: a quote within a field"},
        WrongTable{"TextAfterQuote", "a,b\n1,\"2\"3\n", "line 2: text follows a quoted field"},
        WrongTable{"LineAfterQuotedLines", "a,b\n\"1\n\n2\",3\n4\n", "line 5: 1 fields; expected 2"},
        WrongTable{"OldMac", "a,b\r1,2\r", "line 1: a carriage return alone"},
        WrongTable{"Zero", std::string("a,b\n1,\0\n", 8), "line 2: a zero byte"},
        WrongTable{"Utf16",
                   "\xff\xfe"
                   "a",
                   "line 1: it is not UTF-8 but probably UTF-16"},
        WrongTable{"LongRecord", "a,b\n" + std::string(CsvReader::kMostRecordBytes + 1, 'x'),
                   "line 2: more than 4194304 bytes"},
        WrongTable{"ManyColumns", "a" + std::string(CsvReader::kMostColumns, ','), "line 1: more than 100000 columns"}),
    [](const auto& tested) { return tested.param.name; });

TEST_P(RefusedTable, NamesFileAndLine) {
  const std::string message = refusal([] { table_of(GetParam().text); });
  EXPECT_THAT(message, testing::StartsWith("a.csv: line "));
  EXPECT_THAT(message, HasSubstr(GetParam().said));
}

// Reads the only field of a table.
template <class Read>
auto value(const std::string& field, const Read& read_field) {
  const std::string text = "v\n\"" + field + "\"\n";
  const MemorySource file("a.csv", std::as_bytes(std::span(text)));
  CsvReader csv(file);
  EXPECT_TRUE(csv.next());
  return read_field(csv);
}

double number(const std::string& field) {
  return value(field, [](const CsvReader& csv) { return number_in(csv, 0); });
}
std::int64_t whole_number(const std::string& field) {
  return value(field, [](const CsvReader& csv) { return whole_in(csv, 0, 10); });
}
bool flag(const std::string& field) {
  return value(field, [](const CsvReader& csv) { return flag_in(csv, 0); });
}

TEST(CsvValues, AreRead) {
  EXPECT_EQ(number("-12.5"), -12.5);
  EXPECT_EQ(number(" +1e-3\t"), 1e-3);
  EXPECT_EQ(number(".5"), 0.5);
  EXPECT_EQ(number("17"), 17);
  EXPECT_EQ(whole_number("9"), 9);
  for (const char* yes : {"1", "true", "True", "TRUE "}) EXPECT_TRUE(flag(yes));
  for (const char* no : {"0", "false", "False", " FALSE"}) EXPECT_FALSE(flag(no));
}

TEST(CsvValues, AreTheSameInEveryLocale) {
  const char* comma = std::setlocale(LC_ALL, "de_DE.UTF-8");
  EXPECT_EQ(number("1.5"), 1.5);
  EXPECT_THAT(refusal([] { number("1,5"); }), HasSubstr("expected a number with a decimal point"));
  if (comma != nullptr) std::setlocale(LC_ALL, "C");
}

TEST(CsvValues, AreNamedByPlaceAndNotByContentWhenTheyAreWrong) {
  for (const char* text : {"twelve", "1.5x", "0x10", "1 2", "--1", "+-1"}) {
    const std::string message = refusal([&] { number(text); });
    EXPECT_THAT(message, testing::StartsWith("a.csv: line 2, column \"v\": expected a number")) << text;
    EXPECT_THAT(message, testing::Not(HasSubstr(text)));
    EXPECT_THAT(local_detail_of([&] { number(text); }), HasSubstr(text));
  }
  EXPECT_THAT(refusal([] { number(" "); }), HasSubstr("column \"v\": it is empty; expected a number"));
  EXPECT_THAT(refusal([] { number("nan"); }), HasSubstr("it is not a finite number"));
  EXPECT_THAT(refusal([] { number("-inf"); }), HasSubstr("it is not a finite number"));
  EXPECT_THAT(refusal([] { number("1e999"); }), HasSubstr("it does not fit in a float64"));
  for (const char* text : {"10", "-1", "1.0", "99999999999999999999", "x"}) {
    EXPECT_THAT(refusal([&] { whole_number(text); }), HasSubstr("column \"v\": expected a whole number within 0 ... 9"))
        << text;
  }
  EXPECT_THAT(refusal([] { flag("yes"); }), HasSubstr("expected 0, 1, true or false"));
}

}  // namespace
}  // namespace tacit::gnn
