// ByteSource — random access to the bytes of a file or of memory.
//
// Parsers read piece by piece, so a large file is never in memory twice. Thread: as a plain value.
#pragma once

#include <time.h>

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

  // Fills `into` with the bytes from `at` on, which must lie inside. Throws ConfigError if they
  // cannot be read.
  virtual void read(std::int64_t at, std::span<std::byte> into) const = 0;

  // Throws ConfigError if somebody wrote to the file after it was opened: two passes may have read different bytes.
  virtual void expect_unchanged() const {}

 protected:
  ByteSource(Place place, std::int64_t size) : place_(std::move(place)), size_(size) {}

  Place place_;
  std::int64_t size_;
};

// A regular file. size() is the size at the time of opening.
class FileSource final : public ByteSource {
 public:
  explicit FileSource(const std::filesystem::path& path);
  void read(std::int64_t at, std::span<std::byte> into) const override;
  void expect_unchanged() const override;

 private:
  net::Descriptor file_;
  timespec written_{};  // the last time
};

// Memory, which must outlive the source.
class MemorySource final : public ByteSource {
 public:
  MemorySource(std::string name, std::span<const std::byte> bytes)
      : ByteSource(Place(std::move(name)), std::ssize(bytes)), bytes_(bytes) {}
  void read(std::int64_t at, std::span<std::byte> into) const override;

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace tacit::gnn
