// made_words — collectives of words that do not exist yet: a range of words is made right before it is sent or added to, and
// travels while the next range is made. Results and costs are the same as in collectives.h.
#pragma once

#include <functional>
#include <vector>

#include "net/collectives/all_reduce.h"
#include "net/collectives/collectives.h"

namespace tacit::net {

// Makes the words [begin, begin + count) of a tensor.
using MakeWords = std::function<void(std::int64_t begin, std::int64_t count)>;

// `make` is called for ranges that together are the tensor, each once. A range is a segment (cut.h). Ring and star make all
// words first.
void all_reduce(Group& group, const Words& tensor, AllReduce algorithm, const MakeWords& make);

// Called for each segment of each list, before it is sent or added to. Null: nothing is called.
using BeforeUse = std::function<void(const std::vector<Words>& segment)>;
void reduce_scatter(Group& group, TensorsByParty by_party, const BeforeUse& before_use);

}  // namespace tacit::net
