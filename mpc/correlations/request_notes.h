// RequestNotes takes note of the correlations of a program, in their order, where they are made ahead (ahead/maker.h), and states the cost of
// each: it depends on earlier ones, since ciphertexts of masks that stay are kept. In a plan, it also states what no single request
// costs: what the batches of a maker share. It makes nothing.
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

  // Of a plan, at the end of the program: the rounds and messages of all batches, and the bytes that stock up transfers. Without the
  // start.
  virtual MadeCost batches() { return {}; }
  // Of a plan: an estimate of the maker's memory in bytes, for the largest batch so far, with what it keeps for the session.
  virtual std::int64_t most_memory() const { return 0; }
};

// Of a party, and of a plan, which has the rules of a maker.
std::unique_ptr<RequestNotes> request_costs(int parties, int rank, CorrelationsFrom from);
std::unique_ptr<RequestNotes> planned_maker(int parties, int rank, CorrelationsFrom from);

}  // namespace tacit::mpc
