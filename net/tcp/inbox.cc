#include "net/tcp/inbox.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace tacit::net {

namespace {

// Cost of an early message beside its bytes: so a flood of empty messages has a limit, too.
constexpr std::int64_t kEarlyOverhead = 512;

std::size_t unsigned_count(std::int64_t n) { return static_cast<std::size_t>(n); }

void require_size(const Incoming& receive, std::int64_t sent) {
  if (receive.size == sent) return;
  throw ProtocolError(fmt::format("it sent a message of {} bytes where {} were expected (stream {}, message {})", sent,
                                  receive.size, receive.stream, receive.number));
}

}  // namespace

Bytes Inbox::Slot::next() const {
  if (left_ == 0) return {};
  const Bytes piece = pieces_.front().subspan(unsigned_count(at_));
  return piece.first(std::min(piece.size(), unsigned_count(left_)));
}

void Inbox::Slot::advance(std::int64_t n) {
  at_ += n;
  left_ -= n;
  while (left_ > 0 && at_ >= std::ssize(pieces_.front())) {
    at_ -= std::ssize(pieces_.front());
    pieces_ = pieces_.subspan(1);
  }
}

void Inbox::post(Incoming& receive) {
  const std::lock_guard lock(mutex_);
  receive.number = streams_[receive.stream].posted++;
  const auto [at, fresh] = messages_by_key_.try_emplace(Key{receive.stream, receive.number});
  Message& message = at->second;
  if (!fresh) require_size(receive, message.size);
  message.size = receive.size;
  message.receive = &receive;
  if (message.complete) finish(at);
}

void Inbox::withdraw(Incoming& receive) {
  const std::lock_guard lock(mutex_);
  const auto at = messages_by_key_.find(Key{receive.stream, receive.number});
  if (at != messages_by_key_.end() && at->second.receive == &receive) messages_by_key_.erase(at);
}

bool Inbox::accept(const FrameHeader& header, Slot& slot) {
  const std::lock_guard lock(mutex_);
  const Key key{header.stream, header.number};
  StreamState& stream = streams_[header.stream];
  auto at = messages_by_key_.find(key);
  const bool begins = header.offset == 0;
  if (begins ? header.number != stream.next_begin : at == messages_by_key_.end()) {
    throw ProtocolError(
        fmt::format("it repeated or left out a message (stream {}, message {})", key.first, key.second));
  }
  if (at == messages_by_key_.end()) {
    const std::int64_t cost = header.size + kEarlyOverhead;
    const bool room = early_bytes_ + cost <= kMaxEarlyBytes;
    if (!room) return false;
    at = messages_by_key_.try_emplace(key).first;
    at->second.size = header.size;
    at->second.early_cost = cost;
    early_bytes_ += cost;
  }
  Message& message = at->second;
  if (message.receive != nullptr) require_size(*message.receive, header.size);
  if (message.size != header.size) throw ProtocolError("two frames of one message disagree on its size");
  if (message.next == 0 && message.early_cost > 0) {
    message.early = std::make_unique_for_overwrite<std::byte[]>(unsigned_count(message.size));
    message.early_piece = {message.early.get(), unsigned_count(message.size)};
  }
  if (message.next != header.offset) {
    throw ProtocolError(
        fmt::format("it sent the bytes of a message in another order (stream {}, message {})", key.first, key.second));
  }
  message.next += kFrameBytes;
  if (begins) stream.next_begin = header.number + 1;

  if (message.early_cost > 0) {
    slot.pieces_ = std::span<const Bytes>(&message.early_piece, 1);
  } else {
    slot.pieces_ = message.receive->pieces;
  }
  slot.key_ = key;
  slot.length_ = header.length;
  slot.at_ = header.offset;
  slot.left_ = header.length;
  slot.advance(0);
  return true;
}

bool Inbox::arrived(const Slot& slot) {
  const std::lock_guard lock(mutex_);
  const auto at = messages_by_key_.find(slot.key_);
  if (at == messages_by_key_.end()) return false;  // withdrawn in the meantime
  Message& message = at->second;
  message.received += slot.length_;
  if (message.received < message.size) return false;
  message.complete = true;
  if (message.receive == nullptr) return false;
  finish(at);
  return true;
}

std::int64_t Inbox::unclaimed() const {
  const std::lock_guard lock(mutex_);
  return std::count_if(messages_by_key_.begin(), messages_by_key_.end(),
                       [](const auto& entry) { return entry.second.receive == nullptr; });
}

void Inbox::finish(std::map<Key, Message>::iterator at) {
  Message& message = at->second;
  Incoming& receive = *message.receive;
  if (message.early_cost > 0) {
    ConstBytes rest = message.early_piece;
    for (const Bytes piece : receive.pieces) {
      if (!piece.empty()) std::memcpy(piece.data(), rest.data(), piece.size());
      rest = rest.subspan(piece.size());
    }
  }
  early_bytes_ -= message.early_cost;
  payload_bytes_.fetch_add(message.size, std::memory_order_relaxed);
  messages_.fetch_add(1, std::memory_order_relaxed);
  messages_by_key_.erase(at);
  receive.finished_at = Clock::now();
  receive.done.store(true);
}

}  // namespace tacit::net
