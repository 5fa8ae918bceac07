#include "mpc/lattice/pair_product.h"

#include <atomic>

namespace tacit::mpc::lattice {

namespace {

RingView cut_out(RingView whole, std::int64_t row, std::int64_t rows, std::int64_t column, std::int64_t columns) {
  whole.words += row * whole.row_stride + column * whole.col_stride;
  whole.shape = {rows, columns};
  return whole;
}

template <typename Byte>
std::span<Byte> piece(std::span<Byte> message, std::int64_t begin, std::int64_t end) {
  return message.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
}

}  // namespace

PairProduct::PairProduct(const PlannedPart& part, PartyKeys& keys, RingView x, RingView y, Workers& workers,
                         bool encrypts)
    : plan_(part.plan),
      blocks_(part.plan.blocks),
      count_(blocks_.count()),
      first_(part.first),
      keys_(keys),
      x_(cut_out(x, first_.m, blocks_.size.m, first_.c, blocks_.size.c)),
      y_(cut_out(y, first_.c, blocks_.size.c, first_.p, blocks_.size.p)),
      workers_(workers),
      first_encryption_(keys.reserve(encrypts ? plan_.ciphertexts() : 0)),
      places_{0} {
  for (std::int64_t i = 0; i < answers(); ++i) {
    places_.push_back(places_.back() + plan_.answer_bytes(i / count_.p, i % count_.p));
  }
}

void PairProduct::encrypt(std::span<std::byte> message) {
  const auto seeds = keys_.seeds(keys_.rank(), first_encryption_, plan_.ciphertexts());
  const std::int64_t size = keys_.ring().modulus().message_bytes(), lefts = plan_.left_ciphertexts();
  workers_.for_each(plan_.ciphertexts(), [&](std::int64_t i) {
    std::vector<std::uint64_t> words(kDegree);
    if (i < lefts) {
      blocks_.left(x_, i / count_.c, i % count_.c, plan_.bits, words.data());
    } else {
      blocks_.right(y_, (i - lefts) / count_.p, (i - lefts) % count_.p, plan_.bits, words.data());
    }
    const Limbs a = keys_.half(seeds[static_cast<std::size_t>(i)]);
    keys_.key().encrypt(words.data(), plan_.bits, a, own_stream(keys_.nonce()),
                        piece(message, i * size, (i + 1) * size));
  });
}

PeerCiphertexts PairProduct::received(int holder, UninitialisedVector<std::byte> message) {
  return {keys_.seeds(holder, first_encryption_, plan_.ciphertexts()), std::move(message)};
}

std::vector<Ciphertext> PairProduct::read(int holder, const PeerCiphertexts& theirs) const {
  TACIT_CHECK(std::ssize(theirs.seeds) == plan_.ciphertexts());
  std::vector<Ciphertext> out(static_cast<std::size_t>(plan_.ciphertexts()));
  const std::span<const std::byte> message = theirs.residues;
  const std::int64_t size = keys_.ring().modulus().message_bytes();
  std::atomic<bool> valid = true;
  workers_.for_each(plan_.ciphertexts(), [&](std::int64_t i) {
    const auto at = static_cast<std::size_t>(i);
    out[at] = {keys_.half(theirs.seeds[at]), Limbs(keys_.ring().limbs())};
    if (!read_residues(keys_.ring(), piece(message, i * size, (i + 1) * size), out[at].b)) valid = false;
  });
  if (!valid) report_residue(holder);
  return out;
}

std::vector<Term> PairProduct::terms(std::span<const Ciphertext> ciphertexts, std::int64_t x, std::int64_t y) const {
  std::vector<Term> out;
  const auto add = [&](std::int64_t ciphertext, std::int64_t length) {
    out.push_back({&ciphertexts[static_cast<std::size_t>(ciphertext)], length});
  };
  for (std::int64_t t = 0; plan_.left() && t < count_.c; ++t) add(x * count_.c + t, blocks_.right_length());
  for (std::int64_t t = 0; plan_.right() && t < count_.c; ++t) {
    add(plan_.left_ciphertexts() + t * count_.p + y, blocks_.left_length());
  }
  return out;
}

void PairProduct::write_multiplier(std::int64_t term, std::int64_t x, std::int64_t y, std::uint64_t* words) const {
  const bool of_left_ciphertext = plan_.left() && term < count_.c;
  if (of_left_ciphertext) {
    blocks_.right(y_, term, y, plan_.bits, words);
  } else {
    blocks_.left(x_, x, term % count_.c, plan_.bits, words);
  }
  const std::int64_t length = of_left_ciphertext ? blocks_.right_length() : blocks_.left_length();
  for (std::int64_t i = 0; i < length; ++i) words[i] = static_cast<std::uint64_t>(signed_value(words[i], plan_.bits));
}

void PairProduct::answer(int holder, const PeerCiphertexts& theirs, std::span<std::byte> message, RingTensor& out) {
  const std::vector<Ciphertext> encrypted = read(holder, theirs);
  workers_.for_each(answers(), [&](std::int64_t i) {
    const std::int64_t x = i / count_.p, y = i % count_.p;
    const Zero zero(own_stream(keys_.nonce()));
    const auto sum = hidden_sum(
        keys_.ring(), keys_.public_key(holder), terms(encrypted, x, y),
        [&](std::int64_t term, std::uint64_t* words) { write_multiplier(term, x, y, words); }, zero);
    const auto wanted = blocks_.wanted(x, y);
    std::vector<std::uint64_t> shares(wanted.size());
    const auto at = static_cast<std::size_t>(i);
    write_answer(keys_.ring(), sum, plan_.bits, wanted, piece(message, places_[at], places_[at + 1]), shares);
    add_shares(i, shares, out);
  });
}

void PairProduct::open(std::span<const std::byte> answers, RingTensor& out) const {
  workers_.for_each(this->answers(), [&](std::int64_t i) {
    const auto wanted = blocks_.wanted(i / count_.p, i % count_.p);
    std::vector<std::uint64_t> shares(wanted.size());
    const auto at = static_cast<std::size_t>(i);
    keys_.key().open(piece(answers, places_[at], places_[at + 1]), plan_.bits, wanted, shares);
    add_shares(i, shares, out);
  });
}

void PairProduct::add_shares(std::int64_t answer, std::span<const std::uint64_t> shares, RingTensor& out) const {
  const std::int64_t x = answer / count_.p, y = answer % count_.p, columns = out.shape().cols;
  const ProductSize results = blocks_.part(x, y);
  std::uint64_t* row = out.data() + (first_.m + x * blocks_.width.m) * columns + first_.p + y * blocks_.width.p;
  for (std::size_t i = 0; i < shares.size(); row += columns) {
    for (std::int64_t h = 0; h < results.p; ++h, ++i) row[h] = (row[h] + shares[i]) & low_bits(out.bits());
  }
}

}  // namespace tacit::mpc::lattice
