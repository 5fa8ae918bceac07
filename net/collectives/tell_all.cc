#include "net/collectives/tell_all.h"

#include <vector>

#include "net/error.h"

namespace tacit::net {

void tell_all(Mesh& mesh, std::span<const Bytes> all) {
  TACIT_CHECK(std::ssize(all) == mesh.size());
  std::vector<Transfer> receives, sends;
  for (int peer = 0; peer < mesh.size(); ++peer) {
    if (peer == mesh.rank()) continue;
    Channel& channel = mesh.channel(peer);
    receives.push_back(channel.receive(kMainStream, all[static_cast<std::size_t>(peer)]));
    sends.push_back(channel.send(kMainStream, ConstBytes(all[static_cast<std::size_t>(mesh.rank())])));
  }
  for (Transfer& transfer : receives) transfer.wait();
  for (Transfer& transfer : sends) transfer.wait();
  if (mesh.size() > 1) mesh.count_rounds(1);
}

}  // namespace tacit::net
