// digest_of_generators — a digest of fixed draws of the generators that every rank runs by itself
// from the job's seed: dropout masks, batches and the order of batches. Ranks with different
// digests would train on different masks, and no error would occur.
#pragma once

#include <string>

namespace tacit::gnn {

// 16 hexadecimal digits. The digest does not cover initial weights, because only the first party's
// count.
std::string digest_of_generators();

}  // namespace tacit::gnn
