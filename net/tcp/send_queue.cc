#include "net/tcp/send_queue.h"

#include <algorithm>
#include <utility>

namespace tacit::net {

void SendQueue::submit(std::unique_ptr<Outgoing> message) {
  Outgoing* raw = message.get();
  push({raw, std::move(message)});
}

void SendQueue::control(FrameKind kind, ConstBytes body) {
  OutgoingFrame frame;
  frame.header.kind = kind;
  frame.header.length = std::ssize(body);
  frame.control_body.assign(body.begin(), body.end());
  const std::lock_guard lock(mutex_);
  if (kind == FrameKind::kAbort) {
    controls_.push_front(std::move(frame));
  } else {
    controls_.push_back(std::move(frame));
  }
}

void SendQueue::push(Entry entry) {
  const std::lock_guard lock(mutex_);
  const auto queue = std::find_if(streams_.begin(), streams_.end(),
                                  [&](const StreamQueue& q) { return q.stream == entry.message->stream; });
  if (queue != streams_.end()) {
    queue->entries.push_back(std::move(entry));
    return;
  }
  streams_.emplace_back().stream = entry.message->stream;
  streams_.back().entries.push_back(std::move(entry));
}

std::optional<OutgoingFrame> SendQueue::pop() {
  const std::lock_guard lock(mutex_);
  // A goodbye must be the last frame, so it waits until all earlier messages have left.
  if (!controls_.empty() && (controls_.front().header.kind != FrameKind::kGoodbye || streams_.empty()))
    return pop_control();
  if (streams_.empty()) return std::nullopt;
  turn_ %= streams_.size();
  StreamQueue& queue = streams_[turn_];
  Entry& entry = queue.entries.front();
  const Outgoing& message = *entry.message;

  OutgoingFrame frame;
  frame.message = entry.message;
  frame.header = {FrameKind::kData, message.stream,    std::min(kFrameBytes, message.size - entry.next_offset),
                  message.number,   entry.next_offset, message.size};
  entry.next_offset += kFrameBytes;
  frame.last = entry.next_offset >= message.size;
  if (frame.last) {
    frame.kept = std::move(entry.kept);
    queue.entries.pop_front();
  }
  if (queue.entries.empty()) {
    streams_.erase(streams_.begin() + static_cast<std::ptrdiff_t>(turn_));
  } else {
    ++turn_;
  }
  return frame;
}

std::optional<OutgoingFrame> SendQueue::pop_control() {
  OutgoingFrame frame = std::move(controls_.front());
  controls_.pop_front();
  return frame;
}

void SendQueue::withdraw(const Outgoing& message) {
  const std::lock_guard lock(mutex_);
  for (StreamQueue& queue : streams_) {
    std::erase_if(queue.entries, [&](const Entry& entry) { return entry.message == &message; });
  }
  std::erase_if(streams_, [](const StreamQueue& queue) { return queue.entries.empty(); });
}

bool SendQueue::empty() const {
  const std::lock_guard lock(mutex_);
  return controls_.empty() && streams_.empty();
}

}  // namespace tacit::net
