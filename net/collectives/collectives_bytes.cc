#include "net/collectives/collectives.h"
#include "net/collectives/segment_flow.h"
#include "net/error.h"

namespace tacit::net {

namespace {

std::size_t at(int rank) { return static_cast<std::size_t>(rank); }

void begin(Group& group) { group.count_rounds(group.parties() > 1 ? 1 : 0); }

Transfer send(Group& group, int to, ConstBytes bytes) { return group.send(to, std::span(&bytes, 1)); }
Transfer receive(Group& group, int from, Bytes bytes) { return group.receive(from, std::span(&bytes, 1)); }

void wait_all(Group& group, std::vector<Transfer>& transfers) {
  for (Transfer& transfer : transfers) group.wait(transfer);
}

}  // namespace

void broadcast(Group& group, int root, Bytes bytes) {
  begin(group);
  std::vector<Transfer> transfers;
  if (group.rank() != root) {
    transfers.push_back(receive(group, root, bytes));
  } else {
    for (const int peer : peers_after(group)) transfers.push_back(send(group, peer, bytes));
  }
  wait_all(group, transfers);
}

void gather(Group& group, int root, std::span<const Bytes> by_party) {
  begin(group);
  TACIT_CHECK(std::ssize(by_party) == group.parties());
  std::vector<Transfer> transfers;
  if (group.rank() != root) {
    transfers.push_back(send(group, root, by_party[at(group.rank())]));
  } else {
    for (const int peer : peers_before(group)) transfers.push_back(receive(group, peer, by_party[at(peer)]));
  }
  wait_all(group, transfers);
}

void scatter(Group& group, int root, std::span<const Bytes> by_party) {
  begin(group);
  TACIT_CHECK(std::ssize(by_party) == group.parties());
  std::vector<Transfer> transfers;
  if (group.rank() != root) {
    transfers.push_back(receive(group, root, by_party[at(group.rank())]));
  } else {
    for (const int peer : peers_after(group)) transfers.push_back(send(group, peer, by_party[at(peer)]));
  }
  wait_all(group, transfers);
}

void all_gather(Group& group, std::span<const Bytes> by_party) {
  begin(group);
  TACIT_CHECK(std::ssize(by_party) == group.parties());
  std::vector<Transfer> transfers;  // receives first, since they are waited for first
  for (const int peer : peers_before(group)) transfers.push_back(receive(group, peer, by_party[at(peer)]));
  for (const int peer : peers_after(group)) transfers.push_back(send(group, peer, by_party[at(group.rank())]));
  wait_all(group, transfers);
}

}  // namespace tacit::net
