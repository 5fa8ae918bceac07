#include "mpc/kernels/bit_slice.h"

#include <algorithm>
#include <array>

#include "mpc/kernels/loops.h"

namespace tacit::mpc {

namespace {

constexpr std::int64_t kGrain = 256;  // words of bits, 64 elements each

using Block = std::array<std::uint64_t, kWordBits>;

// The elements that word w of a BitTensor stands for: 64, and fewer at the end.
std::int64_t elements_of(std::int64_t w, std::int64_t size) {
  return std::min<std::int64_t>(kWordBits, size - w * kWordBits);
}

// `of` makes the word whose bits are wanted. Missing elements count as zeros: the padding of every plane.
template <typename Of>
void planes_of_words(const RingTensor& tensor, int first, std::span<BitTensor> planes, Workers& workers, const Of& of) {
  TACIT_CHECK(first >= 0 && first + std::ssize(planes) <= tensor.bits());
  for (const BitTensor& plane : planes) TACIT_CHECK(plane.shape() == tensor.shape());
  std::array<std::uint64_t*, kWordBits> to{};
  for (std::size_t j = 0; j < planes.size(); ++j) to[j] = planes[j].words().data();
  const auto transpose = loops(best_instructions()).transpose_bits;
  workers.for_ranges(BitTensor::words_for(tensor.size()), kGrain, [&](std::int64_t begin, std::int64_t end) {
    Block rows, bits;
    for (std::int64_t w = begin; w < end; ++w) {
      const std::uint64_t* from = tensor.data() + w * kWordBits;
      const std::int64_t elements = elements_of(w, tensor.size());
      if (elements < kWordBits) rows.fill(0);
      std::transform(from, from + elements, rows.data(), of);
      transpose(rows.data(), bits.data());
      for (std::size_t j = 0; j < planes.size(); ++j) to[j][w] = bits[static_cast<std::size_t>(first) + j];
    }
  });
}

}  // namespace

void bit_planes(const RingTensor& tensor, int first, std::span<BitTensor> planes, Workers& workers) {
  planes_of_words(tensor, first, planes, workers, [](std::uint64_t word) { return word; });
}

void bit_planes_of_difference(std::uint64_t constant, const RingTensor& tensor, int first, std::span<BitTensor> planes,
                              Workers& workers) {
  planes_of_words(tensor, first, planes, workers, [constant](std::uint64_t word) { return constant - word; });
}

void widen(const BitTensor& bits, RingTensor& out, Workers& workers) {
  TACIT_CHECK(bits.shape() == out.shape());
  const auto loop = loops(best_instructions()).widen;
  const std::uint64_t* words = bits.words().data();
  workers.for_ranges(std::ssize(bits.words()), kGrain, [&](std::int64_t begin, std::int64_t end) {
    const std::int64_t whole = std::min(end, bits.size() / kWordBits);
    loop(words + begin, whole - begin, out.data() + begin * kWordBits);
    if (whole == end) return;
    Block last;
    loop(words + whole, 1, last.data());
    std::copy_n(last.data(), elements_of(whole, bits.size()), out.data() + whole * kWordBits);
  });
}

}  // namespace tacit::mpc
