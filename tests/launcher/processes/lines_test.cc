#include "launcher/processes/lines.h"

#include <gmock/gmock.h>

#include <random>

#include "net/printable.h"

namespace tacit::launcher {
namespace {

using testing::ElementsAre;

class LinesOf {
 public:
  LinesOf() : lines_([this](std::string_view line) { taken.emplace_back(line); }) {}
  Lines* operator->() { return &lines_; }
  std::vector<std::string> taken;

 private:
  Lines lines_;
};

TEST(Lines, AreTakenOnceTheyHaveEnded) {
  LinesOf lines;
  lines->add("one\ntw");
  EXPECT_THAT(lines.taken, ElementsAre("one"));
  lines->add("o\n\nthree\r\nfour");
  lines->finish();
  lines->finish();
  EXPECT_THAT(lines.taken, ElementsAre("one", "two", "", "three", "four"));
}

TEST(Lines, ThatAreTooLongAreCutAndTheNextIsWhole) {
  LinesOf lines;
  for (int i = 0; i < 100'000; ++i) lines->add("xxxxxxxxxx");
  lines->add("\nnext\n");
  ASSERT_EQ(lines.taken.size(), 2u);
  EXPECT_EQ(static_cast<std::int64_t>(lines.taken[0].size()), kMostOfLine);
  EXPECT_TRUE(lines.taken[0].ends_with("x..."));
  EXPECT_EQ(lines.taken[1], "next");
}

TEST(Lines, OfAnyBytesArePrintable) {
  LinesOf lines;
  std::mt19937 random(1);
  std::string bytes(1 << 16, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  for (std::size_t i = 0; i < bytes.size(); i += 7) lines->add(std::string_view(bytes).substr(i, 7));
  lines->finish();
  EXPECT_GT(lines.taken.size(), 100u);
  for (const std::string& line : lines.taken) {
    EXPECT_LE(static_cast<std::int64_t>(line.size()), kMostOfLine);
    EXPECT_EQ(net::printable(line, kMostOfLine), line);
  }
}

}  // namespace
}  // namespace tacit::launcher
