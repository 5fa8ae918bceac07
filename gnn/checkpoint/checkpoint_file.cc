#include "gnn/checkpoint/checkpoint_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "gnn/checkpoint/checkpoint.pb.h"
#include "net/byte_fields.h"
#include "net/descriptor.h"

namespace tacit::gnn {

namespace {

constexpr std::string_view kMagic("\x89TACIT\r\n", 8);
constexpr std::size_t kPrefixBytes = 24;
constexpr std::size_t kChecksumBytes = sizeof(mpc::Digest);
constexpr std::int64_t kSeenBytes = 3 * (1 + 8);
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 34;

using ConstBytes = std::span<const std::byte>;

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& why) {
  throw ConfigError(fmt::format("{} {}", path.string(), why));
}

constexpr const char* kRemedy = "delete it and resume from an older checkpoint";

struct Prefix {
  std::uint32_t header_bytes = 0;
  std::uint64_t bytes = 0;
};

// Parses the prefix of a file from its first bytes `begin`. `bytes` is the length of the file.
Prefix parse_prefix(ConstBytes begin, std::uint64_t bytes, const std::filesystem::path& path) {
  if (begin.size() < kPrefixBytes || std::memcmp(begin.data(), kMagic.data(), kMagic.size()) != 0) {
    refuse(path, "is no checkpoint of Tacit, or its beginning is lost; take it out of the folder");
  }
  net::ByteReader reader(begin.subspan(kMagic.size()), "a checkpoint");
  const auto format = reader.number<std::uint32_t>();
  if (format != kCheckpointFormat) {
    refuse(path, fmt::format("is a checkpoint of format {}, and this Tacit reads format {}: another version wrote it, "
                             "or it is damaged; resume with the version that wrote it, or {}",
                             format, kCheckpointFormat, kRemedy));
  }
  Prefix prefix;
  prefix.header_bytes = reader.number<std::uint32_t>();
  prefix.bytes = reader.number<std::uint64_t>();
  if (bytes < prefix.bytes)
    refuse(path, fmt::format("is truncated: {} of {} bytes are there; {}", bytes, prefix.bytes, kRemedy));
  const bool bounded = bytes == prefix.bytes && bytes <= kMostBytes && prefix.header_bytes <= kMostHeaderBytes &&
                       kPrefixBytes + prefix.header_bytes + kChecksumBytes <= bytes;
  if (!bounded) refuse(path, fmt::format("is damaged: its lengths contradict each other; {}", kRemedy));
  return prefix;
}

std::int64_t content_bytes(const CheckpointHeader& header) {
  return kSeenBytes + header.layout.content_bytes() + header.own_scale_bytes + header.layout.known_bytes();
}

void fill(google::protobuf::RepeatedField<double>& to, const Matrix& row) {
  to.Add(row.data(), row.data() + row.size());
}

std::string encode_own_scale(const CheckpointContent& content) {
  proto::OwnScale message;
  fill(*message.mutable_feature_means(), content.own.features.mean);
  fill(*message.mutable_feature_deviations(), content.own.features.deviation);
  fill(*message.mutable_target_means(), content.own.targets.mean);
  fill(*message.mutable_target_deviations(), content.own.targets.deviation);
  for (const int power : content.feature_powers) message.add_feature_powers(power);
  for (const int power : content.target_powers) message.add_target_powers(power);
  for (const std::string& name : content.own.feature_names) message.add_feature_names(name);
  for (const double reading : content.readings) message.add_readings(reading);
  return message.SerializeAsString();
}

// False if it cannot be parsed. Deviations are positive, and there is one for each mean.
bool parse_statistics(const google::protobuf::RepeatedField<double>& means,
                      const google::protobuf::RepeatedField<double>& deviations, Statistics& statistics) {
  if (means.size() != deviations.size()) return false;
  if (means.empty()) return true;
  statistics.mean = Eigen::Map<const Matrix>(means.data(), 1, means.size());
  statistics.deviation = Eigen::Map<const Matrix>(deviations.data(), 1, deviations.size());
  return statistics.mean.allFinite() && statistics.deviation.allFinite() && statistics.deviation.minCoeff() > 0;
}

bool parse_own_scale(const std::string& bytes, CheckpointContent& content) {
  proto::OwnScale message;
  if (!message.ParseFromString(bytes)) return false;
  content.feature_powers.assign(message.feature_powers().begin(), message.feature_powers().end());
  content.target_powers.assign(message.target_powers().begin(), message.target_powers().end());
  content.own.feature_names.assign(message.feature_names().begin(), message.feature_names().end());
  content.readings.assign(message.readings().begin(), message.readings().end());
  return parse_statistics(message.feature_means(), message.feature_deviations(), content.own.features) &&
         parse_statistics(message.target_means(), message.target_deviations(), content.own.targets);
}

std::string_view text_of(ConstBytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

}  // namespace

std::vector<std::byte> encode_checkpoint(CheckpointHeader header, const CheckpointContent& content,
                                         const mpc::StorageKey& key) {
  const std::string own = encode_own_scale(content);
  header.own_scale_bytes = std::ssize(own);
  const std::string encoded = encode(header);
  TACIT_CHECK(std::ssize(encoded) <= kMostHeaderBytes);
  const std::int64_t sealed = mpc::sealed_bytes(content_bytes(header));
  net::ByteWriter writer;
  writer.raw(kMagic);
  writer.number(kCheckpointFormat);
  writer.number(static_cast<std::uint32_t>(encoded.size()));
  writer.number(kPrefixBytes + encoded.size() + static_cast<std::uint64_t>(sealed) + kChecksumBytes);
  writer.raw(encoded);
  std::vector<std::byte> bytes = writer.take();

  mpc::Sealer sealer(key, bytes);
  net::ByteWriter seen;
  for (const std::optional<double>& number : {content.seen.first_loss, content.seen.best, content.seen.plateau_best}) {
    seen.number(static_cast<std::uint8_t>(number.has_value()));
    seen.number(std::bit_cast<std::uint64_t>(number.value_or(0)));
  }
  sealer.append(seen.take());
  for (const mpc::SavedShare& share : content.tensors) share.write_to(sealer);
  sealer.append(std::as_bytes(std::span(own)));
  for (const NamedMatrix& known : content.known) {
    net::ByteWriter numbers;
    for (Eigen::Index i = 0; i < known.values.size(); ++i)
      numbers.number(std::bit_cast<std::uint64_t>(known.values.data()[i]));
    sealer.append(numbers.take());
  }
  const std::vector<std::byte> secret = sealer.finish();
  TACIT_CHECK(std::ssize(secret) == sealed);
  bytes.insert(bytes.end(), secret.begin(), secret.end());
  const mpc::Digest checksum = mpc::digest_of(bytes);
  bytes.insert(bytes.end(), checksum.begin(), checksum.end());
  return bytes;
}

CheckpointFile CheckpointFile::read(const std::filesystem::path& path) {
  // O_NONBLOCK: opening a FIFO does not wait for a writer.
  const net::Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct stat about {};
  const bool regular = file && ::fstat(file.get(), &about) == 0 && S_ISREG(about.st_mode);
  if (!regular) refuse(path, "cannot be read; check that it is a file and its mode");
  const auto size = static_cast<std::uint64_t>(about.st_size);
  std::vector<std::byte> bytes(std::min<std::uint64_t>(size, kPrefixBytes));
  const auto read_to = [&](std::size_t from) {
    while (from < bytes.size()) {
      const ssize_t got = ::read(file.get(), bytes.data() + from, bytes.size() - from);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) refuse(path, "cannot be read to its end; check the disk");
      from += static_cast<std::size_t>(got);
    }
  };
  read_to(0);
  parse_prefix(bytes, size, path);
  bytes.resize(size);
  read_to(kPrefixBytes);
  return parse(std::move(bytes), path);
}

CheckpointFile CheckpointFile::parse(std::vector<std::byte> bytes, const std::filesystem::path& path) {
  const Prefix prefix = parse_prefix(ConstBytes(bytes).first(std::min(bytes.size(), kPrefixBytes)), bytes.size(), path);
  const ConstBytes all(bytes);
  const mpc::Digest checksum = mpc::digest_of(all.first(all.size() - kChecksumBytes));
  if (!std::equal(checksum.begin(), checksum.end(), all.end() - kChecksumBytes)) {
    refuse(path, fmt::format("is damaged: its checksum does not match its content; {}", kRemedy));
  }
  CheckpointFile file;
  file.path_ = path;
  file.sealed_at_ = kPrefixBytes + prefix.header_bytes;
  try {
    file.header_ = parse_header(text_of(all.subspan(kPrefixBytes, prefix.header_bytes)));
  } catch (const ProtocolError& error) {
    refuse(path, fmt::format("was altered: {}; {}", error.what(), kRemedy));
  }
  const std::int64_t sealed = mpc::sealed_bytes(content_bytes(file.header_));
  if (std::ssize(all) != static_cast<std::int64_t>(file.sealed_at_ + kChecksumBytes) + sealed) {
    refuse(path, fmt::format("was altered: its content is not of the length that its header states; {}", kRemedy));
  }
  file.bytes_ = std::move(bytes);
  return file;
}

CheckpointContent CheckpointFile::open(const mpc::StorageKey& key) const {
  const ConstBytes all(bytes_);
  mpc::Unsealer unsealer(key, all.first(sealed_at_), all.subspan(sealed_at_, all.size() - sealed_at_ - kChecksumBytes));
  CheckpointContent content;
  std::array<std::byte, static_cast<std::size_t>(kSeenBytes)> seen{};
  bool whole = unsealer.read(seen);
  for (const StateLayout::Entry& entry : header_.layout.tensors) {
    if (!whole) break;
    std::optional<mpc::SavedShare> share = mpc::SavedShare::read_from(unsealer, entry.shape, entry.format);
    whole = share.has_value();
    if (whole) content.tensors.push_back(std::move(*share));
  }
  std::string own(static_cast<std::size_t>(whole ? header_.own_scale_bytes : 0), '\0');
  whole = whole && unsealer.read(std::as_writable_bytes(std::span(own)));
  for (const StateLayout::Known& known : header_.layout.known) {
    if (!whole) break;
    std::vector<std::byte> bytes(static_cast<std::size_t>(known.shape.size()) * sizeof(std::uint64_t));
    whole = unsealer.read(bytes);
    net::ByteReader numbers(bytes, "a checkpoint");
    NamedMatrix& made = content.known.emplace_back(NamedMatrix{known.name, Matrix(known.shape.rows, known.shape.cols)});
    for (Eigen::Index i = 0; whole && i < made.values.size(); ++i)
      made.values.data()[i] = std::bit_cast<double>(numbers.number<std::uint64_t>());
  }
  if (!whole || !unsealer.finish() || !parse_own_scale(own, content)) {
    refuse(path_, fmt::format("does not open under this storage key, though it is undamaged: it was altered, or sealed "
                              "under another key; {}",
                              kRemedy));
  }
  net::ByteReader reader(seen, "a checkpoint");
  for (std::optional<double>* number : {&content.seen.first_loss, &content.seen.best, &content.seen.plateau_best}) {
    const bool was_seen = reader.number<std::uint8_t>() != 0;
    const auto value = std::bit_cast<double>(reader.number<std::uint64_t>());
    if (was_seen) *number = value;
  }
  return content;
}

}  // namespace tacit::gnn
