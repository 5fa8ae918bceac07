#include "net/rendezvous/admission.h"

#include <fmt/format.h>

namespace tacit::net {

namespace {

template <typename T>
std::optional<std::string> difference(const char* what, const T& ours, const T& theirs, const std::string& them) {
  if (ours == theirs) return std::nullopt;
  return fmt::format("the ranks do not agree on {}: rank 0 has {}, {} has {}", what, ours, them, theirs);
}

}  // namespace

std::optional<Failure> false_claim(const Setting& setting, const Conversation& talk, const Hello& hello) {
  const int claimed = hello.world.rank;
  const int proven = setting.proven_rank(talk);
  if (proven < 0 || proven == claimed) return std::nullopt;
  return Failure{
      Exit::kConfig, -1,
      fmt::format("a process at {} calls itself rank {} but has the key of rank {}: start it with RANK={}, or "
                  "with the key of rank {}",
                  talk.other_end().text(), claimed, proven, proven, claimed)};
}

std::optional<Failure> other_version(const Setting& setting, const Conversation& talk, int version) {
  if (version == kRendezvousVersion) return std::nullopt;
  const int rank = setting.proven_rank(talk);
  const std::string who = rank < 0 ? talk.other_end().text() : setting.describe(rank);
  return Failure{
      Exit::kConfig, -1,
      fmt::format("{} speaks version {} of the rendezvous, rank 0 speaks version {}: install the same version "
                  "of Tacit everywhere",
                  who, version, kRendezvousVersion)};
}

std::optional<Failure> mismatch(const Setting& setting, const Conversation& talk, const Hello& hello) {
  const World& ours = setting.world;
  const World& theirs = hello.world;
  const std::string them = fmt::format("rank {} (at {})", theirs.rank, talk.other_end().text());
  const auto failure = [](const std::string& what, const char* remedy) {
    return Failure{Exit::kConfig, -1, what + ": " + remedy};
  };
  auto text = difference("the world size", ours.size(), theirs.size(), them);
  if (!text) text = difference("the number of parties", ours.parties, theirs.parties, them);
  if (text) return failure(*text, "give every rank the same roster");
  text = difference(setting.options.agreement, 0, hello.agreement, theirs.rank);
  if (text) return failure(*text, "say the same at every rank");
  return std::nullopt;
}

// A rank behind a router announces an address that we cannot see. A rank on our own machine may have used the loopback
// interface: the other ranks reach it at our address.
Endpoint reachable_at(const Setting& setting, const Conversation& talk, const Hello& hello) {
  if (const auto& pinned = setting.roster.at(hello.world.rank).address) return *pinned;
  if (!hello.listening.host.empty()) return hello.listening;
  const SocketAddress& seen = talk.other_end();
  return {seen.is_loopback() ? setting.options.master.host : seen.endpoint().host, hello.listening.port};
}

}  // namespace tacit::net
