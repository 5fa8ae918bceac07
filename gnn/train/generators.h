// digest_of_generators — a digest of fixed draws of the generators that every rank runs by itself from the job's seed:
// dropout masks, batches and their order. Ranks whose digests differ would train on different masks without a word.
#pragma once

#include <string>

namespace tacit::gnn {

// 16 hexadecimal digits. Initial weights are not in it: the first party's alone count.
std::string digest_of_generators();

}  // namespace tacit::gnn
