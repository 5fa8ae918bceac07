#include "launcher/job/document.h"

#include <gmock/gmock.h>

#include <chrono>
#include <fstream>

#include "tests/gnn/data/refusal.h"
#include "tests/temporary_folder.h"

namespace tacit::launcher {
namespace {

using gnn::refusal;
using testing::HasSubstr;
using testing::StartsWith;

std::string parsing(const std::string& text) {
  return refusal([&] { parse_document(text, "a.toml"); });
}

TEST(Document, HoldsEveryValueWithItsPlace) {
  const DocumentValue document = parse_document("[b]\nlist = [1, 2.5, \"c\", true]\n", "a.toml");
  const DocumentValue::Entry* table = document.find("b");
  ASSERT_NE(table, nullptr);
  const DocumentValue::Entry* entry = table->value.find("list");
  ASSERT_NE(entry, nullptr);
  EXPECT_EQ(entry->source.place(), "a.toml:2:1");
  EXPECT_EQ(entry->value.source.place(), "a.toml:2:8");
  const auto& list = std::get<DocumentValue::List>(entry->value.content);
  ASSERT_EQ(list.size(), 4u);
  EXPECT_EQ(std::get<std::int64_t>(list[0].content), 1);
  EXPECT_EQ(std::get<double>(list[1].content), 2.5);
  EXPECT_EQ(std::get<std::string>(list[2].content), "c");
  EXPECT_EQ(std::get<bool>(list[3].content), true);
  EXPECT_EQ(list[3].source.place(), "a.toml:2:22");
  EXPECT_EQ(document.find("list"), nullptr);
}

TEST(Document, SaysWhereItIsNotToml) {
  EXPECT_THAT(parsing("a = 1\nb = \n"), StartsWith("a.toml:2:"));
  EXPECT_THAT(parsing("a = 1\na = 2\n"), StartsWith("a.toml:2:"));
  EXPECT_THAT(parsing("[.a]\n"), HasSubstr("this is not TOML"));
  EXPECT_THAT(parsing("name = \"x\nparties = 2\n"), HasSubstr("is a quote missing at the end of a text?"));
  EXPECT_THAT(parsing("[[=]]\n"), HasSubstr("this is not TOML"));
  EXPECT_THAT(parsing("a = \"\xff\xfe\"\n"), HasSubstr("not TOML"));
  EXPECT_THAT(parsing(std::string("a\0b = 1", 7)), HasSubstr("not TOML"));
  EXPECT_THAT(parsing("\x1b[31mred"), testing::Not(HasSubstr("\x1b"))) << "no escape sequence reaches a terminal";
}

TEST(Document, MayHoldAnyLetterInTextAndRefusesItElsewhere) {
  EXPECT_EQ(parsing("a = \"caf\u00e9 \u03bb\" # \u00fc\nb = '\u00e9'\n"), "accepted");
  for (const char* text : {"b = 1 \u00e9\n", "b = 1979\"\u00e9\"\n", "\u00e9 = 1\n", "[\u0100]\n", "b = [\u0499]\n",
                           "b = \u2000\n", "b = \"\"\"\\\n \u00e9\n"}) {
    EXPECT_THAT(parsing(text), HasSubstr("this is not TOML")) << text;
  }
}

TEST(Document, OfAnyDepthEndsInAnErrorAtOnce) {
  const auto begin = std::chrono::steady_clock::now();
  std::string dots = "a";
  for (int i = 0; i < 100'000; ++i) dots += ".a";
  EXPECT_THAT(parsing(dots + " = 1"), HasSubstr("too many dots"));
  EXPECT_THAT(parsing("[" + dots + "]"), HasSubstr("too many dots"));
  EXPECT_THAT(parsing("a = " + std::string(100'000, '[')), HasSubstr("nest"));
  std::string tables;
  for (int i = 0; i < 20'000; ++i) tables += "{a=";
  EXPECT_THAT(parsing("a = " + tables), HasSubstr("nest"));
  std::string few;
  for (int i = 0; i < 100; ++i) few += "a.";
  EXPECT_THAT(parsing(few + "a = 1"), HasSubstr("nested deeper than 16"));
  std::string lines;
  for (int i = 0; i < 15; ++i) lines += few + "a = [\n{";
  EXPECT_NE(parsing(lines), "accepted");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

TEST(Document, OfAnySizeEndsInAnErrorBeforeItIsRead) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "large.toml";
  std::ofstream(file) << "a = 1\n";
  std::filesystem::resize_file(file, std::uintmax_t{1} << 40);
  EXPECT_THAT(refusal([&] { load_document(file); }), HasSubstr("a file of settings has at most 262144"));
  EXPECT_THAT(refusal([&] { load_document(folder.path()); }), HasSubstr(folder.path().string()));
  EXPECT_THAT(refusal([&] { load_document("/dev/zero"); }), HasSubstr("/dev/zero"));
  EXPECT_THAT(refusal([&] { load_document(folder.path() / "none"); }), HasSubstr("No such file"));
  EXPECT_THAT(parsing(std::string(kMostDocumentBytes + 1, '\n')), HasSubstr("at most"));
  EXPECT_EQ(parsing(std::string(kMostDocumentBytes, '\n')), "accepted");
}

TEST(Override, ReplacesOneValueAndKeepsTheOthers) {
  DocumentValue document = parse_document("[a]\nb = 1\nc = 2\n", "a.toml");
  apply(document, parse_override("a.b=3", "--set"));
  apply(document, parse_override("d=plain text", "--set"));
  const DocumentValue::Entry* a = document.find("a");
  EXPECT_EQ(std::get<std::int64_t>(a->value.find("b")->value.content), 3);
  EXPECT_EQ(a->value.find("b")->value.source.text(), "--set a.b=3");
  EXPECT_EQ(std::get<std::int64_t>(a->value.find("c")->value.content), 2);
  EXPECT_EQ(a->value.find("c")->value.source.text(), "a.toml:3");
  EXPECT_EQ(std::get<std::string>(document.find("d")->value.content), "plain text");
}

TEST(Override, ReachesAnEntryOfAList) {
  DocumentValue document =
      parse_document("[[a.list]]\nb = 1\nc = 2\n[[a.list]]\nb = 5\n[d]\nnumbers = [1, 2]\nnone = []\n", "a.toml");
  const auto set = [&](const std::string& text) { apply(document, parse_override(text, "--set")); };
  set("a.list[1].b=7");
  set("a.list[0].new.c=8");
  set("d.numbers[1]=9");
  const auto& list = std::get<DocumentValue::List>(document.find("a")->value.find("list")->value.content);
  ASSERT_EQ(list.size(), 2);
  EXPECT_EQ(std::get<std::int64_t>(list[0].find("b")->value.content), 1);
  EXPECT_EQ(std::get<std::int64_t>(list[0].find("new")->value.find("c")->value.content), 8);
  EXPECT_EQ(std::get<std::int64_t>(list[1].find("b")->value.content), 7);
  EXPECT_EQ(list[1].find("b")->value.source.text(), "--set a.list[1].b=7");
  const auto& numbers = std::get<DocumentValue::List>(document.find("d")->value.find("numbers")->value.content);
  EXPECT_EQ(std::get<std::int64_t>(numbers[0].content), 1);
  EXPECT_EQ(std::get<std::int64_t>(numbers[1].content), 9);
  const auto refused = [&](const std::string& text) { return refusal([&] { set(text); }); };
  EXPECT_THAT(refused("a.list[2].b=1"), HasSubstr("--set a.list[2].b=1: a.list: there is no entry 2; the list has the "
                                                  "entries 0 ... 1"));
  EXPECT_THAT(refused("a.other[0].b=1"), HasSubstr("a.other: the job states no such list"));
  EXPECT_THAT(refused("d.none[0]=1"), HasSubstr("d.none: the list is empty"));
  EXPECT_THAT(refused("d[0]=1"), HasSubstr("d: expected a list before [0], not a table"));
  EXPECT_THAT(refused("a.list[0].b[0]=1"), HasSubstr("a.list[0].b: expected a list before [0], not the number 1"));
  for (const char* text : {"a.list[]=1", "a.list[-1]=1", "a.list[x]=1", "a.list[0=1", "a.list[0]b=1", "a.list[0].=1",
                           "[0]=1", "a.list[99999999999]=1"}) {
    EXPECT_THAT(refused(text), HasSubstr("is not the name of a setting")) << text;
  }
}

TEST(Override, IsOneSettingAndNothingElse) {
  const auto over = [](const std::string& text) { return refusal([&] { parse_override(text, "--set"); }); };
  for (const char* text : {"", "a", "=1", "a b=1", "a=1\nb=2", "[a]=1", "a.=1"}) {
    EXPECT_THAT(over(text), HasSubstr("expected")) << text;
  }
  EXPECT_THAT(over("roster=/a\nfolder/roster"), HasSubstr("the value has a line end; expected one line"));
  EXPECT_THAT(over("a\nb=1"), HasSubstr("is not the name of a setting"));
  EXPECT_EQ(over("a.b=[1,2]"), "accepted");
  EXPECT_EQ(over("a=x=y"), "accepted");
}

}  // namespace
}  // namespace tacit::launcher
