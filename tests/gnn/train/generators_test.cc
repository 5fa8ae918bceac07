// A change of a public generator must change the digest that ranks compare, and the protocol
// number.
#include "gnn/train/generators.h"

#include <gtest/gtest.h>

namespace tacit::gnn {
namespace {

// A failure here means that a generator draws other values than in earlier builds: raise
// mpc::kProtocolNumber and write the new digest here.
TEST(Generators, DrawTheSameOnEveryMachineAndInEveryBuildOfThisProtocolNumber) {
  EXPECT_EQ(digest_of_generators(), "8954d9443f5af13e");
}

}  // namespace
}  // namespace tacit::gnn
