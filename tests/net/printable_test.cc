#include "net/printable.h"

#include <gtest/gtest.h>

namespace tacit::net {
namespace {

TEST(Printable, EscapesWhatATerminalWouldObey) {
  EXPECT_EQ(printable(std::string("a\0b\n\x1b[1m\x7f", 9)), "a\\x00b\\x0a\\x1b[1m\\x7f");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m\xc2\x85"),
            "\\xc2\\x9b31m\\xc2\\x85")
      << "controls of ISO 6429";
}

TEST(Printable, KeepsLettersOfEveryScript) {
  for (const char* name :
       {"Größe", "naïve café", "Łódź", "Ελλάδα", "данные", "名前", "이름", "שם", "اسم", "🙂 n=3 €", "x²"}) {
    EXPECT_EQ(printable(name), name);
  }
  EXPECT_EQ(printable("e\u0301 and a\u0323\u0302"), "e\u0301 and a\u0323\u0302")
      << "accents as characters of their own";
}

// Two names that look alike must not print alike, and nothing may turn the order of what follows.
TEST(Printable, EscapesWhatNobodySeesAndMarksOfDirection) {
  for (const char* hidden :
       {"\u00a0", "\u00ad", "\u061c", "\u200b", "\u200d", "\u200e", "\u200f", "\u2028",    "\u2029",
        "\u202a", "\u202b", "\u202c", "\u202d", "\u202e", "\u2060", "\u2066", "\u2067",    "\u2068",
        "\u2069", "\u3164", "\ufe0f", "\ufeff", "\ufff9", "\uffff", "\ue000", "\U000e0041"}) {
    const std::string shown = printable(std::string("a") + hidden + "b");
    EXPECT_EQ(shown.substr(0, 3), "a\\x");
    for (const char c : shown) EXPECT_TRUE(c >= ' ' && c <= '~') << shown;
  }
  EXPECT_EQ(printable("\u0301e"), "\\xcc\\x81e") << "an accent on the quote before the name";
  EXPECT_EQ(printable("e\u0301\u0301\u0301"), "e\u0301\u0301\\xcc\\x81");
}

TEST(Printable, EscapesBytesThatAreNotUtf8) {
  EXPECT_EQ(printable("Gr\xf6\xdf"
                      "e"),
            "Gr\\xf6\\xdf"
            "e")
      << "Latin-1";
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf") << "an overlong form";
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "a surrogate";
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80") << "beyond the last code";
  EXPECT_EQ(printable("\xe2\x82"), "\\xe2\\x82") << "cut off";
}

TEST(Printable, NeverExceedsItsLimitAndNeverCutsAnEscapeOrACharacter) {
  for (int most = 0; most < 40; ++most) {
    const std::string cut = printable("0123456789\n\n\n\n\n\n\n\n\n", most);
    EXPECT_LE(std::ssize(cut), most);
    const std::string kept = cut.substr(0, cut.find("..."));
    const std::size_t escape = kept.rfind('\\');
    EXPECT_TRUE(escape == std::string::npos || kept.size() - escape == 4) << cut;
    const std::string other = printable("äöüßäöüß€€€€€€\u200b名前名前名前名前名前名前名前名前", most);
    EXPECT_LE(std::ssize(other), most);
    EXPECT_EQ(printable(other), other) << "each character is whole";
  }
  EXPECT_EQ(printable("0123456789", 10), "0123456789");
  EXPECT_EQ(printable("0123456789a", 10), "0123456...");
  EXPECT_EQ(printable("0123456ä9", 10), "0123456ä9");
  EXPECT_EQ(printable("01234ä78901", 10), "01234ä...");
  EXPECT_EQ(printable("012345ä8901", 10), "012345...");
}

TEST(Printable, CountsTheColumnsOfATerminal) {
  EXPECT_EQ(columns_of(""), 0);
  EXPECT_EQ(columns_of("Größe"), 5);
  EXPECT_EQ(columns_of("e\u0301"), 1);
  EXPECT_EQ(columns_of("名前"), 4);
  EXPECT_EQ(columns_of("\\xc3\\x28"), 8);
}

}  // namespace
}  // namespace tacit::net
