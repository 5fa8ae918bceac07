#include "gnn/data/zip_writer.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <new>

#include "gnn/data/zip_format.h"
#include "net/error.h"

namespace tacit::gnn {

namespace {

using Bytes = std::span<const std::byte>;

constexpr std::uint64_t kUsualVersion = 20;                 // needed to read deflated data
constexpr std::uint64_t kWideVersion = 45;                  // needed to read 64-bit sizes
constexpr std::uint64_t kNoDate = (0 << 9) | (1 << 5) | 1;  // 1 January 1980, the earliest date of the format

class Deflater {
 public:
  Deflater() {
    if (deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY) !=
        Z_OK) {
      throw std::bad_alloc();
    }
  }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;
  ~Deflater() { deflateEnd(&stream_); }

  void add(Bytes bytes) {
    while (!bytes.empty()) {
      const Bytes part = bytes.first(std::min(bytes.size(), zip::kMostStep));
      step(part, Z_NO_FLUSH);
      bytes = bytes.subspan(part.size());
    }
  }

  std::vector<std::byte> finish() {
    step({}, Z_FINISH);
    return std::move(packed_);
  }

 private:
  void step(Bytes part, int flush) {
    // zlib declares next_in without const, but only reads from it.
    stream_.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(part.data()));
    stream_.avail_in = static_cast<uInt>(part.size());
    std::array<std::byte, 64 * 1024> out;
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(out.data());
      stream_.avail_out = static_cast<uInt>(out.size());
      TACIT_CHECK(deflate(&stream_, flush) != Z_STREAM_ERROR);
      packed_.insert(packed_.end(), out.begin(), out.end() - stream_.avail_out);
    } while (stream_.avail_out == 0);
  }

  z_stream stream_{};
  std::vector<std::byte> packed_;
};

}  // namespace

bool ZipWriter::wide(const Entry& entry) const {
  return zip64_ == Zip64::kAlways || std::max({entry.bytes, entry.packed_bytes, entry.at}) >= zip::kIn64;
}

void ZipWriter::write(Bytes bytes) {
  sink_(bytes);
  at_ += bytes.size();
}

void ZipWriter::add(std::string_view name, Bytes head, Bytes body, Compression compression) {
  TACIT_CHECK(!name.empty() && name.size() <= 0xffff);
  std::vector<std::byte> deflated;
  Entry entry{std::string(name),         zip::kStored, checksum(body, checksum(head)), head.size() + body.size(),
              head.size() + body.size(), at_};
  if (compression == Compression::kDeflated) {
    Deflater deflater;
    deflater.add(head);
    deflater.add(body);
    deflated = deflater.finish();
    entry.method = zip::kDeflated;
    entry.packed_bytes = deflated.size();
    head = deflated;
    body = {};
  }
  write_header(entry);
  write(head);
  write(body);
  entries_.push_back(std::move(entry));
}

void ZipWriter::add_placed(std::string_view name, std::uint64_t bytes, std::uint32_t crc) {
  const Entry entry{std::string(name), zip::kStored, crc, bytes, bytes, at_};
  write_header(entry);
  at_ += bytes;
  entries_.push_back(entry);
}

std::uint64_t ZipWriter::header_bytes(std::string_view name, std::uint64_t bytes, std::uint64_t at) {
  return zip::kLocalHeaderBytes + name.size() + (std::max(bytes, at) >= zip::kIn64 ? 20 : 0);
}

std::uint32_t ZipWriter::checksum(Bytes bytes, std::uint32_t before) {
  if (bytes.empty()) return before;
  return static_cast<std::uint32_t>(crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

std::uint32_t ZipWriter::joined_checksum(std::uint32_t before, std::uint32_t of_next, std::uint64_t next_bytes) {
  return static_cast<std::uint32_t>(crc32_combine(before, of_next, static_cast<z_off_t>(next_bytes)));
}

void ZipWriter::write_header(const Entry& entry) {
  const bool is_wide = wide(entry);
  zip::Record header;
  header.put32(zip::kLocalHeader).put16(is_wide ? kWideVersion : kUsualVersion).put16(0).put16(entry.method);
  header.put16(0).put16(kNoDate).put32(entry.crc);
  header.put32(is_wide ? zip::kIn64 : entry.packed_bytes).put32(is_wide ? zip::kIn64 : entry.bytes);
  header.put16(entry.name.size()).put16(is_wide ? 20 : 0).put(entry.name);
  if (is_wide) header.put16(zip::kExtra64).put16(16).put64(entry.bytes).put64(entry.packed_bytes);
  write(header.bytes());
}

void ZipWriter::finish() {
  const std::uint64_t directory_at = at_;
  bool any_wide = zip64_ == Zip64::kAlways || entries_.size() >= zip::kIn64Short || at_ >= zip::kIn64;
  for (const Entry& entry : entries_) {
    const bool is_wide = wide(entry);
    const std::uint64_t version = is_wide ? kWideVersion : kUsualVersion;
    zip::Record header;
    header.put32(zip::kCentralHeader).put16(version).put16(version).put16(0).put16(entry.method);
    header.put16(0).put16(kNoDate).put32(entry.crc);
    header.put32(is_wide ? zip::kIn64 : entry.packed_bytes).put32(is_wide ? zip::kIn64 : entry.bytes);
    header.put16(entry.name.size()).put16(is_wide ? 28 : 0);
    header.put16(0).put16(0).put16(0).put32(0);  // no comment, one file, no attributes
    header.put32(is_wide ? zip::kIn64 : entry.at).put(entry.name);
    if (is_wide) {
      header.put16(zip::kExtra64).put16(24).put64(entry.bytes).put64(entry.packed_bytes).put64(entry.at);
    }
    write(header.bytes());
  }
  const std::uint64_t end_at = at_, members = entries_.size(), bytes = end_at - directory_at;
  any_wide = any_wide || end_at >= zip::kIn64;
  zip::Record end;
  if (any_wide) {
    end.put32(zip::kEnd64).put64(zip::kEnd64Bytes - 12).put16(kWideVersion).put16(kWideVersion).put32(0).put32(0);
    end.put64(members).put64(members).put64(bytes).put64(directory_at);
    end.put32(zip::kLocator64).put32(0).put64(end_at).put32(1);
  }
  end.put32(zip::kEnd).put16(0).put16(0);
  end.put16(any_wide ? zip::kIn64Short : members).put16(any_wide ? zip::kIn64Short : members);
  end.put32(any_wide ? zip::kIn64 : bytes).put32(any_wide ? zip::kIn64 : directory_at).put16(0);
  write(end.bytes());
}

}  // namespace tacit::gnn
