#include "net/collectives/bucketed_all_reduce.h"

#include <utility>

#include "net/collectives/pack.h"
#include "net/error.h"

namespace tacit::net {

BucketedAllReduce::BucketedAllReduce(BackgroundAllReduce& background, std::int64_t bucket_bytes)
    : background_(background), bucket_bytes_(bucket_bytes) {
  TACIT_CHECK(bucket_bytes > 0);
}

void BucketedAllReduce::add(Words tensor) {
  bucket_.push_back(tensor);
  filled_ += packed_bytes(tensor.count(), tensor.bits);
  if (filled_ >= bucket_bytes_) start();
}

void BucketedAllReduce::finish() {
  if (!bucket_.empty()) start();
  for (const auto ticket : std::exchange(under_way_, {})) background_.finish(ticket);
}

void BucketedAllReduce::start() {
  under_way_.push_back(background_.start(std::exchange(bucket_, {})));
  filled_ = 0;
}

}  // namespace tacit::net
