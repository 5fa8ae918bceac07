// A peer that sends a wrong message ends the session of all ranks with an error that says so.
#include <gmock/gmock.h>

#include "mpc/ot/base_ot.h"
#include "mpc/ot/bit_times_word.h"
#include "net/error.h"
#include "tests/net/meshes.h"

namespace tacit::mpc {
namespace {

using testing::HasSubstr;

// Rank 1's program is `deviate`; the others run `follow`.
std::vector<std::string> ends_of(int parties, const std::function<void(PairNetwork&)>& follow,
                                 const std::function<void(PairNetwork&)>& deviate) {
  const auto errors = net::errors_of_ranks(net::mesh_kind("Memory").make(parties, 0), [&](net::Mesh& mesh) {
    PairNetwork network(mesh);
    (mesh.rank() == 1 ? deviate : follow)(network);
  });
  std::vector<std::string> messages;
  for (const auto& error : errors) {
    messages.push_back(net::message_of(error));
    EXPECT_FALSE(messages.back().empty()) << "a rank did not end with an error";
  }
  return messages;
}

void set_up(PairNetwork& network) {
  Workers workers;
  BitTimesWord products(network, Nonce{}, workers);
}

PairNetwork::Messages sized(const PairNetwork& network, std::size_t bytes) {
  auto messages = network.messages();
  for (int peer = 0; peer < network.parties(); ++peer) {
    if (peer != network.rank()) messages[static_cast<std::size_t>(peer)].assign(bytes, std::byte{0xff});
  }
  return messages;
}

TEST(WrongMessages, OfAPointEndEveryRank) {
  const auto ends = ends_of(3, set_up, [](PairNetwork& network) {
    auto in = sized(network, 32);
    network.exchange(sized(network, 32), in);
    in = sized(network, 4096);
    network.exchange(sized(network, 4096), in);
  });
  EXPECT_THAT(ends[0], HasSubstr("rank 1 sent bytes that are not a point of ristretto255 for a base transfer"));
  EXPECT_THAT(ends[2], HasSubstr("rank 1 sent bytes that are not a point of ristretto255 for a base transfer"));
}

TEST(WrongMessages, OfTheSecondPointsEndEveryRank) {
  const auto ends = ends_of(3, set_up, [](PairNetwork& network) {
    const BaseOtSender sender({Nonce{}, 1, 0});
    auto out = sized(network, 32), in = sized(network, 32);
    for (auto& message : out) std::copy_n(sender.point().begin(), message.size(), message.begin());
    network.exchange(out, in);
    in = sized(network, 4096);
    network.exchange(sized(network, 4096), in);
    in = sized(network, 4096);
    network.exchange(sized(network, 4096), in);
  });
  EXPECT_THAT(ends[0], HasSubstr("rank 1 sent bytes that are not a point of ristretto255 for a base transfer"));
  EXPECT_THAT(ends[2], HasSubstr("rank 1 sent bytes that are not a point of ristretto255 for a base transfer"));
}

TEST(WrongMessages, OfAWrongLengthEndEveryRank) {
  const auto ends = ends_of(3, set_up, [](PairNetwork& network) {
    auto in = sized(network, 32);
    network.exchange(sized(network, 31), in);
  });
  EXPECT_THAT(ends[0], HasSubstr("rank 1"));
}

// Rank 1 has other public arguments, and so messages of other lengths.
TEST(WrongMessages, OfAnotherWidthEndEveryRank) {
  for (const bool binds : {true, false}) {
    const auto run = [binds](PairNetwork& network, std::int64_t size, int width) {
      Workers workers;
      BitTimesWord products(network, Nonce{}, workers);
      const BitTensor own = BitTensor::zeros({1, binds ? size : 100});
      const BitTimesWord::Bits bits[] = {{own.size(), Holders(2, true), &own}};
      const auto bound = products.bind(bits);
      const std::vector<std::uint64_t> words(static_cast<std::size_t>(own.size()));
      const BitTimesWord::WordFactor factors[] = {{bound[0].get(), -1, Holders(2, true), words, 1, width}};
      products.times(factors);
    };
    const auto ends = ends_of(
        2, [&](PairNetwork& network) { run(network, 100, 38); }, [&](PairNetwork& network) { run(network, 200, 39); });
    EXPECT_THAT(ends[0], testing::AnyOf(HasSubstr("rank 1"), HasSubstr("bytes")));
  }
}

}  // namespace
}  // namespace tacit::mpc
