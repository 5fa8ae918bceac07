// ByteWriter and ByteReader encode and decode untrusted bytes: numbers in little-endian order,
// texts after their lengths, every read checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "net/error.h"

namespace tacit::net {

class ByteWriter {
 public:
  template <typename T>
  void number(T value) {
    static_assert(std::is_unsigned_v<T>);
    for (std::size_t i = 0; i < sizeof(T); ++i) bytes_.push_back(static_cast<std::byte>((value >> (8 * i)) & 0xff));
  }
  void raw(std::span<const std::byte> bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }
  void raw(std::string_view text) { raw(std::as_bytes(std::span(text))); }
  void text(std::string_view text) {  // at most 65535 bytes
    TACIT_CHECK(text.size() <= 0xffff);
    number(static_cast<std::uint16_t>(text.size()));
    raw(text);
  }
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
};

// Throws ProtocolError ("... is malformed: ...") instead of reading beyond the end.
class ByteReader {
 public:
  ByteReader(std::span<const std::byte> bytes, const char* what) : bytes_(bytes), what_(what) {}

  template <typename T>
  T number() {
    static_assert(std::is_unsigned_v<T>);
    T value = 0;
    const auto bytes = raw(sizeof(T));
    for (std::size_t i = sizeof(T); i-- > 0;) value = static_cast<T>((value << 8) | std::to_integer<T>(bytes[i]));
    return value;
  }
  std::span<const std::byte> raw(std::size_t size) {
    require(size <= bytes_.size(), "it is too short");
    const auto taken = bytes_.first(size);
    bytes_ = bytes_.subspan(size);
    return taken;
  }
  std::string text(std::size_t most) {
    const std::size_t size = number<std::uint16_t>();
    require(size <= most, "a text in it is too long");
    return to_string(raw(size));
  }
  std::string rest() { return to_string(raw(bytes_.size())); }
  void finish() const { require(bytes_.empty(), "it is too long"); }
  void require(bool holds, const char* why) const {
    if (!holds) throw ProtocolError(std::string(what_) + " is malformed: " + why);
  }

 private:
  static std::string to_string(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

  std::span<const std::byte> bytes_;
  const char* what_;
};

}  // namespace tacit::net
