// A change of a public generator must be a change of the digest that ranks compare, and of the protocol number.
#include "gnn/train/generators.h"

#include <gtest/gtest.h>

namespace tacit::gnn {
namespace {

// Where this fails, a generator draws otherwise than in earlier builds: raise
// mpc::kProtocolNumber and write the new digest here.
TEST(Generators, DrawTheSameOnEveryMachineAndInEveryBuildOfThisProtocolNumber) {
  EXPECT_EQ(digest_of_generators(), "8954d9443f5af13e");
}

}  // namespace
}  // namespace tacit::gnn
