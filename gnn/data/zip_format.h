// The records of a ZIP archive (PKWARE's APPNOTE 6.3.10, section 4.3) that occur in .npz files.
// Little-endian.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

namespace tacit::gnn::zip {

constexpr std::uint32_t kLocalHeader = 0x04034b50;    // before each member's data
constexpr std::uint32_t kCentralHeader = 0x02014b50;  // each member's entry in the directory
constexpr std::uint32_t kEnd = 0x06054b50;            // the last record, with the position of the directory
constexpr std::uint32_t kEnd64 = 0x06064b50;          // the same with 64-bit numbers
constexpr std::uint32_t kLocator64 = 0x07064b50;      // just before kEnd, with the position of kEnd64

constexpr std::int64_t kLocalHeaderBytes = 30;  // sizes without names, extra fields and comments
constexpr std::int64_t kCentralHeaderBytes = 46;
constexpr std::int64_t kEndBytes = 22;
constexpr std::int64_t kEnd64Bytes = 56;
constexpr std::int64_t kLocator64Bytes = 20;

constexpr std::uint32_t kIn64 = 0xffffffff;         // marks a size or offset that is in the extra field kExtra64
constexpr std::uint16_t kIn64Short = 0xffff;        // marks a count that is in kEnd64
constexpr std::uint16_t kExtra64 = 1;               // type of the extra field
constexpr std::uint16_t kUnreadableFlags = 0x2061;  // encrypted (bits 0, 6, 13), a patch (bit 5)
constexpr std::uint16_t kStored = 0, kDeflated = 8;
constexpr std::size_t kMostStep = 1 << 30;     // the largest step of zlib, which counts in 32 bits
constexpr std::int64_t kMostExpansion = 1032;  // deflate: 258 bytes from two bits at best

template <class T>
T get(std::span<const std::byte> bytes, std::int64_t at) {
  T value = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    value = static_cast<T>(value | static_cast<T>(static_cast<T>(bytes[static_cast<std::size_t>(at) + i]) << (8 * i)));
  }
  return value;
}

inline std::uint16_t get16(std::span<const std::byte> bytes, std::int64_t at) { return get<std::uint16_t>(bytes, at); }
inline std::uint32_t get32(std::span<const std::byte> bytes, std::int64_t at) { return get<std::uint32_t>(bytes, at); }

// A number beyond std::int64_t becomes the largest one, which is outside of every file.
inline std::int64_t get64(std::span<const std::byte> bytes, std::int64_t at) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
  return static_cast<std::int64_t>(std::min(get<std::uint64_t>(bytes, at), kMost));
}

inline std::string_view text(std::span<const std::byte> bytes, std::int64_t at, std::int64_t length) {
  const auto part = bytes.subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(length));
  return {reinterpret_cast<const char*>(part.data()), part.size()};
}

// The bytes of a record, one field after the other.
class Record {
 public:
  Record& put16(std::uint64_t value) { return put(value, 2); }
  Record& put32(std::uint64_t value) { return put(value, 4); }
  Record& put64(std::uint64_t value) { return put(value, 8); }
  Record& put(std::string_view text) {
    for (const char c : text) bytes_.push_back(static_cast<std::byte>(c));
    return *this;
  }
  const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  Record& put(std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) bytes_.push_back(static_cast<std::byte>(value >> (8 * i)));
    return *this;
  }

  std::vector<std::byte> bytes_;
};

}  // namespace tacit::gnn::zip
