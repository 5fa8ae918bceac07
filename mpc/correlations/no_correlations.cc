#include "mpc/correlations/no_correlations.h"

#include "net/error.h"

namespace tacit::mpc {

namespace {

class NoCorrelations final : public Correlations {
 public:
  void begin(std::int64_t) override {}
  RingTensor mask(const MaskRequest&) override { refuse(); }
  BitTensor mask_bits(Shape) override { refuse(); }
  Permutation order(int, std::int64_t) override { refuse(); }
  std::vector<RingTensor> words(const WordRequest&) override { refuse(); }
  std::vector<BitTensor> bits(const BitRequest&) override { refuse(); }
  std::chrono::nanoseconds waited() const override { return {}; }

 private:
  [[noreturn]] static void refuse() { throw BrokenInvariant("a session without correlations was asked for some"); }
};

}  // namespace

std::unique_ptr<Correlations> no_correlations(net::Mesh&, const Nonce&, Workers&) {
  return std::make_unique<NoCorrelations>();
}

}  // namespace tacit::mpc
