// Archives and arrays made byte by byte, so that every field can be wrong.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gnn/data/npz.h"

namespace tacit::gnn {

struct RawMember {
  std::string name;
  std::string packed;  // the bytes in the file
  std::string content = packed;

  std::uint16_t flags = 0, method = 0;
  std::optional<std::uint32_t> crc;
  std::optional<std::uint64_t> packed_bytes, bytes, header_at;  // in the directory
  std::optional<std::string> extra;                             // in the directory
  std::optional<std::string> local_name;
  std::optional<std::uint16_t> local_method, local_flags;
  std::optional<std::uint32_t> local_signature, entry_signature;
  bool descriptor = false;  // sizes and checksum follow the data
};

struct RawZip {
  explicit RawZip(std::vector<RawMember> all);

  std::vector<RawMember> members;
  std::optional<std::uint16_t> disk, count;
  std::optional<std::uint32_t> directory_at, directory_bytes;
  std::string comment;
  std::string before_end;  // between the directory and its end record

  std::string text() const;
};

// A whole .npy file with this dict in its header and these bytes after it.
std::string raw_npy(std::string_view dict, std::string_view values, int major = 1, int minor = 0);
std::string raw_npy_dict(std::string_view descr, bool fortran_order, std::string_view shape);

std::string deflated(std::string_view content);

RawMember stored_member(std::string name, std::string content);
RawMember deflated_member(std::string name, std::string content);

// An .npz file in memory, called "a.npz".
class NpzText {
 public:
  explicit NpzText(std::string text) : text_(std::make_unique<std::string>(std::move(text))) {}
  explicit NpzText(const std::vector<NamedArray>& arrays, Compression compression = Compression::kStored,
                   Zip64 zip64 = Zip64::kWhereNeeded);

  Npz open() const;
  const std::string& text() const { return *text_; }

 private:
  std::unique_ptr<std::string> text_;
};

}  // namespace tacit::gnn
