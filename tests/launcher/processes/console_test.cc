// The terminal's view of permanent lines, and of the progress lines below them.
#include "launcher/processes/console.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <pty.h>
#include <unistd.h>

#include <array>

#include "net/descriptor.h"

namespace tacit::launcher {
namespace {

using testing::ElementsAre;

// The content of a screen, interpreted from the few things that a console writes: lines, returns,
// clearing to the end, a line up.
std::vector<std::string> screen(const std::string& bytes) {
  std::vector<std::string> rows(1);
  std::size_t row = 0, column = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const std::string_view rest(bytes.data() + i, bytes.size() - i);
    if (rest.starts_with("\x1b[K")) {
      rows[row].resize(std::min(rows[row].size(), column));
      i += 2;
    } else if (rest.starts_with("\x1b[A")) {
      EXPECT_GT(row, 0) << "above the first line";
      row -= row > 0 ? 1 : 0;
      i += 2;
    } else if (bytes[i] == '\r') {
      column = 0;
    } else if (bytes[i] == '\n') {
      column = 0;  // like a terminal's driver
      if (++row == rows.size()) rows.emplace_back();
    } else {
      rows[row].resize(std::max(rows[row].size(), column + 1), ' ');
      rows[row][column++] = bytes[i];
    }
  }
  return rows;
}

class ConsoleTest : public testing::Test {
 protected:
  ConsoleTest() {
    std::array<int, 2> ends{};
    EXPECT_EQ(::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK), 0);
    from_ = net::Descriptor(ends[0]);
    into_ = net::Descriptor(ends[1]);
  }
  std::vector<std::string> shown(Console& console) {
    console.flush(std::chrono::seconds(5));
    std::array<char, 1 << 16> some{};
    for (ssize_t got = 0; (got = ::read(from_.get(), some.data(), some.size())) > 0;) {
      all_.append(some.data(), static_cast<std::size_t>(got));
    }
    return screen(all_);
  }

  net::Descriptor from_, into_;
  std::string all_;
};

TEST_F(ConsoleTest, KeepsSomeLinesBelowTheOthers) {
  Console console(into_.get());
  console.say("first");
  console.show({"rank 0  epoch 1", "rank 1  epoch 1"});
  EXPECT_THAT(shown(console), ElementsAre("first", "rank 0  epoch 1", "rank 1  epoch 1"));
  console.say("second");
  EXPECT_THAT(shown(console), ElementsAre("first", "second", "rank 0  epoch 1", "rank 1  epoch 1"));
  console.show({"rank 0  done", "rank 1  epoch 2"});
  EXPECT_THAT(shown(console), ElementsAre("first", "second", "rank 0  done", "rank 1  epoch 2"));
  console.show({});
  console.say("third");
  EXPECT_THAT(shown(console), ElementsAre("first", "second", "third", ""));
}

TEST_F(ConsoleTest, SlowTerminalsSeeTheNewestAndNoMore) {
  Console console(into_.get());
  for (int epoch = 0; epoch < 1000; ++epoch) console.show({"epoch " + std::to_string(epoch)});
  EXPECT_THAT(shown(console), ElementsAre("epoch 999"));
  console.show({"epoch 1000"});
  EXPECT_THAT(shown(console), ElementsAre("epoch 1000"));
  EXPECT_LT(all_.size(), 100);
}

// A line that has scrolled off a terminal's first row cannot be erased.
TEST(ConsoleOnATerminal, ShowsAsManyLinesAsThereIsRoomFor) {
  int main_end = -1, terminal = -1;
  winsize size{};
  size.ws_row = 5;
  size.ws_col = 80;
  ASSERT_EQ(::openpty(&main_end, &terminal, nullptr, nullptr, &size), 0);
  const net::Descriptor screen_end(main_end), end(terminal);
  std::string all;
  {
    Console console(terminal);
    for (int epoch = 1; epoch <= 2; ++epoch) {
      std::vector<std::string> ranks;
      for (int rank = 0; rank < 12; ++rank) ranks.push_back(fmt::format("rank {}  epoch {}", rank, epoch));
      console.show(ranks);
      console.flush(std::chrono::seconds(5));
    }
    std::array<char, 1 << 12> some{};
    ASSERT_EQ(::fcntl(main_end, F_SETFL, O_NONBLOCK), 0);
    for (ssize_t got = 0; (got = ::read(main_end, some.data(), some.size())) > 0;) {
      all.append(some.data(), static_cast<std::size_t>(got));
    }
  }
  EXPECT_THAT(screen(all), ElementsAre("rank 0  epoch 2", "rank 1  epoch 2", "rank 2  epoch 2", "and 9 more"));
}

TEST_F(ConsoleTest, WithoutThemShowsTheOthersAlone) {
  Console console(into_.get());
  console.say("one");
  console.show({});
  console.say("two");
  shown(console);
  EXPECT_EQ(all_, "one\ntwo\n");
}

}  // namespace
}  // namespace tacit::launcher
