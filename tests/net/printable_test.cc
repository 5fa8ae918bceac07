#include "net/printable.h"

#include <gtest/gtest.h>

namespace tacit::net {
namespace {

TEST(Printable, EscapesWhatATerminalWouldObey) {
  EXPECT_EQ(printable(std::string("a\0b\n\x1b[1m\xc3\xa9", 10)), "a\\x00b\\x0a\\x1b[1m\\xc3\\xa9");
}

TEST(Printable, NeverExceedsItsLimitAndNeverCutsAnEscape) {
  for (int most = 0; most < 40; ++most) {
    const std::string cut = printable("0123456789\n\n\n\n\n\n\n\n\n", most);
    EXPECT_LE(std::ssize(cut), most);
    const std::string kept = cut.substr(0, cut.find("..."));
    const std::size_t escape = kept.rfind('\\');
    EXPECT_TRUE(escape == std::string::npos || kept.size() - escape == 4) << cut;
  }
  EXPECT_EQ(printable("0123456789", 10), "0123456789");
  EXPECT_EQ(printable("0123456789a", 10), "0123456...");
}

}  // namespace
}  // namespace tacit::net
