#include "net/memory/link_model.h"

#include <algorithm>

namespace tacit::net {

namespace {

constexpr std::int64_t kSmallestPiece = 16 * 1024;
constexpr std::int64_t kLargestPiece = 1024 * 1024;
constexpr double kPieceSeconds = 1e-3;

}  // namespace

Clock::duration Link::time_for(std::int64_t bytes) const {
  const std::chrono::duration<double> seconds(static_cast<double>(bytes) * 8 / bits_per_second);
  return std::chrono::duration_cast<Clock::duration>(seconds);
}

std::int64_t Link::piece_bytes() const {
  const double bytes = bits_per_second / 8 * kPieceSeconds;
  if (bytes >= static_cast<double>(kLargestPiece)) return kLargestPiece;
  return std::max(kSmallestPiece, static_cast<std::int64_t>(bytes));
}

std::vector<Clock::time_point> OutgoingInterface::departures(Clock::time_point now,
                                                             std::span<const std::int64_t> pieces, Flow& flow) {
  std::vector<Clock::time_point> times;
  times.reserve(pieces.size());
  const Clock::time_point after_one_piece = now + link_.time_for(link_.piece_bytes());
  if (pieces.size() == 1 && flow.last_departure <= now && free_ > after_one_piece) {
    const Clock::duration own = link_.time_for(pieces[0]);
    times.push_back(after_one_piece + own);
    free_ += own;  // delays the overtaken pieces; the model keeps only the total
  } else {
    free_ = std::max(free_, now);
    for (const std::int64_t bytes : pieces) {
      free_ += link_.time_for(bytes);
      times.push_back(free_);
    }
  }
  flow.last_departure = times.back();
  return times;
}

Clock::time_point IncomingInterface::admit(Clock::time_point arrival, std::int64_t bytes) {
  free_ = std::max(arrival, free_ + link_.time_for(bytes));
  return free_;
}

}  // namespace tacit::net
