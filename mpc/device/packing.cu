#include "mpc/device/packing.h"

#include "mpc/device/grid_loop.h"

namespace tacit::mpc::device {

namespace {

// A thread makes word j of the packed ones, of the words i with i·bits < 64·(j+1) and (i+1)·bits > 64·j.
__global__ void __launch_bounds__(kLoopThreads)
    pack_words(const Word* words, std::int64_t count, int bits, Word* packed) {
  const Word mask = mask_of(bits);
  const std::int64_t total = ceil_div(count * bits, 64);
  for (std::int64_t j = first_element(); j < total; j += element_step()) {
    const std::int64_t begin = 64 * j;
    Word made = 0;
    for (std::int64_t i = begin / bits; i < count && i * bits < begin + 64; ++i) {
      const std::int64_t shift = i * bits - begin;
      const Word word = words[i] & mask;
      made |= shift >= 0 ? word << shift : word >> -shift;
    }
    packed[j] = made;
  }
}

template <Unpack kHow>
__global__ void __launch_bounds__(kLoopThreads)
    unpack_words(const Word* packed, std::int64_t count, int bits, Word* words) {
  const Word mask = mask_of(bits);
  for (std::int64_t i = first_element(); i < count; i += element_step()) {
    const std::int64_t at = i * bits / 64;
    const int shift = static_cast<int>(i * bits % 64);
    Word word = __ldg(packed + at) >> shift;
    if (shift + bits > 64) word |= __ldg(packed + at + 1) << (64 - shift);
    if (kHow == Unpack::kStore) words[i] = word & mask;
    if (kHow == Unpack::kAdd) words[i] = (words[i] + word) & mask;
    if (kHow == Unpack::kFlip) words[i] ^= word & mask;
  }
}

}  // namespace

int pack(const Word* words, std::int64_t count, int bits, Word* packed, int processors, Stream stream) {
  if (count == 0) return 0;
  return launch(pack_words, loop_grid(ceil_div(count * bits, 64), processors), dim3(kLoopThreads), stream, words, count,
                bits, packed);
}

int unpack(const Word* packed, Unpack how, std::int64_t count, int bits, Word* words, int processors, Stream stream) {
  if (count == 0) return 0;
  const auto kernel = how == Unpack::kStore ? unpack_words<Unpack::kStore>
                      : how == Unpack::kAdd ? unpack_words<Unpack::kAdd>
                                            : unpack_words<Unpack::kFlip>;
  return launch(kernel, loop_grid(count, processors), dim3(kLoopThreads), stream, packed, count, bits, words);
}

}  // namespace tacit::mpc::device
