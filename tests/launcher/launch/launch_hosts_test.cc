#include "launcher/launch/hosts.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <fstream>

#include "tests/gnn/data/refusal.h"
#include "tests/temporary_folder.h"

namespace tacit::launcher {
namespace {

using gnn::refusal;
using testing::HasSubstr;

class Hosts : public testing::Test {
 protected:
  std::vector<Host> load(const std::string& text, int ranks) const {
    std::ofstream(file()) << text;
    return load_hosts(file(), ranks, "a job");
  }
  std::string file() const { return folder_.path() / "hosts"; }
  TemporaryFolder folder_;
};

TEST_F(Hosts, AreALineEachInRankOrderWithDefaults) {
  const std::vector<Host> hosts =
      load("# parties\nann@node1:2222 work/ann\n\n  node2\nroot@10.0.0.3 # the dealer\n", 3);
  EXPECT_EQ(hosts[0].destination, "ann@node1");
  EXPECT_EQ(hosts[0].port, 2222);
  EXPECT_EQ(hosts[0].folder, "work/ann");
  EXPECT_EQ(hosts[0].name(), "node1");
  EXPECT_EQ(hosts[0].text(), "ann@node1:2222");
  EXPECT_EQ(hosts[1].name(), "node2");
  EXPECT_EQ(hosts[1].port, 0);
  EXPECT_EQ(hosts[1].folder, "tacit-a-job-rank1");
  EXPECT_EQ(hosts[2].name(), "10.0.0.3");
  EXPECT_EQ(load("\xef\xbb\xbf"
                 "node1\r\n",
                 1)[0]
                .destination,
            "node1")
      << "a byte order mark and CRLF";
}

TEST_F(Hosts, MayHaveIPv6AddressesInBrackets) {
  const std::vector<Host> hosts = load("ann@[2001:db8::1]:2222 work\n[::1]\n", 2);
  EXPECT_EQ(hosts[0].destination, "ann@2001:db8::1") << "as ssh takes it";
  EXPECT_EQ(hosts[0].port, 2222);
  EXPECT_EQ(hosts[0].name(), "[2001:db8::1]") << "as --master takes it before a port";
  EXPECT_EQ(hosts[0].text(), "ann@[2001:db8::1]:2222");
  EXPECT_EQ(hosts[0].folder, "work");
  EXPECT_EQ(hosts[1].destination, "::1");
  EXPECT_EQ(hosts[1].text(), "[::1]");
}

TEST_F(Hosts, ThatSshCouldTakeForSomethingElseAreRefusedWithTheirLine) {
  for (const char* text : {"-oProxyCommand=x",
                           "a;b",
                           "a@",
                           "@b",
                           "a@b@c",
                           "a:0",
                           "a:65536",
                           "a:22x",
                           "$(x)",
                           "a:-1",
                           "a:",
                           "::1",
                           "[::1",
                           "[]",
                           "[a]",
                           "[::1]x",
                           "[::1]:",
                           "[::1]:0",
                           "a[::1]",
                           "-@[::1]",
                           "a@b@[::1]",
                           "a@[::1;x]"}) {
    EXPECT_THAT(refusal([&] { load(std::string("good\n") + text + "\n", 2); }), HasSubstr("hosts:2: ")) << text;
  }
  EXPECT_THAT(refusal([&] { load("a ~/x\n", 1); }), HasSubstr("neither - nor ~"));
  EXPECT_THAT(refusal([&] { load("a b c\n", 1); }), HasSubstr("nothing more"));
}

TEST_F(Hosts, AreAsManyAsRanks) {
  EXPECT_THAT(refusal([&] { load("a\nb\n", 3); }), HasSubstr("has 2 hosts for 3 ranks"));
  EXPECT_THAT(refusal([&] { load_hosts("/nowhere", 3, "job"); }), HasSubstr("cannot be read"));
}

TEST_F(Hosts, InAPipeOrAFileWithoutEndAreRefusedAtOnce) {
  ASSERT_EQ(::mkfifo(file().c_str(), 0600), 0);
  EXPECT_THAT(refusal([&] { load_hosts(file(), 3, "job"); }), HasSubstr("it is not a regular file"));
  std::filesystem::remove(file());
  std::ofstream(file()) << "a\n";
  std::filesystem::resize_file(file(), std::uintmax_t{1} << 40);
  EXPECT_THAT(refusal([&] { load_hosts(file(), 3, "job"); }), HasSubstr("a list of hosts has at most 1048576"));
}

}  // namespace
}  // namespace tacit::launcher
