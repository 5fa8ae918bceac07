#include "gnn/serve/turns.h"

#include <fmt/format.h>

#include "net/thread.h"

namespace tacit::gnn {

namespace {

using Kind = ServiceMessage::Kind;

}  // namespace

Turns::Turns(net::Mesh& mesh, std::chrono::milliseconds quiet) : mesh_(mesh), quiet_(quiet) {
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
  queue_.push_back(message);
  news_.notify_all();
}

ServiceMessage Turns::next() {
  while (true) {
    ServiceMessage turn = mesh_.rank() == 0 ? first_in_queue() : receive_message(mesh_, 0, kFromRank0);
    if (mesh_.rank() == 0) announce(turn);
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
  if (!news_.wait_for(lock, quiet_, has_news)) return {Kind::kQuiet, 0, 0, {}};
  if (failure_) std::rethrow_exception(failure_);
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
      const std::lock_guard lock(mutex_);
      queue_.push_back(std::move(message));
      news_.notify_all();
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
