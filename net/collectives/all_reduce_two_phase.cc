#include "net/collectives/all_reduce_algorithms.h"
#include "net/collectives/collectives.h"
#include "net/collectives/cut.h"

namespace tacit::net {

namespace {

std::vector<std::vector<WordShape>> chunk_shapes(std::span<const WordShape> tensors, int parties) {
  std::vector<std::vector<WordShape>> all;
  for (const Parts& chunk : cut_into_chunks(tensors, parties)) all.push_back(shapes_of(chunk, tensors));
  return all;
}

}  // namespace

// two-phase: every party adds up one chunk for all (reduce-scatter), then sends it to all (all-gather).
//
// Rounds      2
// Sends       2k/n bits per element to each peer: 2(n-1)/n of the tensor in all
Cost two_phase_cost(std::span<const WordShape> tensors, int parties, int rank) {
  const auto chunks = chunk_shapes(tensors, parties);
  const std::vector<std::span<const WordShape>> by_party(chunks.begin(), chunks.end());
  Cost cost = reduce_scatter_cost(by_party, rank);
  cost += all_gather_cost(by_party, rank);
  return cost;
}

void all_reduce_two_phase(Group& group, Tensors tensors, const BeforeUse& before_use) {
  std::vector<std::vector<Words>> chunks;
  for (const Parts& chunk : cut_into_chunks(shapes(tensors), group.parties())) {
    chunks.push_back(views_of(chunk, tensors));
  }
  const std::vector<Tensors> by_party(chunks.begin(), chunks.end());
  reduce_scatter(group, by_party, before_use);
  all_gather(group, by_party);
}

}  // namespace tacit::net
