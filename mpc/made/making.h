// Making is one party's end of all correlations of a session: its keys, its transfers, and the tasks into which requests are cut.
//
// A request is cut into tiles (tiles.h), and each tile is a task. Tasks of several requests may run in lock step, since the masks of a
// request depend on no other request. Every party adds the same requests in the same order, and then runs the tasks (LockStep::run).
// On a plan (PairNetwork), nothing runs: plan() gives the costs of the tasks. Thread: one.
#pragma once

#include <vector>

#include "mpc/correlations/correlations.h"
#include "mpc/lattice/masked_product.h"
#include "mpc/made/engine.h"
#include "mpc/ot/lock_step.h"

namespace tacit::mpc {

class Making {
 public:
  // Every party constructs it at the same time. Sends public keys, and makes the base transfers. Network and workers must outlive it.
  Making(PairNetwork& network, const Nonce& nonce, Workers& workers, CorrelationsFrom from);

  // Appends the tasks of a request. The tasks write this party's share of each tensor to `shares`. Until the tasks have run, `shares`, this
  // object and the request's masks and tables must stay in their places. The request itself is copied.
  void add(const WordRequest& request, std::vector<RingTensor>& shares, std::vector<LockStep::Task>& tasks);
  void add(const BitRequest& request, std::vector<BitTensor>& shares, std::vector<LockStep::Task>& tasks);

  // Before the tasks of a session ahead run: stocks up for them. `transfers`: the sum of their traces' transfers. At all parties alike.
  void reserve(std::int64_t transfers) { products_.reserve(transfers); }

  // On a plan: the tasks that add() appends, from the request's public part.
  std::vector<LockStep::PlannedTask> plan(const WordRequest& request);
  std::vector<LockStep::PlannedTask> plan(const BitRequest& request);

 private:
  // Makes a part of a request, from its first element on; on a plan, without shares.
  template <typename Request, typename Tensor>
  void make(const Request& request, std::int64_t begin, std::vector<Tensor>& shares);
  void make(const MatrixProductRequest& request, std::int64_t begin, std::vector<RingTensor>& shares);
  template <typename Request, typename Tensor>
  void add_tasks(const Request& of, std::vector<Tensor>& shares, std::vector<LockStep::Task>& tasks);
  template <typename Request, typename Tensor>
  void add_request(const Request& request, std::vector<Tensor>& shares, std::vector<LockStep::Task>& tasks);
  template <typename Tensor, typename Request>
  std::vector<LockStep::PlannedTask> plan_tasks(const Request& request);

  PairNetwork& network_;
  const CorrelationsFrom from_;
  BitTimesWord products_;
  Engine engine_;
  MaskedProduct matrices_;
};

}  // namespace tacit::mpc
