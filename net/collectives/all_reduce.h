// all_reduce — every party ends with the sum of all parties' tensors, modulo 2^k of each tensor.
//
// Four algorithms with their costs as code; AllReducePlan (net/collectives/all_reduce_plan.h) chooses between them by
// size. Many tensors of any widths share the rounds and the messages. Sums are the same bits whatever the algorithm.
#pragma once

#include <array>
#include <string_view>

#include "net/collectives/cost.h"
#include "net/collectives/group.h"
#include "net/collectives/words.h"

namespace tacit::net {

enum class AllReduce : unsigned char { kDirect = 0, kStar = 1, kTwoPhase = 2, kRing = 3 };

inline constexpr std::array kAllReduceAlgorithms{AllReduce::kDirect, AllReduce::kStar, AllReduce::kTwoPhase,
                                                 AllReduce::kRing};

std::string_view name(AllReduce algorithm);

// In place. Every party calls it with tensors of the same shapes and the same algorithm. Where there is nothing to send
// (one party, or no words) it costs nothing.
void all_reduce(Group& group, Tensors tensors, AllReduce algorithm);

// What it costs the party `rank` of `parties`.
Cost all_reduce_cost(AllReduce algorithm, std::span<const WordShape> tensors, int parties, int rank);

}  // namespace tacit::net
