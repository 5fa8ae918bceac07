#include "net/collectives/tell_all.h"

#include "net/byte_fields.h"
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

std::vector<std::vector<std::int64_t>> tell_numbers(Mesh& mesh, std::span<const std::int64_t> own) {
  ByteWriter writer;
  for (const std::int64_t number : own) writer.number(static_cast<std::uint64_t>(number));
  std::vector<std::vector<std::byte>> messages(static_cast<std::size_t>(mesh.size()), writer.take());
  tell_all(mesh, std::vector<Bytes>(messages.begin(), messages.end()));
  std::vector<std::vector<std::int64_t>> all(messages.size());
  for (std::size_t rank = 0; rank < messages.size(); ++rank) {
    ByteReader reader(messages[rank], "a list of numbers");
    for (std::size_t i = 0; i < own.size(); ++i) {
      all[rank].push_back(static_cast<std::int64_t>(reader.number<std::uint64_t>()));
    }
  }
  return all;
}

}  // namespace tacit::net
