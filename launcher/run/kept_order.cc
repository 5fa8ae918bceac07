#include "launcher/run/kept_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "gnn/data/node_ids.h"
#include "gnn/train/row_order.h"
#include "mpc/sealed/storage_key.h"
#include "net/byte_fields.h"
#include "net/collectives/collectives.h"
#include "net/error.h"

namespace tacit::launcher {

namespace {

using Has = AlignedBefore::Has;

constexpr std::size_t kAnnouncedBytes = 2 + sizeof(mpc::Digest);

struct Said {
  Has has = Has::kNothing;
  bool force = false;
  mpc::Digest order{};
};

std::vector<std::byte> bytes_of(std::span<const std::int64_t> order) {
  net::ByteWriter writer;
  for (const std::int64_t place : order) writer.number(static_cast<std::uint32_t>(place));
  return writer.take();
}

std::vector<Said> exchange(net::Mesh& mesh, const AlignedBefore& own) {
  net::ByteWriter writer;
  writer.number(static_cast<std::uint8_t>(own.has));
  writer.number(static_cast<std::uint8_t>(own.force));
  writer.raw(own.has == Has::kCommon ? mpc::digest_of(bytes_of(own.order)) : mpc::Digest{});
  std::vector<std::vector<std::byte>> all(static_cast<std::size_t>(mesh.parties()),
                                          std::vector<std::byte>(kAnnouncedBytes));
  all[static_cast<std::size_t>(mesh.rank())] = writer.take();
  const std::vector<net::Bytes> by_party(all.begin(), all.end());
  net::Group group(mesh);
  net::all_gather(group, by_party);
  std::vector<Said> said;
  for (const std::vector<std::byte>& one : all) {
    net::ByteReader reader(one, "a party's report of its aligned file");
    const auto has = reader.number<std::uint8_t>(), force = reader.number<std::uint8_t>();
    reader.require(has <= static_cast<std::uint8_t>(Has::kCommon) && force <= 1, "a number in it is out of range");
    Said& party = said.emplace_back(Said{static_cast<Has>(has), force == 1, {}});
    std::ranges::copy(reader.raw(sizeof(mpc::Digest)), party.order.begin());
  }
  return said;
}

// The first party with a file, if all files have the common nodes in one order.
std::optional<int> first_with_order(const std::vector<Said>& by_party) {
  std::optional<int> first;
  for (std::size_t rank = 0; rank < by_party.size(); ++rank) {
    const Said& said = by_party[rank];
    if (said.has == Has::kNothing) continue;
    if (said.has == Has::kOther) return std::nullopt;
    if (!first) first = static_cast<int>(rank);
    if (said.order != by_party[static_cast<std::size_t>(*first)].order) return std::nullopt;
  }
  return first;
}

// How to keep the order, if all readable files with the common nodes agree.
std::string way_to_keep(const std::vector<Said>& by_party) {
  std::vector<int> others;
  std::optional<mpc::Digest> order;
  for (std::size_t rank = 0; rank < by_party.size(); ++rank) {
    const Said& said = by_party[rank];
    if (said.has == Has::kOther) others.push_back(static_cast<int>(rank));
    if (said.has != Has::kCommon) continue;
    if (order && *order != said.order) return "";
    order = said.order;
  }
  if (!order || others.empty()) return "";
  return fmt::format(
      " To keep the order of the others, move the aligned files of {} away, which have other nodes or cannot be read, "
      "and align "
      "again.",
      gnn::ranks_in_words(others));
}

void expect_force(const std::vector<Said>& by_party) {
  std::vector<int> ranks;
  for (std::size_t rank = 0; rank < by_party.size(); ++rank) {
    if (by_party[rank].has != Has::kNothing && !by_party[rank].force) ranks.push_back(static_cast<int>(rank));
  }
  if (ranks.empty()) return;
  throw ConfigError(fmt::format(
      "the aligned files of {} would be replaced: the parties' aligned files have other nodes than all "
      "parties have now, or do not have them in one order. Checkpoints of trainings with these files could "
      "no longer be used.{} Say --force at these ranks to replace the files; for another job that shall keep "
      "them, give it a copy of each party's file under another name",
      gnn::ranks_in_words(ranks), way_to_keep(by_party)));
}

std::vector<std::int64_t> receive_order(net::Mesh& mesh, int from, const Said& said, std::int64_t common) {
  std::vector<std::byte> bytes(4 * static_cast<std::size_t>(common));
  mesh.channel(from).receive(net::kMainStream, net::Bytes(bytes)).wait();
  net::ByteReader reader(bytes, "the order of the aligned files");
  reader.require(mpc::digest_of(bytes) == said.order, "the digest of the order is another one");
  std::vector<std::int64_t> order(static_cast<std::size_t>(common));
  std::vector<bool> seen(order.size());
  for (std::int64_t& place : order) {
    place = reader.number<std::uint32_t>();
    reader.require(place < common && !seen[static_cast<std::size_t>(place)], "a place in it is wrong");
    seen[static_cast<std::size_t>(place)] = true;
  }
  return order;
}

}  // namespace

AlignedBefore aligned_before(std::span<const std::string> common, std::span<const std::string> ids, bool force) {
  AlignedBefore other{Has::kOther, {}, force};
  if (ids.size() != common.size()) return other;
  std::unordered_map<std::string_view, std::int64_t> places;
  for (std::size_t i = 0; i < common.size(); ++i) places.emplace(common[i], static_cast<std::int64_t>(i));
  AlignedBefore before{Has::kCommon, {}, force};
  for (const std::string& id : gnn::normalised_ids(ids)) {
    const auto place = places.find(id);
    if (place == places.end()) return other;
    before.order.push_back(place->second);
    places.erase(place);  // so a repeated id is not found
  }
  return before;
}

std::optional<std::vector<std::int64_t>> agree_on_kept_order(net::Mesh& mesh, AlignedBefore own, std::int64_t common) {
  const std::vector<Said> by_party = exchange(mesh, own);
  const std::optional<int> first = first_with_order(by_party);
  if (!first) {
    expect_force(by_party);
    return std::nullopt;
  }
  const Said& said = by_party[static_cast<std::size_t>(*first)];
  if (own.has == Has::kNothing) return receive_order(mesh, *first, said, common);
  if (mesh.rank() == *first) {
    const std::vector<std::byte> bytes = bytes_of(own.order);
    for (int rank = 0; rank < mesh.parties(); ++rank) {
      if (by_party[static_cast<std::size_t>(rank)].has != Has::kNothing) continue;
      mesh.channel(rank).send(net::kMainStream, net::ConstBytes(bytes)).wait();
    }
  }
  return std::move(own.order);
}

}  // namespace tacit::launcher
