#include "gnn/checkpoint/kept_share_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>

#include "gnn/data/atomic_file.h"
#include "net/byte_fields.h"
#include "net/descriptor.h"

namespace tacit::gnn {

namespace {

constexpr std::string_view kKeptMagic("\x89TACITK\n", 8);
constexpr std::int64_t kMostKeptRows = std::int64_t{1} << 31, kMostKeptBytes = std::int64_t{1} << 34;
constexpr std::size_t kMostName = 256;

std::vector<std::byte> encode_header(const KeptShareHeader& header) {
  net::ByteWriter writer;
  writer.raw(kKeptMagic);
  writer.raw(header.model);
  writer.raw(header.data);
  writer.raw(header.checkpoint.nonce);
  writer.number(static_cast<std::uint64_t>(header.checkpoint.epoch));
  writer.number(static_cast<std::uint32_t>(header.rank));
  writer.number(static_cast<std::uint32_t>(header.parties));
  writer.text(std::string_view(header.name).substr(0, kMostName));
  writer.raw(header.session);
  writer.number(static_cast<std::uint64_t>(header.shape.rows));
  writer.number(static_cast<std::uint64_t>(header.shape.cols));
  writer.number(static_cast<std::uint32_t>(header.format.ring_bits));
  writer.number(static_cast<std::uint32_t>(header.format.fraction_bits));
  return writer.take();
}

// Bytes of the session, shape and format, which end the header. The caller expects the rest of the
// header.
constexpr std::size_t kTailBytes = sizeof(mpc::Nonce) + 2 * sizeof(std::uint64_t) + 2 * sizeof(std::uint32_t);

// Parses the end of the header. False if no share has this shape or format.
bool parse_tail(std::span<const std::byte> bytes, KeptShareHeader& header) {
  net::ByteReader reader(bytes, "a kept share");
  std::memcpy(header.session.data(), reader.raw(sizeof(mpc::Nonce)).data(), sizeof(mpc::Nonce));
  const auto rows = reader.number<std::uint64_t>(), cols = reader.number<std::uint64_t>();
  const auto ring = reader.number<std::uint32_t>(), fraction = reader.number<std::uint32_t>();
  if (rows >= kMostKeptRows || cols >= kMostKeptRows || ring < 1 || ring > mpc::kWordBits || fraction >= ring)
    return false;
  header.shape = {static_cast<std::int64_t>(rows), static_cast<std::int64_t>(cols)};
  header.format = {static_cast<int>(ring), static_cast<int>(fraction)};
  return header.shape.size() <= kMostKeptBytes / static_cast<std::int64_t>(sizeof(std::uint64_t));
}

// The content of a regular file of at most kMostKeptBytes. Other files are not read, and their open()
// does not block.
std::optional<std::vector<std::byte>> content_of(const std::filesystem::path& path) {
  const net::Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  struct stat about {};
  if (!file || ::fstat(file.get(), &about) != 0 || !S_ISREG(about.st_mode) || about.st_size > kMostKeptBytes) {
    return std::nullopt;
  }
  std::vector<std::byte> bytes(static_cast<std::size_t>(about.st_size));
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t more = ::read(file.get(), bytes.data() + done, bytes.size() - done);
    if (more <= 0) return std::nullopt;
    done += static_cast<std::size_t>(more);
  }
  return bytes;
}

}  // namespace

void write_kept_share(const std::filesystem::path& path, const KeptShareHeader& header, const mpc::SavedShare& share,
                      const mpc::StorageKey& key) {
  const std::vector<std::byte> clear = encode_header(header);
  mpc::Sealer sealer(key, clear);
  share.write_to(sealer);
  AtomicFile file(path);
  file.write(clear);
  file.write(sealer.finish());
  file.commit();
}

std::optional<KeptShare> read_kept_share(const std::filesystem::path& path, KeptShareHeader expected,
                                         const mpc::StorageKey& key) {
  const std::optional<std::vector<std::byte>> bytes = content_of(path);
  const std::size_t size = encode_header(expected).size();
  if (!bytes || bytes->size() < size) return std::nullopt;
  const std::span<const std::byte> all(*bytes), clear = all.first(size), sealed = all.subspan(size);
  if (!parse_tail(clear.last(kTailBytes), expected)) return std::nullopt;
  const std::vector<std::byte> known = encode_header(expected);
  if (!std::equal(known.begin(), known.end(), clear.begin(), clear.end())) return std::nullopt;
  const std::int64_t content = mpc::SavedShare::content_bytes(expected.shape, expected.format);
  if (std::ssize(sealed) != mpc::sealed_bytes(content)) return std::nullopt;
  mpc::Unsealer unsealer(key, clear, sealed);
  std::optional<mpc::SavedShare> share = mpc::SavedShare::read_from(unsealer, expected.shape, expected.format);
  if (!share || !unsealer.finish()) return std::nullopt;
  return KeptShare{expected.session, std::move(*share)};
}

}  // namespace tacit::gnn
