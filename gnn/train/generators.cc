#include "gnn/train/generators.h"

#include <fmt/format.h>

#include "gnn/model/dropout.h"
#include "gnn/train/batches.h"
#include "mpc/sealed/storage_key.h"

namespace tacit::gnn {

std::string digest_of_generators() {
  constexpr std::uint64_t kSeed = 0x7ac1'7ac1'7ac1;
  constexpr Shape kMask{7, 5};
  constexpr std::int64_t kNodes = 23, kBatch = 5;
  std::string drawn;
  for (const double rate : {0.25, 0.5}) {
    const Matrix mask = dropout_mask(kMask, rate, kSeed, /*layer=*/2, /*pass=*/3);
    for (const double element : mask.reshaped()) drawn += element == 0 ? '0' : '1';
  }
  const std::vector<Rows> batches = batches_of(kNodes, kBatch, kSeed);
  for (const Rows& batch : batches) drawn += fmt::format("|{}", fmt::join(batch, " "));
  drawn += fmt::format("|{}", fmt::join(order_of_batches(batches.size(), kSeed, /*epoch=*/4), " "));
  const mpc::Digest digest = mpc::digest_of(std::as_bytes(std::span(drawn)));
  return fmt::format("{:02x}", fmt::join(std::span(digest).first<8>(), ""));
}

}  // namespace tacit::gnn
