#include "gnn/checkpoint/kept_shares.h"

#include <cmath>
#include <cstring>

#include "mpc/protocols/restore.h"
#include "net/byte_fields.h"
#include "net/collectives/collectives.h"

namespace tacit::gnn {

namespace {

constexpr std::size_t kToldEntryBytes = sizeof(mpc::Nonce) + 16;
constexpr std::size_t kToldBytes = 1 + 2 * sizeof(std::uint64_t) + 2 * sizeof(std::uint32_t);
constexpr std::uint64_t kMostToldRows = std::uint64_t{1} << 31;

// A party's announcement of one share: the session, and 16 bytes of a digest of shape and format,
// which the parties compare. Zeros if the party holds no share.
std::vector<std::byte> entry_of(const std::optional<KeptShare>& kept) {
  if (!kept) return std::vector<std::byte>(kToldEntryBytes);
  net::ByteWriter writer;
  for (const std::int64_t number : {kept->share.shape().rows, kept->share.shape().cols}) {
    writer.number(static_cast<std::uint64_t>(number));
  }
  for (const int bits : {kept->share.format().ring_bits, kept->share.format().fraction_bits}) {
    writer.number(static_cast<std::uint32_t>(bits));
  }
  const mpc::Digest digest = mpc::digest_of(writer.take());
  std::vector<std::byte> entry(kept->session.begin(), kept->session.end());
  entry.insert(entry.end(), digest.begin(), digest.begin() + 16);
  return entry;
}

// True if all parties hold a share and their entries are equal.
bool all_hold(const std::vector<std::vector<std::byte>>& by_party, std::size_t at) {
  const std::vector<std::byte> nothing(kToldEntryBytes);
  const auto entry = [&](const std::vector<std::byte>& all) { return std::span(all).subspan(at, kToldEntryBytes); };
  const auto first = entry(by_party.front());
  if (std::equal(first.begin(), first.end(), nothing.begin())) return false;
  return std::all_of(by_party.begin(), by_party.end(), [&](const std::vector<std::byte>& other) {
    return std::equal(first.begin(), first.end(), entry(other).begin());
  });
}

void tell_dealers(net::Mesh& mesh, const std::vector<std::string>& names, const KeptByName& held) {
  net::ByteWriter writer;
  for (const std::string& name : names) {
    const auto kept = held.find(name);
    const bool known = kept != held.end();
    const Shape shape = known ? kept->second.shape() : Shape{};
    const mpc::Format format = known ? kept->second.format() : mpc::Format{};
    writer.number(static_cast<std::uint8_t>(known));
    writer.number(static_cast<std::uint64_t>(shape.rows));
    writer.number(static_cast<std::uint64_t>(shape.cols));
    writer.number(static_cast<std::uint32_t>(format.ring_bits));
    writer.number(static_cast<std::uint32_t>(format.fraction_bits));
  }
  const std::vector<std::byte> told = writer.take();
  for (int dealer = mesh.parties(); dealer < mesh.size(); ++dealer) {
    mesh.channel(dealer).post(net::kMainStream, told);
  }
}

KeptByName hear_from_rank_0(net::Mesh& mesh, const std::vector<std::string>& names) {
  std::vector<std::byte> told(names.size() * kToldBytes);
  mesh.channel(0).receive(net::kMainStream, net::Bytes(told)).wait();
  net::ByteReader reader(told, "rank 0's message about revealed shares");
  KeptByName held;
  for (const std::string& name : names) {
    const bool known = reader.number<std::uint8_t>() != 0;
    const auto rows = reader.number<std::uint64_t>(), cols = reader.number<std::uint64_t>();
    const auto ring = reader.number<std::uint32_t>(), fraction = reader.number<std::uint32_t>();
    if (!known) continue;
    reader.require(rows < kMostToldRows && cols < kMostToldRows, "a shape in it is too large");
    reader.require(ring >= 1 && ring <= mpc::kWordBits && fraction < ring, "a format in it is none");
    const Shape shape{static_cast<std::int64_t>(rows), static_cast<std::int64_t>(cols)};
    held.emplace(name, mpc::SavedShare::nothing(shape, {static_cast<int>(ring), static_cast<int>(fraction)}));
  }
  return held;
}

}  // namespace

KeptByName agree_on_kept(net::Mesh& mesh, const CheckpointStore* store, const CheckpointId& id,
                         const std::vector<std::string>& names) {
  mesh.set_step("looking for revealed values of the checkpoint");
  if (names.empty()) return {};
  if (!mesh.world().is_party()) return hear_from_rank_0(mesh, names);
  std::vector<std::optional<KeptShare>> own;
  std::vector<std::byte> announced;
  for (const std::string& name : names) {
    own.push_back(store->kept(id, name));
    const std::vector<std::byte> entry = entry_of(own.back());
    announced.insert(announced.end(), entry.begin(), entry.end());
  }
  std::vector<std::vector<std::byte>> by_party(static_cast<std::size_t>(mesh.parties()), announced);
  const std::vector<net::Bytes> bytes(by_party.begin(), by_party.end());
  net::Group group(mesh);
  net::all_gather(group, bytes);
  KeptByName held;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (all_hold(by_party, i * kToldEntryBytes)) held.emplace(names[i], std::move(own[i]->share));
  }
  if (mesh.rank() == 0) tell_dealers(mesh, names, held);
  return held;
}

KeptByName without_contents(const KeptByName& held) {
  KeptByName nothing;
  for (const auto& [name, share] : held) {
    nothing.emplace(name, mpc::SavedShare::nothing(share.shape(), share.format()));
  }
  return nothing;
}

std::optional<Tensor> KeptShares::find(mpc::Session& session, std::int64_t epoch, const std::string& name) {
  const auto kept = held_.find(name);
  if (!resumed_ || resumed_->epoch != epoch || kept == held_.end()) return std::nullopt;
  const mpc::Share share = mpc::restore(session, kept->second);
  return Tensor(share, std::nextafter(mpc::largest(share.format()), 0), name);  // no more is known of its range
}

void KeptShares::keep(std::int64_t epoch, const std::string& name, const Tensor& told) {
  if (store_ == nullptr) return;
  const bool of_resumed = resumed_ && resumed_->epoch == epoch;
  about_own("its checkpoints", [&] {
    const mpc::SavedShare saved = mpc::save(told.share());
    of_resumed ? store_->keep(*resumed_, name, saved) : store_->keep(epoch, name, saved);
  });
}

}  // namespace tacit::gnn
