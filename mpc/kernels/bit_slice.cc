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

// The planes of (word ^ flip) + constant. Missing elements are zeros: the padding of every plane.
void planes_of_words(RingView view, std::uint64_t flip, std::uint64_t constant, int first, std::span<BitTensor> planes,
                     Workers& workers) {
  TACIT_CHECK(view.row_major() && first >= 0 && first + std::ssize(planes) <= kWordBits);
  for (const BitTensor& plane : planes) TACIT_CHECK(plane.shape() == view.shape);
  std::array<std::uint64_t*, kWordBits> to{};
  for (std::size_t j = 0; j < planes.size(); ++j) to[j] = planes[j].words().data();
  const auto loop = loops(best_instructions()).bit_planes;
  const std::int64_t size = view.shape.size();
  const PlanesWords words{view.words, constant, flip, first, static_cast<int>(planes.size()), to.data()};
  const std::int64_t whole = size / kWordBits;
  workers.for_ranges(whole, kGrain, [&](std::int64_t begin, std::int64_t end) { loop(words, begin, end); });
  if (whole == BitTensor::words_for(size)) return;
  Block last{};
  std::copy_n(view.words + whole * kWordBits, elements_of(whole, size), last.data());
  for (std::size_t j = 0; j < planes.size(); ++j) to[j] += whole;
  loop({last.data(), constant, flip, first, words.count, to.data()}, 0, 1);
  for (BitTensor& plane : planes) plane.clear_padding();
}

}  // namespace

void bit_planes(const RingTensor& tensor, int first, std::span<BitTensor> planes, Workers& workers) {
  TACIT_CHECK(first + std::ssize(planes) <= tensor.bits());
  planes_of_words(tensor.view(), 0, 0, first, planes, workers);
}

void bit_planes(RingView words, int first, std::span<BitTensor> planes, Workers& workers) {
  planes_of_words(words, 0, 0, first, planes, workers);
}

// constant - word = ~word + 1 + constant
void bit_planes_of_difference(std::uint64_t constant, const RingTensor& tensor, int first, std::span<BitTensor> planes,
                              Workers& workers) {
  TACIT_CHECK(first + std::ssize(planes) <= tensor.bits());
  planes_of_words(tensor.view(), ~std::uint64_t{0}, constant + 1, first, planes, workers);
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
