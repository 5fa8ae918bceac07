#include "mpc/session/party.h"

#include "net/collectives/all_reduce.h"
#include "net/collectives/collectives.h"
#include "net/error.h"

namespace tacit::mpc {

namespace {

// The seeds by party; the entry of this rank is never used.
std::vector<PairSeed> seeds_of(net::Mesh& mesh, const Nonce& nonce, Workers& workers) {
  std::vector<PairSeed> seeds;
  for (int party = 0; party < mesh.parties(); ++party) {
    party == mesh.rank() ? seeds.emplace_back() : seeds.emplace_back(mesh.channel(party), nonce, &workers);
  }
  return seeds;
}

}  // namespace

Party::Party(net::Mesh& mesh, const Nonce& nonce, Workers& workers, net::AllReducePlan plan,
             std::unique_ptr<Correlations> correlations, device::Device* device)
    : mesh_(mesh),
      nonce_(nonce),
      workers_(workers),
      products_(workers, device),
      group_(mesh),
      plan_(std::move(plan)),
      seeds_(seeds_of(mesh, nonce, workers)),
      transcript_(seeds_, mesh.rank(), &workers),
      own_seed_(PairSeed::own(nonce, &workers)),
      own_noise_([nonce] { return PairSeed::own(nonce); }),
      correlations_(std::move(correlations)) {
  group_.set_watch(&transcript_);
  if (workers.threads() > 1) {
    group_.set_ranges([&workers](std::int64_t count, std::int64_t grain, const auto& work) {
      workers.for_ranges(count, grain, work);
    });
  }
}

void Party::begin(std::int64_t operation) {
  operation_ = operation;
  draws_ = 0;
  correlations_->begin(operation);
}

void Party::open(std::span<RingTensor> tensors, std::span<BitTensor> bits) {
  std::vector<net::Words> all;
  for (RingTensor& tensor : tensors) all.push_back({tensor.words(), tensor.bits()});
  for (BitTensor& tensor : bits) all.push_back({tensor.words(), kWordBits, net::Sum::kXor});
  net::all_reduce(group_, all, plan_);
  for (const net::Words& tensor : all) transcript_.absorb(tensor.words);
}

// The other parties have nothing to add up, so this sends to one party only.
void Party::open_to(int party, std::span<RingTensor> tensors) {
  std::vector<net::Words> words;
  for (RingTensor& tensor : tensors) words.push_back({tensor.words(), tensor.bits()});
  std::vector<net::Tensors> by_party(static_cast<std::size_t>(parties()));
  by_party[static_cast<std::size_t>(party)] = words;
  net::reduce_scatter(group_, by_party);
}

void Party::tell_all(int from, RingTensor& words) {
  const net::Words told{words.words(), words.bits()};
  net::broadcast(group_, from, net::Tensors(&told, 1));
  const net::ConstBytes bytes = std::as_bytes(words.words());
  if (rank() != from) return transcript_.received(from, std::span(&bytes, 1));
  for (int peer = 0; peer < parties(); ++peer) {
    if (peer != from) transcript_.sent(peer, std::span(&bytes, 1));
  }
}

RingTensor Party::own_random(Shape shape, int bits) {
  RingTensor words(shape, bits);
  own_seed_.fill(next(Draw::kOwn), words);
  return words;
}

BitTensor Party::own_random_bits(Shape shape) {
  BitTensor bits(shape);
  own_seed_.fill(next(Draw::kOwn), bits);
  return bits;
}

void Party::refresh(RingTensor& share) {
  StreamName name = next(Draw::kZero);
  for (int peer = 0; peer < parties(); ++peer) {
    if (peer != rank()) name.seen = transcript_.tag(peer);
    if (peer > rank()) seed(peer).add(name, share);
    if (peer < rank()) seed(peer).subtract(name, share);
  }
}

}  // namespace tacit::mpc
