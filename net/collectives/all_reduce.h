// all_reduce gives every party the sum of all parties' tensors, modulo 2^k of each tensor.
//
// There are four algorithms, each with its cost as code. AllReducePlan
// (net/collectives/all_reduce_plan.h) chooses among them by size. Tensors of different widths share
// the rounds and the messages. All algorithms give bit-identical sums.
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

// Works in place. Every party must call it with tensors of the same shapes and the same algorithm.
// For one party, or without words, nothing is sent and the cost is zero.
void all_reduce(Group& group, Tensors tensors, AllReduce algorithm);

// The cost at the party `rank` of `parties`.
Cost all_reduce_cost(AllReduce algorithm, std::span<const WordShape> tensors, int parties, int rank);

}  // namespace tacit::net
