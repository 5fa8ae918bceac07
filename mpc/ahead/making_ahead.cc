#include "mpc/ahead/making_ahead.h"

#include <utility>

#include "mpc/ahead/maker.h"
#include "mpc/random/fresh_secret.h"
#include "mpc/session/session_over.h"
#include "net/error.h"
#include "net/thread.h"

namespace tacit::mpc {

namespace {

// The party's side: the party's masks, and the correlations from its maker.
class AheadCorrelations final : public Correlations {
 public:
  AheadCorrelations(CorrelationsFrom from, OwnMasks masks, MadeAhead& ahead)
      : from_(from), masks_(std::move(masks)), ahead_(ahead) {}

  void begin(std::int64_t operation) override { masks_.begin(operation); }
  RingTensor mask(const MaskRequest& request) override { return masks_.mask(request.shape, request.bits); }
  RingTensor add_mask(const MaskRequest& request, const RingTensor& x, std::uint64_t constant,
                      RingTensor& sum) override {
    return masks_.add_mask(request, x, constant, sum);
  }
  BitTensor mask_bits(Shape shape) override { return masks_.mask_bits(shape); }
  Permutation order(int owner, std::int64_t count) override { return masks_.order(owner, count); }
  std::vector<RingTensor> words(const WordRequest& request) override { return taken<std::vector<RingTensor>>(request); }
  std::vector<BitTensor> bits(const BitRequest& request) override { return taken<std::vector<BitTensor>>(request); }
  void decided(bool outcome) override { ahead_.decided(outcome); }
  CorrelationsFrom made_by() const override { return from_; }
  std::chrono::nanoseconds waited() const override { return ahead_.waited(); }

 private:
  template <typename Shares, typename Request>
  Shares taken(const Request& request) {
    return std::get<Shares>(ahead_.take(name_of(masks_.operation(), request)));
  }

  const CorrelationsFrom from_;
  OwnMasks masks_;
  MadeAhead& ahead_;
};

class MakerSession final : public SessionOver<Dealer> {
 public:
  MakerSession(Maker& maker) : SessionOver(maker.workers(), Times::kNone), maker_(maker) {}

  int parties() const override { return maker_.parties(); }
  void set_step(std::string) override {}  // the party sets it
  void output(const std::function<void(const PublicReader&)>&) override {}

 private:
  Dealer& context() override { return maker_; }
  const CostSetting* cost_setting() const override { return nullptr; }

  Maker& maker_;
};

net::Secret copy_of(const net::Secret& secret) {
  net::Secret copy(secret.size());
  std::ranges::copy(secret.bytes(), copy.bytes().begin());
  return copy;
}

}  // namespace

MakingAhead::MakingAhead(net::Mesh& mesh, const SessionOptions& options, CorrelationsFrom from)
    : mesh_(mesh), options_(options), from_(from), network_(mesh), ahead_(options.ahead_bytes) {
  TACIT_CHECK(is_ahead(from));
}

MakingAhead::~MakingAhead() = default;

CorrelationSource MakingAhead::source() {
  return [this](net::Mesh& mesh, const Nonce& nonce, Workers& workers) {
    TACIT_CHECK(&mesh == &mesh_ && !masks_);
    const net::Secret seed = fresh_secret(PairSeed::kSeedBytes);
    nonce_ = nonce;
    workers_ = std::make_unique<Workers>(options_.threads);
    masks_.emplace(copy_of(seed), nonce, *workers_, mesh.rank());
    return std::make_unique<AheadCorrelations>(from_, OwnMasks(copy_of(seed), nonce, workers, mesh.rank()), ahead_);
  };
}

void MakingAhead::run(const std::function<void(Session&)>& maker, const std::function<void()>& party) {
  TACIT_CHECK(masks_);
  std::exception_ptr failure;  // the maker's
  const auto abort = [this](const std::exception& error) {
    mesh_.abort(exit_of(error), reason_for_others(error, "; its own log says more"), -1);
  };
  std::thread thread = net::start_thread("makes correlations", [&] {
    try {
      make(maker);
      ahead_.finish();
    } catch (const MadeAhead::Ended&) {
    } catch (const std::exception& error) {
      failure = std::current_exception();
      ahead_.fail(failure);
      abort(error);
    }
  });
  try {
    party();
  } catch (const std::exception& error) {
    ahead_.end();
    const bool makers = ahead_.has_failed();  // before the abort, which fails the maker, too
    abort(error);
    thread.join();
    if (makers) std::rethrow_exception(failure);
    throw;
  }
  ahead_.end();
  thread.join();
  if (failure) std::rethrow_exception(failure);
}

void MakingAhead::make(const std::function<void(Session&)>& program) {
  Maker maker(network_, nonce_, *workers_, from_, std::move(*masks_), ahead_);
  start_ = network_.cost();
  MakerSession session(maker);
  program(session);
  maker.flush();
  batches_ = maker.batches();
}

Cost MakingAhead::beside_stated(const Cost& stated) const {
  MadeCost made = network_.cost();
  made -= start_;
  return {.rounds = made.rounds,
          .bytes = made.bytes - stated.made_bytes,
          .messages = made.messages,
          .made_rounds = made.rounds,
          .made_bytes = made.bytes - stated.made_bytes,
          .made_leakage = made.leakage - stated.made_leakage};
}

}  // namespace tacit::mpc
