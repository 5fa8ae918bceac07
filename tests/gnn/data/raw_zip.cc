#include "tests/gnn/data/raw_zip.h"

#include <fmt/format.h>

#include "gnn/data/npy_header.h"
#include "gnn/data/zip_format.h"

namespace tacit::gnn {

namespace {

std::string text_of(const zip::Record& record) {
  return std::string(zip::text(record.bytes(), 0, std::ssize(record.bytes())));
}

// An archive that contains members like ours.
std::string written(std::string_view content, Compression compression) {
  std::string text;
  ZipWriter archive([&](std::span<const std::byte> bytes) { text += zip::text(bytes, 0, std::ssize(bytes)); });
  archive.add("x", {}, std::as_bytes(std::span(content)), compression);
  return text;
}

std::uint32_t crc_of(const std::string& content) {
  const std::string archive = written(content, Compression::kStored);
  return zip::get32(std::as_bytes(std::span(archive)), 14);
}

std::string local_part(const RawMember& member) {
  const std::uint32_t crc = member.crc.value_or(crc_of(member.content));
  const std::string name = member.local_name.value_or(member.name);
  const std::uint64_t packed = member.packed.size(), bytes = member.content.size();
  zip::Record header;
  header.put32(member.local_signature.value_or(zip::kLocalHeader)).put16(20);
  header.put16(member.local_flags.value_or(member.flags) | (member.descriptor ? 8u : 0u));
  header.put16(member.local_method.value_or(member.method)).put32(0);
  header.put32(member.descriptor ? 0 : crc).put32(member.descriptor ? 0 : packed).put32(member.descriptor ? 0 : bytes);
  header.put16(name.size()).put16(0).put(name).put(member.packed);
  if (member.descriptor) header.put32(0x08074b50).put32(crc).put32(packed).put32(bytes);
  return text_of(header);
}

std::string entry_of(const RawMember& member, std::uint64_t at) {
  const std::string extra = member.extra.value_or("");
  zip::Record header;
  header.put32(member.entry_signature.value_or(zip::kCentralHeader)).put16(20).put16(20);
  header.put16(member.flags | (member.descriptor ? 8u : 0u)).put16(member.method).put32(0);
  header.put32(member.crc.value_or(crc_of(member.content)));
  header.put32(member.packed_bytes.value_or(member.packed.size())).put32(member.bytes.value_or(member.content.size()));
  header.put16(member.name.size()).put16(extra.size()).put16(0).put16(0).put16(0).put32(0);
  header.put32(member.header_at.value_or(at)).put(member.name).put(extra);
  return text_of(header);
}

}  // namespace

RawZip::RawZip(std::vector<RawMember> all) : members(std::move(all)) {}

std::string RawZip::text() const {
  std::string file, directory;
  for (const RawMember& member : members) {
    directory += entry_of(member, file.size());
    file += local_part(member);
  }
  const std::uint64_t at = file.size();
  zip::Record end;
  end.put32(zip::kEnd).put16(disk.value_or(0)).put16(0);
  end.put16(count.value_or(static_cast<std::uint16_t>(members.size())));
  end.put16(count.value_or(static_cast<std::uint16_t>(members.size())));
  end.put32(directory_bytes.value_or(static_cast<std::uint32_t>(directory.size())));
  end.put32(directory_at.value_or(static_cast<std::uint32_t>(at))).put16(comment.size()).put(comment);
  return file + directory + before_end + text_of(end);
}

std::string raw_npy(std::string_view dict, std::string_view values, int major, int minor) {
  zip::Record file;
  file.put(kNpyMagic).put16(static_cast<std::uint64_t>(major) | static_cast<std::uint64_t>(minor) << 8);
  if (major == 1) {
    file.put16(dict.size());
  } else {
    file.put32(dict.size());
  }
  return text_of(file.put(dict).put(values));
}

std::string raw_npy_dict(std::string_view descr, bool fortran_order, std::string_view shape) {
  return fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': {}, }}\n", descr, fortran_order ? "True" : "False",
                     shape);
}

std::string deflated(std::string_view content) {
  return written(content, Compression::kDeflated).substr(zip::kLocalHeaderBytes + 1);
}

RawMember stored_member(std::string name, std::string content) {
  RawMember member;
  member.name = std::move(name);
  member.packed = content;
  member.content = std::move(content);
  return member;
}

RawMember deflated_member(std::string name, std::string content) {
  RawMember member = stored_member(std::move(name), std::move(content));
  member.packed = deflated(member.content);
  member.method = zip::kDeflated;
  return member;
}

NpzText::NpzText(const std::vector<NamedArray>& arrays, Compression compression, Zip64 zip64)
    : text_(std::make_unique<std::string>()) {
  ZipWriter archive([this](std::span<const std::byte> bytes) { *text_ += zip::text(bytes, 0, std::ssize(bytes)); },
                    zip64);
  write_npz(archive, arrays, compression);
}

Npz NpzText::open() const { return Npz(std::make_unique<MemorySource>("a.npz", std::as_bytes(std::span(*text_)))); }

}  // namespace tacit::gnn
