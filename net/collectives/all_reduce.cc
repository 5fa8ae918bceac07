#include "net/collectives/all_reduce.h"

#include "net/collectives/all_reduce_algorithms.h"
#include "net/collectives/cut.h"
#include "net/error.h"

namespace tacit::net {

std::string_view name(AllReduce algorithm) {
  switch (algorithm) {
    case AllReduce::kDirect:
      return "direct";
    case AllReduce::kStar:
      return "star";
    case AllReduce::kTwoPhase:
      return "two-phase";
    case AllReduce::kRing:
      return "ring";
  }
  TACIT_CHECK(false);
}

void all_reduce(Group& group, Tensors tensors, AllReduce algorithm) {
  const std::vector<WordShape> all = shapes(tensors);
  if (group.parties() == 1 || packed_bytes(all) == 0) {
    for (const Words& tensor : tensors) reduce(tensor);
    return;
  }
  switch (algorithm) {
    case AllReduce::kDirect:
      return all_reduce_direct(group, tensors);
    case AllReduce::kStar:
      return all_reduce_star(group, tensors);
    case AllReduce::kTwoPhase:
      return all_reduce_two_phase(group, tensors);
    case AllReduce::kRing:
      return all_reduce_ring(group, tensors);
  }
}

void all_reduce(Group& group, const Words& tensor, AllReduce algorithm, const MakeWords& make) {
  const Tensors tensors(&tensor, 1);
  const bool overlaps = algorithm == AllReduce::kDirect || algorithm == AllReduce::kTwoPhase;
  if (group.parties() == 1 || tensor.count() == 0 || !overlaps) {
    make(0, tensor.count());
    return all_reduce(group, tensors, algorithm);
  }
  const BeforeUse before_use = [&](const std::vector<Words>& segment) {
    for (const Words& part : segment) make(part.words.data() - tensor.words.data(), part.count());
  };
  algorithm == AllReduce::kDirect ? all_reduce_direct(group, tensors, before_use)
                                  : all_reduce_two_phase(group, tensors, before_use);
}

Cost all_reduce_cost(AllReduce algorithm, std::span<const WordShape> tensors, int parties, int rank) {
  if (parties == 1 || packed_bytes(tensors) == 0) return {};
  switch (algorithm) {
    case AllReduce::kDirect:
      return direct_cost(tensors, parties);
    case AllReduce::kStar:
      return star_cost(tensors, parties, rank);
    case AllReduce::kTwoPhase:
      return two_phase_cost(tensors, parties, rank);
    case AllReduce::kRing:
      return ring_cost(tensors, parties, rank);
  }
  TACIT_CHECK(false);
}

}  // namespace tacit::net
