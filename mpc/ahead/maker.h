// Maker is the dealer's side of a program at a party of a session without a dealer. It draws the party's own masks by the party's names,
// collects the requests of the program, and makes the correlations with the makers of the other parties, ahead of the program.
//
// Correlations are made in batches. All requests of a batch share their rounds (ot/lock_step.h), because no request depends on
// the result of another one. A batch ends
//   - before an operation, when the batch is full by the memory of its requests (batch_rule.h)
//   - before a decision, because the program after it depends on the outcome
//   - at the end of the program.
// The rule is public, so all makers have the same batches. The first batch is small, since the program waits for it.
//
// Secure      as the correlations themselves: a request has its party's masks alone, and no message depends on data. Each name of a
//             mask is drawn once here and once by the party. No mask is kept on disk: after a crash, a new session draws new masks
// Memory      the masks of a batch twice, the memory of its tasks while they run (BatchRule), and MadeAhead
// Thread      one of its own, beside the party's
#pragma once

#include <deque>
#include <vector>

#include "mpc/ahead/batch_rule.h"
#include "mpc/ahead/kept_request.h"
#include "mpc/ahead/made_ahead.h"
#include "mpc/correlations/own_masks.h"
#include "mpc/made/kept_products.h"
#include "mpc/made/making.h"
#include "mpc/ot/pair_network.h"
#include "mpc/session/dealer.h"

namespace tacit::mpc {

class Maker final : public Dealer {
 public:
  // Sets up with the other makers. All must outlive it.
  Maker(PairNetwork& network, const Nonce& nonce, Workers& workers, CorrelationsFrom from, OwnMasks masks,
        MadeAhead& ahead);

  int parties() const override { return network_.parties(); }
  Workers& workers() override { return workers_; }
  Waited waited() const override { return {network_.waited(), {}}; }
  void begin(std::int64_t operation) override;
  RingTensor mask(Shape shape, int bits) override { return masks_.mask(shape, bits); }
  BitTensor mask_bits(Shape shape) override { return masks_.mask_bits(shape); }
  Permutation order(int owner, std::int64_t count) override { return masks_.order(owner, count); }
  void deal(const WordRequest& request) override;
  void deal(const BitRequest& request) override;
  bool decision() override;

  // Makes the last batch, at the end of the program.
  void flush() { make(); }

  std::int64_t batches() const { return made_; }  // the number of batches so far, without empty ones

 private:
  struct Queued {
    MadeAhead::Name name;
    KeptRequest request;
    MadeShares shares;
  };
  // `name`: the name under which the party asks for the shares.
  template <typename Tensor, typename Request>
  void enqueue(MadeAhead::Name name, const Request& request);
  void make();

  PairNetwork& network_;
  Workers& workers_;
  const CorrelationsFrom from_;
  OwnMasks masks_;
  MadeAhead& ahead_;
  Making making_;
  KeptProducts kept_;
  BatchRule batches_;
  std::deque<Queued> queue_;  // the elements stay in place: the tasks refer to them
  std::vector<LockStep::Task> tasks_;
  std::int64_t transfers_ = 0;  // the sum of all tasks' transfers
  std::int64_t made_ = 0;       // the number of batches
};

// The name of a correlation in MadeAhead.
MadeAhead::Name name_of(std::int64_t operation, const WordRequest& request);
MadeAhead::Name name_of(std::int64_t operation, const BitRequest& request);

}  // namespace tacit::mpc
