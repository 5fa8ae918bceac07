// RequestNotes takes note of the correlations of a program, in their order, where they are made ahead (ahead/maker.h), and states the cost of
// each. This cost depends on earlier requests, since ciphertexts of masks that stay are kept. Notes of a plan also state the common costs
// of a maker's batches. Notes make no correlation.
//
// The code is in ahead/, since it needs tables of the protocols.
#pragma once

#include <cstdint>
#include <memory>

#include "mpc/correlations/correlations.h"
#include "mpc/ot/pair_network.h"

namespace tacit::mpc {

class RequestNotes {
 public:
  virtual ~RequestNotes() = default;

  virtual void begin_operation() = 0;
  virtual void begin_decision() = 0;
  virtual MadeCost note(const WordRequest& request) = 0;
  virtual MadeCost note(const BitRequest& request) = 0;

  // The rounds and messages of all batches, and the bytes that stock up transfers, without the start. For a plan, at the end of the
  // program.
  virtual MadeCost batches() { return {}; }
  // An estimate of the maker's memory in bytes, for the largest batch so far and the kept ciphertexts. For a plan.
  virtual std::int64_t most_memory() const { return 0; }
};

// The notes of a party, and those of a plan, which has the rules of a maker.
std::unique_ptr<RequestNotes> request_costs(int parties, int rank, CorrelationsFrom from);
std::unique_ptr<RequestNotes> planned_maker(int parties, int rank, CorrelationsFrom from);

}  // namespace tacit::mpc
