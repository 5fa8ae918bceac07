// ZipMemberReader — reads the bytes of one member in order, stored or inflated, and never more than
// declared.
#pragma once

#include <memory>

#include "gnn/data/zip_archive.h"

namespace tacit::gnn {

class ZipMemberReader {
 public:
  // The file and the member must outlive the reader. `place` begins its errors, which are
  // ConfigErrors.
  ZipMemberReader(const ByteSource& file, const ZipMember& member, Place place);
  ZipMemberReader(const ZipMemberReader&) = delete;
  ZipMemberReader& operator=(const ZipMemberReader&) = delete;
  ~ZipMemberReader();

  std::int64_t left() const { return left_; }

  void read(std::span<std::byte> into);  // fills `into`, which has at most left() bytes

  // Verifies the end: the data end at the declared size and have the checksum of the directory. The
  // caller must not trust any byte before this call.
  void finish();

 private:
  class Inflater;

  Place place_;
  const ByteSource& file_;
  const ZipMember& member_;
  std::int64_t left_;
  std::uint32_t crc_ = 0;
  std::unique_ptr<Inflater> inflater_;  // null for a stored member
};

}  // namespace tacit::gnn
