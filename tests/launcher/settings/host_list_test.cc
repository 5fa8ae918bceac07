#include "launcher/settings/host_list.h"

#include <gmock/gmock.h>

#include "tests/gnn/data/refusal.h"

namespace tacit::launcher {
namespace {

using gnn::refusal;
using testing::HasSubstr;

TEST(HostList, BeginsWithItsFirstHostAsSlurmWritesIt) {
  for (const auto& [list, first] :
       std::vector<std::pair<std::string, std::string>>{{"node1", "node1"},
                                                        {"node1,node2", "node1"},
                                                        {"node[003-010,12],gpu1", "node003"},
                                                        {"node[7,3]", "node7"},
                                                        {"gpu1,node[003-010]", "gpu1"},
                                                        {"rack[1-2]n[00-15].cluster", "rack1n00.cluster"},
                                                        {"[10-12]", "10"},
                                                        {"a-b_c[1-2]", "a-b_c1"}}) {
    EXPECT_EQ(first_host(list), first) << list;
  }
}

TEST(HostList, ThatIsNoneIsRefused) {
  for (const std::string& list :
       {std::string(), std::string(","), std::string("node[1-3"), std::string("node[]"), std::string("node[a]"),
        std::string("node["), std::string("no de"), std::string("node]"), std::string("\x1b[2J"),
        std::string(100'000, 'a'), "a[" + std::string(100'000, '1') + "]"}) {
    EXPECT_THAT(refusal([&] { first_host(list); }), HasSubstr("expected one as Slurm writes it")) << list.substr(0, 40);
  }
}

}  // namespace
}  // namespace tacit::launcher
