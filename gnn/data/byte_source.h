// ByteSource — bytes that are read at any place: a file, or memory.
//
// Parsers read from one piece by piece, so a large file is never in memory twice. Thread: as a plain value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "gnn/data/place.h"
#include "net/descriptor.h"

namespace tacit::gnn {

class ByteSource {
 public:
  virtual ~ByteSource() = default;

  std::int64_t size() const { return size_; }
  const Place& place() const { return place_; }

  // Fills `into` with the bytes from `at` on; all of them must be inside. Throws ConfigError when they cannot be read.
  virtual void read(std::int64_t at, std::span<std::byte> into) const = 0;

 protected:
  ByteSource(Place place, std::int64_t size) : place_(std::move(place)), size_(size) {}

  Place place_;
  std::int64_t size_;
};

// A regular file; its size is what it was when it was opened.
class FileSource final : public ByteSource {
 public:
  explicit FileSource(const std::filesystem::path& path);
  void read(std::int64_t at, std::span<std::byte> into) const override;

 private:
  net::Descriptor file_;
};

// Memory that outlives it.
class MemorySource final : public ByteSource {
 public:
  MemorySource(std::string name, std::span<const std::byte> bytes)
      : ByteSource(Place(std::move(name)), std::ssize(bytes)), bytes_(bytes) {}
  void read(std::int64_t at, std::span<std::byte> into) const override;

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace tacit::gnn
