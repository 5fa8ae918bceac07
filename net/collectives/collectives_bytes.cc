#include "net/collectives/collectives.h"
#include "net/collectives/segment_flow.h"
#include "net/error.h"

namespace tacit::net {

namespace {

std::size_t index_of(int rank) { return static_cast<std::size_t>(rank); }

void begin_exchange(Group& group) { group.count_rounds(group.parties() > 1 ? 1 : 0); }

Transfer send_bytes(Group& group, int to, ConstBytes bytes) { return group.send(to, std::span(&bytes, 1)); }
Transfer receive_bytes(Group& group, int from, Bytes bytes) { return group.receive(from, std::span(&bytes, 1)); }

void wait_all(Group& group, std::vector<Transfer>& transfers) {
  for (Transfer& transfer : transfers) group.wait(transfer);
}

}  // namespace

void broadcast(Group& group, int root, Bytes bytes) {
  begin_exchange(group);
  std::vector<Transfer> transfers;
  if (group.rank() != root) {
    transfers.push_back(receive_bytes(group, root, bytes));
  } else {
    for (const int peer : peers_after(group)) transfers.push_back(send_bytes(group, peer, bytes));
  }
  wait_all(group, transfers);
}

void gather(Group& group, int root, std::span<const Bytes> by_party) {
  begin_exchange(group);
  TACIT_CHECK(std::ssize(by_party) == group.parties());
  std::vector<Transfer> transfers;
  if (group.rank() != root) {
    transfers.push_back(send_bytes(group, root, by_party[index_of(group.rank())]));
  } else {
    for (const int peer : peers_before(group))
      transfers.push_back(receive_bytes(group, peer, by_party[index_of(peer)]));
  }
  wait_all(group, transfers);
}

void scatter(Group& group, int root, std::span<const Bytes> by_party) {
  begin_exchange(group);
  TACIT_CHECK(std::ssize(by_party) == group.parties());
  std::vector<Transfer> transfers;
  if (group.rank() != root) {
    transfers.push_back(receive_bytes(group, root, by_party[index_of(group.rank())]));
  } else {
    for (const int peer : peers_after(group)) transfers.push_back(send_bytes(group, peer, by_party[index_of(peer)]));
  }
  wait_all(group, transfers);
}

void all_gather(Group& group, std::span<const Bytes> by_party) {
  begin_exchange(group);
  TACIT_CHECK(std::ssize(by_party) == group.parties());
  std::vector<Transfer> transfers;  // receives first, since they are waited for first
  for (const int peer : peers_before(group)) transfers.push_back(receive_bytes(group, peer, by_party[index_of(peer)]));
  for (const int peer : peers_after(group))
    transfers.push_back(send_bytes(group, peer, by_party[index_of(group.rank())]));
  wait_all(group, transfers);
}

}  // namespace tacit::net
