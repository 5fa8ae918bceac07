#include "net/tcp/frame_writer.h"

#include <algorithm>

namespace tacit::net {

namespace {

constexpr std::int64_t kStagedBody = 16 * 1024 - kFrameHeaderBytes;  // header and body then fill one TLS record
constexpr int kFlushesAtOnce = 4;

std::size_t size_of(std::int64_t n) { return static_cast<std::size_t>(n); }

}  // namespace

FrameWriter::Result FrameWriter::write() {
  for (int i = 0; i < kFlushesAtOnce; ++i) {
    if (!wire_.flush()) return Result::kBlocked;
    const bool nothing_left = fill();
    if (!wire_.flush()) return Result::kBlocked;
    if (nothing_left) return Result::kIdle;
  }
  return Result::kMore;
}

bool FrameWriter::fill() {
  while (true) {
    if (staged_sent_ < std::ssize(staged_)) {
      const std::int64_t n = wire_.write(ConstBytes(staged_).subspan(size_of(staged_sent_)));
      if (n == 0) return false;
      staged_sent_ += n;
    } else if (body_left_ > 0) {
      const std::int64_t n = wire_.write(next_piece());
      if (n == 0) return false;
      advance_body(n);
      if (body_left_ == 0) frame_taken();
    } else if (!next_frame()) {
      return true;
    }
  }
}

bool FrameWriter::next_frame() {
  std::optional<OutgoingFrame> next = queue_.pop();
  if (!next) return false;
  frame_ = std::move(*next);
  const FrameHeaderBytes header = encode(frame_.header);
  staged_.assign(header.begin(), header.end());
  staged_.insert(staged_.end(), frame_.control_body.begin(), frame_.control_body.end());
  staged_sent_ = 0;
  if (frame_.message == nullptr) return true;
  body_ = frame_.message->pieces;
  body_at_ = 0;
  body_left_ = frame_.header.length;
  advance_body(0);
  for (std::int64_t skip = frame_.header.offset; skip > 0;) {
    const std::int64_t n = std::min(skip, std::ssize(body_.front()) - body_at_);
    body_left_ += n;  // compensates the subtraction in advance_body
    advance_body(n);
    skip -= n;
  }
  if (frame_.header.length <= kStagedBody) copy_body();
  return true;
}

void FrameWriter::copy_body() {
  while (body_left_ > 0) {
    const ConstBytes piece = next_piece();
    staged_.insert(staged_.end(), piece.begin(), piece.end());
    advance_body(std::ssize(piece));
  }
  frame_taken();
}

ConstBytes FrameWriter::next_piece() const {
  const ConstBytes piece = body_.front().subspan(size_of(body_at_));
  return piece.first(std::min(piece.size(), size_of(body_left_)));
}

void FrameWriter::advance_body(std::int64_t n) {
  body_at_ += n;
  body_left_ -= n;
  while (body_left_ > 0 && body_at_ >= std::ssize(body_.front())) {
    body_at_ -= std::ssize(body_.front());
    body_ = body_.subspan(1);
  }
}

void FrameWriter::frame_taken() {
  Outgoing* message = std::exchange(frame_.message, nullptr);
  if (frame_.last) {
    message->finished_at = Clock::now();
    message->done.store(true);
    finished_ = true;
  }
  frame_.kept.reset();
}

void FrameWriter::withdraw(const Outgoing& message) {
  queue_.withdraw(message);
  if (frame_.message != &message || body_left_ == 0) return;
  staged_.erase(staged_.begin(), staged_.begin() + static_cast<std::ptrdiff_t>(staged_sent_));
  staged_sent_ = 0;
  frame_.last = false;  // a withdrawn message never becomes done
  copy_body();
}

}  // namespace tacit::net
