#include "gnn/checkpoint/resume.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "net/byte_fields.h"
#include "net/collectives/collectives.h"

namespace tacit::gnn {

namespace {

constexpr std::size_t kMostAnnounced = 64;
constexpr std::size_t kEntryBytes = 8 + sizeof(mpc::Nonce);
constexpr std::uint64_t kNone = 0;          // no checkpoint: sent for an epoch + 1, or for a layout's length
constexpr std::uint64_t kRefused = ~kNone;  // the call refuses: sent for a layout's length
constexpr std::uint64_t kPassedOver =
    kRefused - 1;  // no common checkpoint, but some have the first: also sent in the same way
constexpr const char* kNoneInCommon = "the parties hold no checkpoint in common";

using Announcement = std::vector<std::byte>;
using Ids = std::vector<CheckpointId>;

// The announcement of one party.
struct Said {
  Ids held;
  std::int64_t saved = 0;
  bool lost() const { return saved > 0 && held.empty(); }
};

Announcement announcement_of(std::span<const ResumePoint> held, std::int64_t saved) {
  net::ByteWriter writer;
  for (std::size_t i = 0; i < kMostAnnounced; ++i) {
    const CheckpointId id = i < held.size() ? held[i].id : CheckpointId{};
    writer.number(i < held.size() ? static_cast<std::uint64_t>(id.epoch) + 1 : kNone);
    writer.raw(id.nonce);
  }
  writer.number(static_cast<std::uint64_t>(saved));
  return writer.take();
}

Said parse(const Announcement& bytes) {
  constexpr std::uint64_t kMostEpochs = std::uint64_t{1} << 53;
  Said said;
  net::ByteReader reader(bytes, "a party's report of its checkpoints");
  for (std::size_t i = 0; i < kMostAnnounced; ++i) {
    const auto next_epoch = reader.number<std::uint64_t>();
    const auto nonce = reader.raw(sizeof(mpc::Nonce));
    if (next_epoch == kNone) continue;
    reader.require(next_epoch <= kMostEpochs, "an epoch in it is out of range");
    CheckpointId& id = said.held.emplace_back();
    id.epoch = static_cast<std::int64_t>(next_epoch - 1);
    std::memcpy(id.nonce.data(), nonce.data(), nonce.size());
  }
  const auto saved = reader.number<std::uint64_t>();
  reader.require(saved <= kMostEpochs, "an epoch in it is out of range");
  said.saved = static_cast<std::int64_t>(saved);
  return said;
}

std::vector<Said> exchange(net::Mesh& mesh, std::span<const ResumePoint> held, std::int64_t saved) {
  std::vector<Announcement> all(static_cast<std::size_t>(mesh.parties()),
                                Announcement(kMostAnnounced * kEntryBytes + 8));
  all[static_cast<std::size_t>(mesh.rank())] = announcement_of(held, saved);
  const std::vector<net::Bytes> by_party(all.begin(), all.end());
  net::Group group(mesh);
  net::all_gather(group, by_party);
  std::vector<Said> said;
  for (const Announcement& one : all) said.push_back(parse(one));
  return said;
}

std::optional<CheckpointId> newest_in_common(const std::vector<Said>& by_party) {
  for (const CheckpointId& id : by_party.front().held) {
    const bool common = std::all_of(by_party.begin(), by_party.end(), [&](const Said& said) {
      return std::find(said.held.begin(), said.held.end(), id) != said.held.end();
    });
    if (common) return id;
  }
  return std::nullopt;
}

[[noreturn]] void refuse(IfNone if_none, const std::string& how) {
  throw ConfigError(
      fmt::format("{}: {}. Give every party the folder and the storage key that it trained with, or train afresh "
                  "(tacit train --afresh) at every rank",
                  if_none == IfNone::kRefuse ? "there is nothing to resume from"
                                             : "a checkpoint would be lost, and values would be revealed a second time",
                  how));
}

std::string how_it_is(const std::vector<Said>& by_party) {
  for (std::size_t rank = 0; rank < by_party.size(); ++rank) {
    if (by_party[rank].lost()) {
      return fmt::format("rank {} kept a checkpoint of epoch {}, and has none of this job now that it can use", rank,
                         by_party[rank].saved);
    }
  }
  for (std::size_t rank = 0; rank < by_party.size(); ++rank) {
    if (by_party[rank].held.empty()) return fmt::format("rank {} has no checkpoint of this job that it can use", rank);
  }
  return "every party has checkpoints of this job, but no checkpoint is common to all parties";
}

std::int64_t newest_epoch(const std::vector<Said>& by_party) {
  std::int64_t newest = 0;
  for (const Said& said : by_party) {
    for (const CheckpointId& id : said.held) newest = std::max(newest, id.epoch);
  }
  return newest;
}

void tell_passed_over(const std::function<void(const std::string&)>& note) {
  if (note) note("begins anew: an earlier session ended before all parties had written their first checkpoint");
}

void tell_dealers(net::Mesh& mesh, std::uint64_t size, const std::string& layout) {
  net::ByteWriter writer;
  writer.number(size);
  const std::vector<std::byte> first = writer.take();
  for (int dealer = mesh.parties(); dealer < mesh.size(); ++dealer) {
    mesh.channel(dealer).post(net::kMainStream, first);
    if (!layout.empty()) mesh.channel(dealer).post(net::kMainStream, std::as_bytes(std::span(layout)));
  }
}

std::optional<ResumePoint> hear_from_rank_0(net::Mesh& mesh, IfNone if_none,
                                            const std::function<void(const std::string&)>& note) {
  std::array<std::byte, 8> bytes{};
  mesh.channel(0).receive(net::kMainStream, net::Bytes(bytes)).wait();
  net::ByteReader reader(bytes, "rank 0's message about checkpoints");
  const auto size = reader.number<std::uint64_t>();
  if (size == kRefused) refuse(if_none, kNoneInCommon);
  if (size == kPassedOver && if_none == IfNone::kStartAfresh) tell_passed_over(note);
  if ((size == kNone || size == kPassedOver) && if_none == IfNone::kStartAfresh) return std::nullopt;
  reader.require(size > 0 && size <= kMostHeaderBytes, "its length is none");
  std::string layout(size, '\0');
  mesh.channel(0).receive(net::kMainStream, std::as_writable_bytes(std::span(layout))).wait();
  ResumePoint point{{}, parse_layout(layout)};
  point.id.epoch = point.layout.epochs;
  return point;
}

}  // namespace

std::optional<ResumePoint> agree_on_checkpoint(net::Mesh& mesh, std::span<const ResumePoint> held, IfNone if_none,
                                               std::int64_t every, const std::function<void(const std::string&)>& note,
                                               std::int64_t saved) {
  mesh.set_step("looking for a checkpoint that all parties hold");
  if (!mesh.world().is_party()) return hear_from_rank_0(mesh, if_none, note);
  const std::vector<Said> by_party = exchange(mesh, held, saved);
  const std::optional<CheckpointId> id = newest_in_common(by_party);
  if (!id) {
    const std::int64_t newest = newest_epoch(by_party);
    const bool lost = std::any_of(by_party.begin(), by_party.end(), [](const Said& said) { return said.lost(); });
    const bool refused = if_none == IfNone::kRefuse || lost || newest > every;
    if (mesh.rank() == 0) tell_dealers(mesh, refused ? kRefused : newest > 0 ? kPassedOver : kNone, "");
    if (refused) {
      refuse(if_none, how_it_is(by_party) + (newest > 0 ? fmt::format("; the newest is of epoch {}", newest) : ""));
    }
    if (newest > 0) tell_passed_over(note);
    return std::nullopt;
  }
  const auto point = std::find_if(held.begin(), held.end(), [&](const ResumePoint& one) { return one.id == *id; });
  TACIT_CHECK(point != held.end());
  if (mesh.rank() == 0) {
    const std::string layout = encode(point->layout);
    tell_dealers(mesh, layout.size(), layout);
  }
  return *point;
}

}  // namespace tacit::gnn
