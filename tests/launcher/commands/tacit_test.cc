// The program as a user calls it.
#include <gmock/gmock.h>

#include <fstream>

#include "tests/net/process.h"
#include "tests/temporary_folder.h"

namespace tacit::launcher {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

net::Ended run(const std::vector<std::string>& words) { return net::Process({words, {}, -1}).wait(60s); }

TEST(Tacit, EndsWithTheExitCodeOfItsAnswer) {
  EXPECT_EQ(run({TACIT, "--version"}).exit_code, 0);
  const net::Ended wrong = run({TACIT, "data", "show", "/nowhere"});
  EXPECT_EQ(wrong.exit_code, 2) << wrong;
  EXPECT_THAT(wrong.err, HasSubstr("tacit: "));
  const net::Ended full = run({"bash", "-c", TACIT " manual > /dev/full"});
  EXPECT_EQ(full.exit_code, 2) << full;
  EXPECT_THAT(full.err, HasSubstr("could not be written to stdout"));
}

TEST(Tacit, RefusesAStackThatItWouldOverflow) {
  const net::Ended small = run({"bash", "-c", "ulimit -s 64; exec " TACIT " demo --epochs 1"});
  EXPECT_EQ(small.exit_code, 2) << small;
  EXPECT_EQ(small.err, "tacit: the stack is limited to 64 KiB; expected at least 256: run `ulimit -s 8192`\n");
  const net::Ended enough = run({"bash", "-c", "ulimit -s 256; exec " TACIT " demo --epochs 1"});
  EXPECT_EQ(enough.exit_code, 0) << enough;
}

// `launch | head` is not a failed run.
TEST(Tacit, TakesAReaderThatIsGoneForOneThatHasSeenEnough) {
  for (const char* verb : {" manual", " --version"}) {
    const net::Ended gone = run({"bash", "-c", std::string("exec > >(:); wait $!; exec " TACIT) + verb});
    EXPECT_EQ(gone.exit_code, 0) << gone;
    EXPECT_EQ(gone.err, "");
  }
}

// The words that bash offers as completion after these words.
std::string completed(const std::string& words, int last) {
  const net::Ended ended = run({"bash", "-c",
                                std::string("source <(" TACIT " completion bash); COMP_WORDS=(") + words +
                                    "); COMP_CWORD=" + std::to_string(last) + "; _tacit; echo \"${COMPREPLY[*]}\""});
  EXPECT_EQ(ended.exit_code, 0) << ended;
  return ended.out;
}

TEST(Tacit, IsCompletedByBash) {
  EXPECT_EQ(completed("tacit ''", 1),
            "demo keys data plan privacy attack doctor launch train predict serve export report settings bench --help "
            "--version\n");
  EXPECT_EQ(completed("tacit da", 1), "data\n");
  EXPECT_EQ(completed("tacit data ma", 2), "make\n");
  EXPECT_EQ(completed("tacit data c", 2), "clean check\n");
  EXPECT_EQ(completed("tacit data clean raw.csv --ru", 4), "--rules\n");
  EXPECT_EQ(completed("tacit data make sensors --st", 4), "--stations\n");
  EXPECT_EQ(completed("tacit data check some.toml --ra", 4), "--rank\n");
  EXPECT_EQ(completed("tacit data check so", 3), "\n") << "then bash looks for files";
}

TEST(Tacit, HasAManualThatManReads) {
  if (run({"bash", "-c", "command -v groff"}).exit_code != 0) GTEST_SKIP() << "groff is not installed";
  const net::Ended ended = run({"bash", "-c", TACIT " manual | groff -man -Tascii -wall"});
  EXPECT_EQ(ended.exit_code, 0) << ended;
  EXPECT_EQ(ended.err, "");
  EXPECT_THAT(ended.out, HasSubstr("tacit data split whole.npz --job"));
}

}  // namespace
}  // namespace tacit::launcher
