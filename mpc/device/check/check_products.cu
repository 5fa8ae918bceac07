#include <string>

#include "mpc/device/check/device_memory.h"
#include "mpc/device/check/findings.h"
#include "mpc/device/limbs.h"
#include "mpc/device/ring_product.h"

namespace tacit::mpc::device {

namespace {

struct Case {
  std::int64_t rows, depth, cols;
  int bits;
  bool left_transposed, right_transposed;
  Into into;
  bool ones = false;
};

std::vector<Word> by_definition(const Case& c, const std::vector<Word>& a, const std::vector<Word>& b,
                                std::vector<Word> out) {
  for (std::int64_t r = 0; r < c.rows; ++r) {
    std::vector<Word> row(static_cast<std::size_t>(c.cols), 0);
    for (std::int64_t i = 0; i < c.depth; ++i) {
      const Word left = a[static_cast<std::size_t>(c.left_transposed ? i * c.rows + r : r * c.depth + i)];
      for (std::int64_t j = 0; j < c.cols; ++j) {
        row[static_cast<std::size_t>(j)] +=
            left * b[static_cast<std::size_t>(c.right_transposed ? j * c.depth + i : i * c.cols + j)];
      }
    }
    for (std::int64_t j = 0; j < c.cols; ++j) {
      Word& o = out[static_cast<std::size_t>(r * c.cols + j)];
      const Word sum = row[static_cast<std::size_t>(j)];
      o = (c.into == Into::kSet ? sum : c.into == Into::kAdd ? o + sum : o - sum) & mask_of(c.bits);
    }
  }
  return out;
}

void check(Findings& findings, const Card& card, const Case& c) {
  const auto operand = [&](std::int64_t count) {
    return c.ones ? std::vector<Word>(static_cast<std::size_t>(count), mask_of(c.bits)) : findings.random_words(count);
  };
  const auto a = operand(c.rows * c.depth), b = operand(c.depth * c.cols);
  const auto before = findings.random_words(c.rows * c.cols, mask_of(c.bits));
  const auto expected = by_definition(c, a, b, before);
  const DeviceMemory da(a), db(b);
  const DeviceView left = c.left_transposed ? DeviceView{da.words(), c.rows, c.depth, 1, c.rows}
                                            : DeviceView{da.words(), c.rows, c.depth, c.depth, 1};
  const DeviceView right = c.right_transposed ? DeviceView{db.words(), c.depth, c.cols, 1, c.depth}
                                              : DeviceView{db.words(), c.depth, c.cols, c.cols, 1};
  const struct {
    const char* name;
    decltype(&product_by_words) product;
  } ways[] = {{"words", product_by_words}, {"warps", product_by_warps}, {"warpgroups", product_by_warpgroups}};
  for (const auto& way : ways) {
    if (way.product == product_by_warpgroups && !card.hopper) continue;
    const DeviceMemory out(before);
    must(way.product(left, right, c.into, out.words(), c.bits, card.processors, Stream{}), "the start of a product");
    settle();
    findings.expect(out.read() == expected, std::string("product by ") + way.name + ", " + std::to_string(c.rows) +
                                                " x " + std::to_string(c.depth) + " x " + std::to_string(c.cols) +
                                                ", k = " + std::to_string(c.bits));
  }
}

void check_small(Findings& findings, const Card& card) {
  for (const int bits : {64, 51, 38}) {
    for (int t = 0; t < 4; ++t) {
      check(findings, card, {130, 65, 67, bits, (t & 1) != 0, (t & 2) != 0, static_cast<Into>((t + bits) % 3)});
      check(findings, card, {17, 300, 7, bits, (t & 1) != 0, (t & 2) != 0, static_cast<Into>((t + 1 + bits) % 3)});
    }
  }
}

void check_deep(Findings& findings, const Card& card, int bits) {
  constexpr std::int64_t kDepth = 2 * kDeepest + 33;
  for (const auto into : {Into::kSet, Into::kAdd, Into::kSubtract}) {
    check(findings, card, {16, kDepth, 8, bits, false, false, into, true});
  }
  check(findings, card, {130, kDepth, 65, bits, false, true, Into::kSubtract, true});
  // With this many blocks, the inner dimension stays in one piece, and sums are merged on the way.
  if (bits == 64 || bits == 51 || bits == 38) {
    check(findings, card, {2200, kDepth, 100, bits, false, false, Into::kAdd, true});
  }
}

}  // namespace

void check_products(Findings& findings, bool small) {
  const Card here = card();
  if (small) {
    check_small(findings, here);
    findings.conclude("products");
    return;
  }
  for (int bits = 1; bits <= 64; ++bits) {
    for (int t = 0; t < 4; ++t) {
      check(findings, here, {19, 37, 11, bits, (t & 1) != 0, (t & 2) != 0, static_cast<Into>((t + bits) % 3)});
    }
  }
  findings.conclude("products, every ring");
  for (const int bits : {64, 63, 57, 51, 48, 40, 38, 33, 25}) {
    for (int t = 0; t < 4; ++t) {
      const bool left = (t & 1) != 0, right = (t & 2) != 0;
      const auto into = static_cast<Into>((t + bits) % 3);
      check(findings, here, {257, 129, 131, bits, left, right, into});
      check(findings, here, {128, 64, 64, bits, left, right, into});
      check(findings, here, {17, 300, 7, bits, left, right, into});
      check(findings, here, {300, 1024, 256, bits, left, right, into});  // cuts its inner dimension
    }
  }
  findings.conclude("products, transposed or cut");
  for (const int bits : {64, 57, 51, 48, 38, 25}) check_deep(findings, here, bits);
  findings.conclude("products, depth 8225 of ones");
  for (const std::int64_t rows : {1, 15, 16, 17, 63, 64, 65, 129}) {
    for (const std::int64_t cols : {1, 8, 9, 16, 17, 31, 33, 64, 97}) {
      for (const std::int64_t depth : {1, 3, 4, 31, 33}) {
        check(findings, here, {rows, depth, cols, 64, rows % 2 != 0, cols % 2 != 0, Into::kAdd});
      }
    }
  }
  findings.conclude("products, ugly shapes");
}

}  // namespace tacit::mpc::device
