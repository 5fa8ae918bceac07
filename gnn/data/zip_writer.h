// ZipWriter — writes a ZIP archive, member after member, without dates: equal members make equal
// archives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tacit::gnn {

enum class Compression { kStored, kDeflated };

// The use of 64-bit sizes. kWhereNeeded suits every reader; kAlways is for tests.
enum class Zip64 { kWhereNeeded, kAlways };

class ZipWriter {
 public:
  using Sink = std::function<void(std::span<const std::byte>)>;  // called in the order of the file

  explicit ZipWriter(Sink sink, Zip64 zip64 = Zip64::kWhereNeeded) : sink_(std::move(sink)), zip64_(zip64) {}

  // Adds a member with the content `head` followed by `body`. Deflated data are held in memory
  // until they are written.
  void add(std::string_view name, std::span<const std::byte> head, std::span<const std::byte> body,
           Compression compression);

  // For a stored member with content that the caller itself writes to its place behind the header: add_placed() writes the
  // header alone, and the sink has to go on behind the content.
  void add_placed(std::string_view name, std::uint64_t bytes, std::uint32_t crc);
  static std::uint64_t header_bytes(std::string_view name, std::uint64_t bytes, std::uint64_t at);
  // The CRC-32 of `bytes` behind content with the checksum `before`; and of two contents joined.
  static std::uint32_t checksum(std::span<const std::byte> bytes, std::uint32_t before = 0);
  static std::uint32_t joined_checksum(std::uint32_t before, std::uint32_t of_next, std::uint64_t next_bytes);

  void finish();  // writes the directory; no member may follow

 private:
  struct Entry {
    std::string name;
    std::uint16_t method = 0;
    std::uint32_t crc = 0;
    std::uint64_t packed_bytes = 0, bytes = 0, at = 0;
  };

  void write(std::span<const std::byte> bytes);
  void write_header(const Entry& entry);
  bool wide(const Entry& entry) const;

  Sink sink_;
  Zip64 zip64_;
  std::vector<Entry> entries_;
  std::uint64_t at_ = 0;
};

}  // namespace tacit::gnn
