// The algorithms of all_reduce, each in a file of its own with its cost. All require at least two
// parties and one word.
#pragma once

#include "net/collectives/all_reduce.h"
#include "net/collectives/made_words.h"

namespace tacit::net {

void all_reduce_direct(Group& group, Tensors tensors, const BeforeUse& before_use = {});
Cost direct_cost(std::span<const WordShape> tensors, int parties);

void all_reduce_star(Group& group, Tensors tensors);
Cost star_cost(std::span<const WordShape> tensors, int parties, int rank);

void all_reduce_two_phase(Group& group, Tensors tensors, const BeforeUse& before_use = {});
Cost two_phase_cost(std::span<const WordShape> tensors, int parties, int rank);

void all_reduce_ring(Group& group, Tensors tensors);
Cost ring_cost(std::span<const WordShape> tensors, int parties, int rank);

}  // namespace tacit::net
