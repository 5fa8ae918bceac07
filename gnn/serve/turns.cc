#include "gnn/serve/turns.h"

#include <fmt/format.h>

#include <algorithm>

#include "net/error.h"
#include "net/thread.h"

namespace tacit::gnn {

namespace {

using Kind = ServiceMessage::Kind;

void expect_possible(const net::Mesh& mesh, const ServiceMessage& from_rank_0) {
  const Kind kind = from_rank_0.kind;
  if (kind == Kind::kQuiet || kind == Kind::kEnd) return;
  if (kind == Kind::kRequests && mesh.world().is_party()) return;
  throw ProtocolError(fmt::format("rank 0 sent rank {} a message of the service that is not for it", mesh.rank()), 0);
}

}  // namespace

Turns::Turns(net::Mesh& mesh, std::chrono::milliseconds quiet)
    : mesh_(mesh), quiet_(quiet), quiet_at_(net::Clock::now() + quiet) {
  if (mesh.rank() != 0) return;
  try {
    for (int peer = 1; peer < mesh.size(); ++peer) {
      threads_.push_back(net::start_thread("waits for requests of other ranks", [this, peer] { listen_to(peer); }));
    }
  } catch (const ConfigError& error) {
    mesh.abort(error.exit(), error.what(), -1);  // ends the other threads
    join();
    throw;
  }
}

Turns::~Turns() { join(); }

void Turns::tell(const ServiceMessage& message) {
  const std::lock_guard lock(mutex_);
  if (mesh_.rank() != 0) return post(mesh_, 0, kToRank0, message);
  enqueue(message);
}

void Turns::enqueue(ServiceMessage message) {
  const bool again = std::any_of(queue_.begin(), queue_.end(), [&](const ServiceMessage& queued) {
    return queued.rank == message.rank && queued.kind == message.kind;
  });
  if (again && message.kind == Kind::kEnd) return;
  if (again) {
    throw ProtocolError(fmt::format("rank {} sent requests before its earlier ones had their turn", message.rank),
                        message.rank);
  }
  message.kind == Kind::kEnd ? queue_.push_front(std::move(message)) : queue_.push_back(std::move(message));
  news_.notify_all();
}

ServiceMessage Turns::next() {
  while (true) {
    ServiceMessage turn = mesh_.rank() == 0 ? first_in_queue() : receive_message(mesh_, 0, kFromRank0);
    mesh_.rank() == 0 ? announce(turn) : expect_possible(mesh_, turn);
    if (turn.kind == Kind::kQuiet && mesh_.rank() != 0) tell({Kind::kQuiet, mesh_.rank(), 0, {}});
    if (turn.kind != Kind::kQuiet) return turn;
  }
}

void Turns::announce(const ServiceMessage& message) {
  const int told = message.kind == Kind::kRequests ? mesh_.parties() : mesh_.size();
  for (int peer = 1; peer < told; ++peer) post(mesh_, peer, kFromRank0, message);
}

ServiceMessage Turns::first_in_queue() {
  std::unique_lock lock(mutex_);
  const auto has_news = [this] { return !queue_.empty() || failure_ != nullptr; };
  news_.wait_until(lock, quiet_at_, has_news);
  if (failure_) std::rethrow_exception(failure_);
  if (net::Clock::now() >= quiet_at_) {
    quiet_at_ = net::Clock::now() + quiet_;
    return {Kind::kQuiet, 0, 0, {}};
  }
  ServiceMessage first = std::move(queue_.front());
  queue_.pop_front();
  return first;
}

void Turns::listen_to(int rank) {
  try {
    while (true) {
      ServiceMessage message = receive_message(mesh_, rank, kToRank0);
      if (message.kind == Kind::kBye) return;
      if (message.kind == Kind::kQuiet) continue;
      message.rank = rank;
      if (message.kind == Kind::kRequests && rank >= mesh_.parties()) {
        throw ProtocolError(fmt::format("rank {} asks for predictions that the job does not reveal to it", rank), rank);
      }
      const std::lock_guard lock(mutex_);
      enqueue(std::move(message));
    }
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::current_exception();
    news_.notify_all();
  }
}

void Turns::close() {
  if (mesh_.rank() != 0) return tell({Kind::kBye, mesh_.rank(), 0, {}});
  join();
  if (failure_) std::rethrow_exception(failure_);
}

void Turns::join() {
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

}  // namespace tacit::gnn
