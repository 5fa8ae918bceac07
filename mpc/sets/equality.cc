#include "mpc/sets/equality.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "mpc/sets/ristretto.h"
#include "net/error.h"

namespace tacit::mpc {

namespace {

// This rank's end of one comparison.
struct Comparison {
  int peer = -1;
  SecretScalar secret;
  Point sent{}, received{};          // u and v
  Point raised{}, raised_by_peer{};  // v ^ s and u ^ t
};

void exchange(net::Mesh& mesh, std::vector<Comparison>& all, Point Comparison::*out, Point Comparison::*in) {
  std::vector<net::Transfer> receives, sends;
  for (Comparison& one : all) {
    receives.push_back(mesh.channel(one.peer).receive(net::kMainStream, net::Bytes(one.*in)));
    sends.push_back(mesh.channel(one.peer).send(net::kMainStream, net::ConstBytes(one.*out)));
  }
  for (net::Transfer& transfer : receives) transfer.wait();
  for (net::Transfer& transfer : sends) transfer.wait();
  if (!all.empty()) mesh.count_rounds(1);
}

Point own_point(net::Mesh& mesh, int peer, const Digest& digest) {
  const net::Secret link = mesh.channel(peer).export_key("tacit comparison", std::tuple_size_v<PointKey>);
  PointKey key;
  std::copy(link.bytes().begin(), link.bytes().end(), key.begin());
  return point_of(std::as_bytes(std::span(digest)), key);
}

}  // namespace

net::Cost compare_cost(int taking_part) {
  const std::int64_t peers = taking_part - 1;
  return {peers > 0 ? 2 : 0, 2 * peers * std::int64_t{sizeof(Point)}, 2 * peers};
}

std::vector<bool> compare_with_peers(net::Mesh& mesh, const Digest& digest, const std::vector<bool>& takes_part) {
  TACIT_CHECK(std::ssize(takes_part) == mesh.parties() && mesh.world().is_party());
  std::vector<bool> equal(takes_part.size(), true);
  if (!takes_part[static_cast<std::size_t>(mesh.rank())]) return equal;
  std::vector<Comparison> all;
  for (int peer = 0; peer < mesh.parties(); ++peer) {
    if (peer == mesh.rank() || !takes_part[static_cast<std::size_t>(peer)]) continue;
    Comparison& one = all.emplace_back();
    one.peer = peer;
    one.sent = own_point(mesh, peer, digest);
    TACIT_CHECK(one.secret.multiply(one.sent));
  }
  exchange(mesh, all, &Comparison::sent, &Comparison::received);
  for (Comparison& one : all) {
    one.raised = one.received;
    if (one.secret.multiply(one.raised)) continue;
    throw ProtocolError(fmt::format("rank {} sent bytes that are not a point of ristretto255", one.peer), one.peer);
  }
  exchange(mesh, all, &Comparison::raised, &Comparison::raised_by_peer);
  for (const Comparison& one : all) equal[static_cast<std::size_t>(one.peer)] = one.raised == one.raised_by_peer;
  return equal;
}

}  // namespace tacit::mpc
