#include <string>
#include <utility>

#include "mpc/device/aes_stream.h"
#include "mpc/device/bit_planes.h"
#include "mpc/device/check/device_memory.h"
#include "mpc/device/check/findings.h"
#include "mpc/device/check/plain_aes.h"
#include "mpc/device/elementwise.h"
#include "mpc/device/packing.h"
#include "mpc/device/sparse_product.h"

namespace tacit::mpc::device {

namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

void check_streams(Findings& findings, int processors) {
  const Word mask = mask_of(51);
  for (int carries = 0; carries <= 4; ++carries) {  // groups of 32 bits that the counter carries through
    unsigned char key[16], counter[16];
    const auto random = findings.random_words(4);
    std::memcpy(key, random.data(), 16);
    std::memcpy(counter, random.data() + 2, 16);
    std::memset(counter + 16 - 4 * carries, 0xFF, at(4 * carries));
    const PlainAes aes(key);
    for (const std::int64_t count : {1, 2, 511, 4097}) {
      const auto stream = aes.stream(counter, count), before = findings.random_words(count, mask);
      for (const Draw how : {Draw::kFill, Draw::kAdd, Draw::kSubtract, Draw::kFlip}) {
        const DeviceMemory words(before);
        must(draw(expand(key, counter), how, words.words(), count, mask, 0, processors, Stream{}), "a stream's start");
        settle();
        auto expected = before;
        for (std::size_t i = 0; i < expected.size(); ++i) {
          if (how == Draw::kFill) expected[i] = stream[i] & mask;
          if (how == Draw::kAdd) expected[i] = (before[i] + stream[i]) & mask;
          if (how == Draw::kSubtract) expected[i] = (before[i] - stream[i]) & mask;
          if (how == Draw::kFlip) expected[i] = before[i] ^ stream[i];
        }
        findings.expect(words.read() == expected, "stream of " + std::to_string(count) + " words");
      }
    }
  }
  findings.conclude("streams of AES");
}

void check_packing(Findings& findings, int processors) {
  for (const int bits : {1, 12, 13, 25, 26, 38, 51, 63, 64}) {
    for (const std::int64_t count : {1, 8, 65, 3000}) {
      const auto words = findings.random_words(count), before = findings.random_words(count, mask_of(bits));
      const DeviceMemory from(words), packed(ceil_div(count * bits, 64)), stored(before), sum(before), flipped(before);
      must(pack(from.words(), count, bits, packed.words(), processors, Stream{}), "the start of packing");
      for (const auto& [how, to] :
           {std::pair(Unpack::kStore, &stored), std::pair(Unpack::kAdd, &sum), std::pair(Unpack::kFlip, &flipped)}) {
        must(unpack(packed.words(), how, count, bits, to->words(), processors, Stream{}), "unpacking's start");
      }
      settle();
      const auto wire = packed.read(), got = sum.read(), as_stored = stored.read(), as_flipped = flipped.read();
      bool right = true;
      for (std::int64_t i = 0; i < count; ++i) {
        right &= got[at(i)] == ((before[at(i)] + words[at(i)]) & mask_of(bits));
        right &= as_stored[at(i)] == (words[at(i)] & mask_of(bits));
        right &= as_flipped[at(i)] == (before[at(i)] ^ (words[at(i)] & mask_of(bits)));
        for (int b = 0; b < bits; ++b) {
          right &= (wire[at((i * bits + b) / 64)] >> ((i * bits + b) % 64) & 1) == (words[at(i)] >> b & 1);
        }
      }
      findings.expect(right, "packing of " + std::to_string(bits) + " bits");
    }
  }
  for (const std::int64_t count : {1, 33, 256, 5001}) {
    const auto words = findings.random_words(count);
    const std::int64_t stride = ceil_div(count, 64);
    const DeviceMemory from(words), planes(stride * 26);
    must(bit_planes(from.words(), count, 5, 26, planes.words(), stride, processors, Stream{}), "bit planes' start");
    settle();
    const auto got = planes.read();
    bool right = true;
    for (std::int64_t i = 0; i < count; ++i) {
      for (int j = 0; j < 26; ++j) {
        right &= (got[at(j * stride + i / 64)] >> (i % 64) & 1) == (words[at(i)] >> (5 + j) & 1);
      }
    }
    findings.expect(right, "bit planes of " + std::to_string(count) + " words");
  }
  findings.conclude("packing and bit planes");
}

// One body on the device and in a loop here.
template <typename Body>
void check_body(Findings& findings, int processors, Body on_device, Body here, std::int64_t count, const char* name) {
  const DeviceMemory out(count);
  std::vector<Word> expected(at(count));
  on_device.out = out.words();
  here.out = expected.data();
  must(for_each(on_device, count, processors, Stream{}), "the start of an elementwise step");
  settle();
  for (std::int64_t i = 0; i < count; ++i) here(i);
  findings.expect(out.read() == expected, name);
}

void check_bodies(Findings& findings, int processors) {
  for (const std::int64_t count : {1, 64, 777, 100001}) {
    std::vector<std::vector<Word>> v;
    for (int i = 0; i < 8; ++i) v.push_back(findings.random_words(count));
    const auto bits = findings.random_words(ceil_div(count, 64));
    const DeviceMemory a(v[0]), b(v[1]), c(v[2]), d(v[3]), e(v[4]), f(v[5]), g(v[6]), h(v[7]), set(bits);
    const Word all = ~Word{0};
    check_body(findings, processors, DropBits{a.words(), nullptr, 13, 1 << 12, mask_of(61)},
               DropBits{v[0].data(), nullptr, 13, 1 << 12, mask_of(61)}, count, "drop");
    check_body(findings, processors,
               PartyProduct{a.words(), b.words(), c.words(), d.words(), e.words(), nullptr, all, mask_of(55)},
               PartyProduct{v[0].data(), v[1].data(), v[2].data(), v[3].data(), v[4].data(), nullptr, all, mask_of(55)},
               count, "party's product");
    check_body(findings, processors,
               Select{a.words(), b.words(), c.words(), d.words(), e.words(), f.words(), g.words(), h.words(),
                      set.words(), nullptr, 51, all, all},
               Select{v[0].data(), v[1].data(), v[2].data(), v[3].data(), v[4].data(), v[5].data(), v[6].data(),
                      v[7].data(), bits.data(), nullptr, 51, all, all},
               count, "select");
  }
  findings.conclude("elementwise steps");
}

void check_sparse(Findings& findings, int processors) {
  constexpr std::int64_t kRows = 57, kInner = 40;
  std::vector<Word> begin = {0}, numbers;  // numbers: two columns' numbers of 32 bits to a word
  std::vector<std::int32_t> cols_of;
  for (std::int64_t row = 0; row < kRows; ++row) {
    for (std::int32_t col = 0; col < kInner; ++col) {
      if ((row * 7 + col * 11) % 4 == 0) cols_of.push_back(col);
    }
    begin.push_back(static_cast<Word>(cols_of.size()));
  }
  numbers.resize(cols_of.size() / 2 + 1);
  std::memcpy(numbers.data(), cols_of.data(), cols_of.size() * 4);
  const auto values = findings.random_words(std::ssize(cols_of));
  const DeviceMemory dbegin(begin), dnumbers(numbers), dvalues(values);
  const SparseRows m{kRows, reinterpret_cast<const std::int64_t*>(dbegin.words()),
                     reinterpret_cast<const std::int32_t*>(dnumbers.words()), dvalues.words()};
  for (const std::int64_t cols : {1, 7, 32, 33, 100}) {
    const auto x = findings.random_words(kInner * cols);
    std::vector<Word> expected(at(kRows * cols), 0);
    for (std::int64_t row = 0; row < kRows; ++row) {
      for (Word e = begin[at(row)]; e < begin[at(row + 1)]; ++e) {
        for (std::int64_t c = 0; c < cols; ++c)
          expected[at(row * cols + c)] += values[e] * x[at(cols_of[e] * cols + c)];
      }
    }
    for (Word& w : expected) w &= mask_of(51);
    const DeviceMemory dx(x), out(kRows * cols);
    must(sparse_product(m, dx.words(), cols, out.words(), mask_of(51), processors, Stream{}),
         "a sparse product's start");
    settle();
    findings.expect(out.read() == expected, "sparse product of " + std::to_string(cols) + " columns");
  }
  findings.conclude("sparse products");
}

}  // namespace

void check_words(Findings& findings) {
  const int processors = card().processors;
  check_streams(findings, processors);
  check_packing(findings, processors);
  check_bodies(findings, processors);
  check_sparse(findings, processors);
}

}  // namespace tacit::mpc::device
