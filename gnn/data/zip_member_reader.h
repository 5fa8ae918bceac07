// ZipMemberReader — the bytes of one member from the first to the last, stored or inflated, never more than declared.
#pragma once

#include <memory>

#include "gnn/data/zip_archive.h"

namespace tacit::gnn {

class ZipMemberReader {
 public:
  // File and member outlive it. `place` begins its errors, which are ConfigErrors.
  ZipMemberReader(const ByteSource& file, const ZipMember& member, Place place);
  ZipMemberReader(const ZipMemberReader&) = delete;
  ZipMemberReader& operator=(const ZipMemberReader&) = delete;
  ~ZipMemberReader();

  std::int64_t left() const { return left_; }

  void read(std::span<std::byte> into);  // as many as `into` holds; at most left()

  // After the last byte: the data end where they should, and have the checksum that the directory gives. Before it is
  // called, no byte is to be believed.
  void finish();

 private:
  class Inflater;

  Place place_;
  const ByteSource& file_;
  const ZipMember& member_;
  std::int64_t left_;
  std::uint32_t crc_ = 0;
  std::unique_ptr<Inflater> inflater_;  // none for a stored member
};

}  // namespace tacit::gnn
