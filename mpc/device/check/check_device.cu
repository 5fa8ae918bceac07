// The Device on a GPU: words that cross and come back, an operand that stays for several products, a full memory.
#include <exception>
#include <string>

#include "mpc/device/cards.h"
#include "mpc/device/check/findings.h"
#include "mpc/device/kernel_language.h"
#include "mpc/device/placed_words.h"

namespace tacit::mpc::device {

namespace {

using Words = std::vector<Word>;

Words got(Device& device, const PlacedWords& from) {
  Words words(static_cast<std::size_t>(from.count()), 1);
  device.get(from.words(), words);
  return words;
}

// Words of less than a pinned buffer, of a whole one, and of several.
void check_crossing(Findings& findings, Device& device) {
  constexpr std::int64_t kPiece = std::int64_t{1} << 20;
  for (const std::int64_t count :
       {std::int64_t{1}, std::int64_t{777}, kPiece - 1, kPiece, kPiece + 1, 3 * kPiece + 5}) {
    const Words first = findings.random_words(count), second = findings.random_words(count);
    const PlacedWords a(device, count), b(device, count);
    device.put(first, a.words());
    device.put(second, b.words());  // before the first has crossed
    const std::string what = std::to_string(count) + " words";
    findings.expect(got(device, a) == first, what + " to the device and back");
    findings.expect(got(device, b) == second, what + " after others");
    device.clear(a.words(), count);
    findings.expect(got(device, a) == Words(first.size(), 0), what + " cleared");
    findings.expect(got(device, b) == second, what + " beside cleared ones");
  }
  findings.conclude("device: words that cross");
}

// out = a·b, out += a·b or out -= a·b by the definition. a may be stored transposed.
void multiply(const Words& a, bool transposed, std::int64_t rows, std::int64_t depth, std::int64_t cols, const Words& b,
              Into into, Word mask, Words& out) {
  for (std::int64_t r = 0; r < rows; ++r) {
    for (std::int64_t c = 0; c < cols; ++c) {
      Word sum = 0;
      for (std::int64_t i = 0; i < depth; ++i) {
        sum += a[static_cast<std::size_t>(transposed ? i * rows + r : r * depth + i)] *
               b[static_cast<std::size_t>(i * cols + c)];
      }
      Word& to = out[static_cast<std::size_t>(r * cols + c)];
      to = (into == Into::kSet ? sum : into == Into::kAdd ? to + sum : to - sum) & mask;
    }
  }
}

void check_kept_operand(Findings& findings, Device& device) {
  constexpr std::int64_t kRows = 301, kDepth = 203, kCols = 17;
  const Words a = findings.random_words(kRows * kDepth);
  const PlacedWords kept(device, kRows * kDepth);
  device.put(a, kept.words());
  for (const int bits : {64, 51, 38}) {
    for (const Into into : {Into::kSet, Into::kAdd, Into::kSubtract}) {
      for (const bool transposed : {false, true}) {
        const std::int64_t rows = transposed ? kDepth : kRows, depth = transposed ? kRows : kDepth;
        const Words b = findings.random_words(depth * kCols);
        Words expected = findings.random_words(rows * kCols, mask_of(bits));
        const PlacedWords right(device, depth * kCols), out(device, rows * kCols);
        device.put(b, right.words());
        device.put(expected, out.words());
        const DeviceView left = transposed ? DeviceView{kept.words(), rows, depth, 1, rows}
                                           : DeviceView{kept.words(), rows, depth, depth, 1};
        device.matmul(left, {right.words(), depth, kCols, kCols, 1}, into, out.words(), bits);
        multiply(a, transposed, rows, depth, kCols, b, into, mask_of(bits), expected);
        findings.expect(got(device, out) == expected, "a product of an operand that stays, k = " +
                                                          std::to_string(bits) + (transposed ? ", transposed" : ""));
      }
    }
  }
  findings.conclude("device: an operand that stays");
}

// True if `act` throws an error that contains these words.
template <typename Act>
bool refuses(Act act, const std::string& words) {
  try {
    act();
  } catch (const std::exception& error) {
    return std::string(error.what()).find(words) != std::string::npos;
  }
  return false;
}

void check_refusals(Findings& findings, Device& device) {
  const std::int64_t more = device.memory().total / 8 + 1;
  findings.expect(refuses([&] { PlacedWords(device, more); }, "are needed, and"), "more memory than the card has");
  const Words words = findings.random_words(100);
  const PlacedWords after(device, 100);
  device.put(words, after.words());
  findings.expect(got(device, after) == words, "words after a refusal");
  findings.expect(refuses([] { open_card(find_cards().count); }, "there is no device cuda:"),
                  "a card that is not there");
  findings.conclude("device: refusals");
}

}  // namespace

void check_device(Findings& findings) {
  const auto device = open_card(0);
  std::printf("%s\n", device->about().c_str());
  check_crossing(findings, *device);
  check_kept_operand(findings, *device);
  check_refusals(findings, *device);
}

}  // namespace tacit::mpc::device
