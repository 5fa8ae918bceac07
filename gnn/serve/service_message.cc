#include "gnn/serve/service_message.h"

#include <fmt/format.h>

#include <array>

#include "net/byte_fields.h"

namespace tacit::gnn {

namespace {

constexpr std::size_t kHeadBytes = 32;
constexpr std::uint64_t kMostRequests = 1 << 10, kMostNodes = 1 << 21;
constexpr std::uint64_t kMostNumber = std::uint64_t{1} << 40;  // of a node
constexpr const char* kWhat = "a message of the service";

std::int64_t nodes_in(const ServiceMessage& message) {
  std::int64_t nodes = 0;
  for (const Rows& request : message.requests) nodes += std::ssize(request);
  return nodes;
}

std::vector<std::byte> bytes_of(const std::vector<Rows>& requests) {
  net::ByteWriter body;
  for (const Rows& request : requests) body.number(static_cast<std::uint64_t>(request.size()));
  for (const Rows& request : requests) {
    for (const std::int64_t node : request) body.number(static_cast<std::uint64_t>(node));
  }
  return body.take();
}

std::vector<Rows> requests_in(std::span<const std::byte> bytes, std::uint64_t count) {
  net::ByteReader reader(bytes, kWhat);
  std::vector<Rows> requests(count);
  std::vector<std::uint64_t> sizes;
  for (std::uint64_t i = 0; i < count; ++i) sizes.push_back(reader.number<std::uint64_t>());
  for (std::uint64_t i = 0; i < count; ++i) {
    reader.require(sizes[i] > 0 && sizes[i] <= kMostNodes, "a request in it has no nodes, or too many");
    for (std::uint64_t node = 0; node < sizes[i]; ++node) {
      const auto number = reader.number<std::uint64_t>();
      reader.require(number < kMostNumber, "it names a node that cannot be");
      requests[i].push_back(static_cast<std::int64_t>(number));
    }
  }
  reader.finish();
  return requests;
}

}  // namespace

void post(net::Mesh& mesh, int to, net::Stream stream, const ServiceMessage& message) {
  net::ByteWriter head;
  head.number(static_cast<std::uint32_t>(message.kind));
  head.number(static_cast<std::uint32_t>(message.rank));
  head.number(static_cast<std::uint64_t>(message.reason));
  head.number(static_cast<std::uint64_t>(message.requests.size()));
  head.number(static_cast<std::uint64_t>(nodes_in(message)));
  mesh.channel(to).post(stream, head.take());
  if (!message.requests.empty()) mesh.channel(to).post(stream, bytes_of(message.requests));
}

ServiceMessage receive_message(net::Mesh& mesh, int from, net::Stream stream) {
  std::array<std::byte, kHeadBytes> head{};
  mesh.channel(from).receive(stream, net::Bytes(head)).wait();
  net::ByteReader reader(head, kWhat);
  const auto kind = reader.number<std::uint32_t>();
  const auto rank = reader.number<std::uint32_t>();
  const auto reason = reader.number<std::uint64_t>();
  const auto requests = reader.number<std::uint64_t>(), nodes = reader.number<std::uint64_t>();
  reader.require(kind >= 1 && kind <= 4, "its kind is unknown");
  reader.require(rank < static_cast<std::uint32_t>(mesh.size()), "it names a rank that cannot be");
  reader.require(requests <= kMostRequests && nodes <= kMostNodes, "it has too many requests or nodes");
  const auto told = static_cast<ServiceMessage::Kind>(kind);
  reader.require((requests > 0) == (told == ServiceMessage::Kind::kRequests), "its kind does not fit its contents");
  ServiceMessage message{told, static_cast<int>(rank), static_cast<std::int64_t>(reason), {}};
  if (requests == 0) return message;
  std::vector<std::byte> body((requests + nodes) * sizeof(std::uint64_t));
  mesh.channel(from).receive(stream, net::Bytes(body)).wait();
  message.requests = requests_in(body, requests);
  return message;
}

mpc::Digest digest_of(const ServiceMessage& message) {
  net::ByteWriter all;
  all.number(static_cast<std::uint64_t>(message.rank));
  all.number(static_cast<std::uint64_t>(message.requests.size()));
  all.raw(bytes_of(message.requests));
  return mpc::digest_of(all.take());
}

std::int64_t payload_of(const ServiceMessage& message) {
  return static_cast<std::int64_t>(kHeadBytes) + 8 * (std::ssize(message.requests) + nodes_in(message));
}

std::int64_t messages_of(const ServiceMessage& message) { return message.requests.empty() ? 1 : 2; }

}  // namespace tacit::gnn
