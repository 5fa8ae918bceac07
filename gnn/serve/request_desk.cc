#include "gnn/serve/request_desk.h"

#include <fmt/format.h>

#include <iterator>

#include "net/error.h"

namespace tacit::gnn {

namespace {

void drop_errors(const std::function<void()>& tell) {
  try {
    tell();
  } catch (const Error&) {
  }
}

}  // namespace

void RequestDesk::ask(Rows nodes, Done done) {
  std::optional<Reply> reply;
  {
    const std::lock_guard lock(mutex_);
    if (ended_) {
      reply = Reply{.kind = Reply::Kind::kEnded, .why = *ended_};
    } else if (waiting_.size() >= kMostWaiting) {
      reply = Reply{.kind = Reply::Kind::kRefused,
                    .why = fmt::format("{} requests of this rank wait already: ask again later", kMostWaiting),
                    .again_after = 1};
    } else {
      waiting_.push_back({std::move(nodes), std::move(done)});
      send_next();
    }
  }
  if (reply) done(std::move(*reply));
}

bool RequestDesk::stop(std::int64_t reason) {
  const std::lock_guard lock(mutex_);
  if (line_ && !ended_) drop_errors([&] { line_->stop(reason); });
  return line_.has_value();
}

void RequestDesk::open(Line line) {
  const std::lock_guard lock(mutex_);
  line_ = std::move(line);
  send_next();
}

std::vector<Rows> RequestDesk::batch() const {
  const std::lock_guard lock(mutex_);
  std::vector<Rows> batch;
  for (const Waiting& one : under_way_) batch.push_back(one.nodes);
  return batch;
}

void RequestDesk::settle(std::vector<Reply> replies) {
  std::vector<Waiting> settled;
  {
    const std::lock_guard lock(mutex_);
    settled.swap(under_way_);
    send_next();
  }
  TACIT_CHECK(settled.size() == replies.size());
  for (std::size_t i = 0; i < settled.size(); ++i) settled[i].done(std::move(replies[i]));
}

void RequestDesk::end(const std::string& why) {
  std::vector<Waiting> all;
  {
    const std::lock_guard lock(mutex_);
    if (ended_) return;
    ended_ = why;
    all.swap(under_way_);
    std::move(waiting_.begin(), waiting_.end(), std::back_inserter(all));
    waiting_.clear();
  }
  for (const Waiting& one : all) one.done({.kind = Reply::Kind::kEnded, .why = why});
}

void RequestDesk::send_next() {
  if (!line_ || ended_ || !under_way_.empty() || waiting_.empty()) return;
  std::vector<Rows> batch;
  std::int64_t nodes = 0;
  while (!waiting_.empty() && batch.size() < kMostOfBatch) {
    nodes += std::ssize(waiting_.front().nodes);
    if (!batch.empty() && nodes > kNodesOfBatch) break;
    batch.push_back(waiting_.front().nodes);
    under_way_.push_back(std::move(waiting_.front()));
    waiting_.pop_front();
  }
  drop_errors([&] { line_->ask(batch); });
}

}  // namespace tacit::gnn
