#include "net/rendezvous/links.h"

#include <fmt/format.h>

#include "net/error.h"

namespace tacit::net {

namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

}  // namespace

Links::Links(Loop& loop, const Setting& setting, Reception& reception)
    : loop_(loop),
      setting_(setting),
      reception_(reception),
      caller_(loop, setting),
      talks_(index(setting.world.size())) {}

void Links::set_session(const SessionId& session) {
  session_ = session;
  loop_.notify();
}

void Links::put(int rank, std::shared_ptr<Conversation> talk) {
  talks_.at(index(rank)) = std::move(talk);
  loop_.notify();
}

Task Links::take_call(std::shared_ptr<Conversation> talk, Message first) {
  LinkHello link;
  std::string malformed;
  try {
    link = parse_link_hello(first.body);
  } catch (const ProtocolError& error) {
    malformed = error.what();
  }
  if (!malformed.empty()) {
    co_await reception_.refuse_malformed(std::move(talk), malformed);
    co_return;
  }
  std::optional<Failure> refused = objection(*talk, link);
  if (!refused) {
    const auto deadline = Clock::now() + setting_.options.handshake;
    const std::function<bool()> known = [this] { return session_.has_value(); };
    const bool in_time = co_await loop_.until(known, deadline);
    if (!in_time) co_return;  // the caller retries
    refused = late_objection(link);
  }
  if (refused) {
    co_await reception_.refuse(std::move(talk), *refused);
    co_return;
  }
  try {
    co_await talk->send(encode(MessageKind::kLinked), Clock::now() + setting_.options.handshake);
  } catch (const NetError&) {
    co_return;  // the caller retries
  }
  put(link.rank, std::move(talk));
}

std::optional<Failure> Links::objection(const Conversation& talk, const LinkHello& link) const {
  const int self = setting_.world.rank;
  const int proven = setting_.proven_rank(talk);
  if (proven >= 0 && proven != link.rank) {
    return Failure{Exit::kConfig, -1,
                   fmt::format("a process that calls itself rank {} called rank {} with the key of rank {}: start it "
                               "with RANK={}",
                               link.rank, self, proven, proven)};
  }
  const bool from_above = link.rank > self && link.rank < setting_.world.size();
  if (from_above && self > 0) return std::nullopt;
  return Failure{Exit::kProtocol, proven,
                 fmt::format("rank {} called rank {} for a link, which is not for it to do: do all ranks run the same "
                             "version of Tacit?",
                             link.rank, self)};
}

std::optional<Failure> Links::late_objection(const LinkHello& link) const {
  if (link.session != *session_) {
    return Failure{Exit::kNet, link.rank,
                   fmt::format("rank {} called rank {} in the name of another run: end all processes of earlier runs, "
                               "then start all ranks again",
                               link.rank, setting_.world.rank)};
  }
  const auto& standing = talks_.at(index(link.rank));
  if (standing == nullptr || standing->closed_by_peer()) return std::nullopt;
  return Failure{Exit::kConfig, -1,
                 fmt::format("rank {} has a link to rank {} already: does a second process run with RANK={}?",
                             link.rank, setting_.world.rank, link.rank)};
}

void Links::call_lower_ranks(const std::vector<Endpoint>& addresses, Clock::time_point deadline) {
  for (int rank = 1; rank < setting_.world.rank; ++rank) {
    const Callee callee{rank, addresses.at(index(rank)),
                        fmt::format("check that rank {} announces an address that the others can reach, and that its "
                                    "port is open",
                                    rank)};
    loop_.spawn(call(callee, deadline));
  }
}

Task Links::call(Callee callee, Clock::time_point deadline) {
  const LinkHello hello{setting_.world.rank, *session_};
  Answered answered = co_await caller_.ask(callee, encode(hello), deadline);
  if (answered.first.header.kind == MessageKind::kFailure) raise(parse_failure(answered.first.body));
  if (answered.first.header.kind != MessageKind::kLinked) {
    throw ProtocolError(setting_.describe(callee.rank, callee.where) + " answered a call with another message",
                        callee.rank);
  }
  put(callee.rank, std::move(answered.talk));
}

std::vector<int> Links::missing_ranks() const {
  std::vector<int> missing;
  for (int rank = 0; rank < setting_.world.size(); ++rank) {
    if (rank != setting_.world.rank && talks_[index(rank)] == nullptr) missing.push_back(rank);
  }
  return missing;
}

std::vector<std::unique_ptr<Wire>> Links::take_wires() {
  TACIT_CHECK(complete());
  std::vector<std::unique_ptr<Wire>> wires;
  for (const auto& talk : talks_) wires.push_back(talk != nullptr ? talk->take_wire() : nullptr);
  return wires;
}

}  // namespace tacit::net
