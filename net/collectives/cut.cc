#include "net/collectives/cut.h"

#include <algorithm>

namespace tacit::net {

namespace {

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

// A position between two words.
struct Place {
  std::int64_t tensor = 0;
  std::int64_t word = 0;
};

// Moves forward from `from` over blocks of eight words while they fit into `bytes`, and appends the
// passed parts to `parts`.
Place walk(Place from, std::int64_t bytes, std::span<const WordShape> tensors, Parts& parts) {
  while (from.tensor < std::ssize(tensors)) {
    const WordShape& tensor = tensors[index(from.tensor)];
    const std::int64_t left = tensor.count - from.word;
    const bool fits = packed_bytes(left, tensor.bits) <= bytes;
    const std::int64_t taken = fits ? left : bytes / tensor.bits * kPackBlock;
    if (taken > 0) parts.push_back({from.tensor, from.word, taken});
    if (!fits) return {from.tensor, from.word + taken};
    bytes -= packed_bytes(left, tensor.bits);
    from = {from.tensor + 1, 0};
  }
  return from;
}

}  // namespace

std::int64_t packed_bytes(std::span<const WordShape> tensors) {
  std::int64_t sum = 0;
  for (const WordShape& tensor : tensors) sum += packed_bytes(tensor.count, tensor.bits);
  return sum;
}

std::vector<Parts> cut_into_chunks(std::span<const WordShape> tensors, int chunks) {
  std::vector<Parts> cut(index(chunks));
  std::int64_t left = packed_bytes(tensors);
  Place at;
  for (int c = 0; c < chunks; ++c) {
    Parts& chunk = cut[index(c)];
    // The fair share of the remaining bytes. The shortfall of earlier chunks goes to later ones.
    // Rounded up, so that small tensors are not divided.
    const std::int64_t fair = (left + chunks - c - 1) / (chunks - c);
    const std::int64_t whole_block = at.tensor < std::ssize(tensors) ? tensors[index(at.tensor)].bits : 0;
    at = walk(at, std::max(fair, whole_block), tensors, chunk);
    left -= packed_bytes(shapes_of(chunk, tensors));
  }
  return cut;
}

std::vector<Parts> cut_into_segments(std::span<const WordShape> tensors) {
  std::vector<Parts> cut;
  Place at;
  while (at.tensor < std::ssize(tensors)) {
    Parts segment;
    at = walk(at, kSegmentBytes, tensors, segment);
    if (!segment.empty()) cut.push_back(std::move(segment));
  }
  return cut;
}

std::vector<WordShape> shapes_of(const Parts& parts, std::span<const WordShape> tensors) {
  std::vector<WordShape> shapes;
  shapes.reserve(parts.size());
  for (const Part& part : parts) shapes.push_back({part.count, tensors[index(part.tensor)].bits});
  return shapes;
}

std::vector<Words> views_of(const Parts& parts, Tensors tensors) {
  std::vector<Words> views;
  views.reserve(parts.size());
  for (const Part& part : parts) views.push_back(tensors[index(part.tensor)].part(part.begin, part.count));
  return views;
}

}  // namespace tacit::net
