#include "gnn/data/zip_archive.h"

#include <fmt/format.h>

#include <algorithm>

#include "gnn/data/zip_directory.h"
#include "gnn/data/zip_format.h"

namespace tacit::gnn {

namespace {

using Bytes = std::span<const std::byte>;

std::string_view method_name(std::uint16_t method) {
  switch (method) {
    case 9:
      return "deflate64";
    case 12:
      return "bzip2";
    case 14:
      return "LZMA";
    case 93:
      return "Zstandard";
    default:
      return "unknown";
  }
}

void check_method(std::uint16_t flags, std::uint16_t method, const Place& place) {
  if ((flags & zip::kUnreadableFlags) != 0)
    place.wrong("it is encrypted, or a patch of another file; write the archive without encryption");
  if (method != zip::kStored && method != zip::kDeflated) {
    place.wrong(fmt::format("compression method {} ({}); expected stored or deflated: use numpy.savez_compressed",
                            method, method_name(method)));
  }
}

// Reads sizes that exceed 32 bits from the extra field, which has an entry for each size that needs
// one, in this order.
void take_wide_fields(Bytes extra, ZipMember& member, const Place& place) {
  std::vector<std::int64_t*> wide;
  for (std::int64_t* field : {&member.bytes, &member.packed_bytes, &member.header_at}) {
    if (*field == zip::kIn64) wide.push_back(field);
  }
  if (wide.empty()) return;
  while (extra.size() >= 4 && extra.size() - 4 >= zip::get16(extra, 2)) {
    const Bytes content = extra.subspan(4, zip::get16(extra, 2));
    if (zip::get16(extra, 0) == zip::kExtra64 && content.size() >= 8 * wide.size()) {
      for (std::size_t i = 0; i < wide.size(); ++i) *wide[i] = zip::get64(content, 8 * static_cast<std::int64_t>(i));
      return;
    }
    extra = extra.subspan(4 + content.size());
  }
  place.wrong("its 64-bit sizes are missing; the file is damaged");
}

void check_sizes(const ZipMember& member, const ByteSource& file, const Place& place) {
  if (member.packed_bytes > file.size()) {
    place.wrong(fmt::format("it declares {} bytes in a file of {}; the file is cut short or damaged",
                            member.packed_bytes, file.size()));
  }
  if (!member.deflated && member.bytes != member.packed_bytes) {
    place.wrong(fmt::format("it is stored in {} bytes but declares {}; the file is damaged", member.packed_bytes,
                            member.bytes));
  }
  if (member.deflated && member.bytes > member.packed_bytes * zip::kMostExpansion) {
    place.wrong(fmt::format("it declares {} bytes, more than {} deflated ones can become; the file is damaged",
                            member.bytes, member.packed_bytes));
  }
}

// Parses the directory entry at the front of `rest`, and removes it from `rest`.
ZipMember take_entry(Bytes& rest, const ByteSource& file, std::size_t number) {
  const auto cut = [&](std::size_t length) {
    if (rest.size() < length) {
      file.place().wrong(
          fmt::format("member {}: its entry in the directory is cut short; the file is damaged", number));
    }
    const Bytes part = rest.first(length);
    rest = rest.subspan(length);
    return part;
  };
  const Bytes header = cut(zip::kCentralHeaderBytes);
  if (zip::get32(header, 0) != zip::kCentralHeader) {
    file.place().wrong(fmt::format("member {}: its entry is not in its place; the file is damaged", number));
  }
  const Bytes name = cut(zip::get16(header, 28));
  const Bytes extra = cut(zip::get16(header, 30));
  cut(zip::get16(header, 32));  // a comment
  ZipMember member{std::string(zip::text(name, 0, std::ssize(name))),
                   zip::get16(header, 10) == zip::kDeflated,
                   zip::get32(header, 16),
                   zip::get32(header, 42),
                   0,
                   zip::get32(header, 20),
                   zip::get32(header, 24)};
  const Place place = file.place().within(member.name);
  check_method(zip::get16(header, 8), zip::get16(header, 10), place);
  take_wide_fields(extra, member, place);
  check_sizes(member, file, place);
  return member;
}

// Parses the header before the member's data, which states where the data begin and must agree with
// the directory.
void find_data(ZipMember& member, const ByteSource& file, std::int64_t directory_at) {
  const Place place = file.place().within(member.name);
  const auto damaged = [&](std::string_view what) {
    place.wrong(fmt::format("byte {}: {}; the file is damaged", member.header_at, what));
  };
  if (member.header_at > directory_at - zip::kLocalHeaderBytes) damaged("its data would lie behind the directory");
  std::vector<std::byte> header(zip::kLocalHeaderBytes);
  file.read(member.header_at, header);
  if (zip::get32(header, 0) != zip::kLocalHeader) damaged("it does not begin where the directory says");
  const std::int64_t name_bytes = zip::get16(header, 26);
  member.data_at = member.header_at + zip::kLocalHeaderBytes + name_bytes + zip::get16(header, 28);
  if (member.data_at > directory_at || member.packed_bytes > directory_at - member.data_at) {
    damaged("its data reach into the directory");
  }
  std::vector<std::byte> name(static_cast<std::size_t>(name_bytes));
  file.read(member.header_at + zip::kLocalHeaderBytes, name);
  if (zip::text(name, 0, name_bytes) != member.name) damaged("it has another name there than in the directory");
  check_method(zip::get16(header, 6), zip::get16(header, 8), place);
  if ((zip::get16(header, 8) == zip::kDeflated) != member.deflated) damaged("its compression differs there");
}

void refuse_twins(std::vector<const ZipMember*> members, const ByteSource& file) {
  const auto by_name = [](const ZipMember* a, const ZipMember* b) { return a->name < b->name; };
  std::sort(members.begin(), members.end(), by_name);
  const auto twin = std::adjacent_find(members.begin(), members.end(),
                                       [](const ZipMember* a, const ZipMember* b) { return a->name == b->name; });
  if (twin != members.end()) file.place().within((*twin)->name).wrong("it is there twice; write each array once");
}

void refuse_overlaps(std::vector<const ZipMember*> members, const ByteSource& file) {
  const auto by_place = [](const ZipMember* a, const ZipMember* b) { return a->header_at < b->header_at; };
  std::sort(members.begin(), members.end(), by_place);
  for (std::size_t i = 1; i < members.size(); ++i) {
    const ZipMember& before = *members[i - 1];
    if (before.data_at + before.packed_bytes > members[i]->header_at) {
      file.place()
          .within(members[i]->name)
          .wrong(fmt::format("byte {}: it overlaps another member; the file is damaged", members[i]->header_at));
    }
  }
}

}  // namespace

ZipArchive::ZipArchive(const ByteSource& file) : file_(&file) {
  const zip::Directory directory = zip::find_directory(file);
  std::vector<std::byte> entries(static_cast<std::size_t>(directory.bytes));
  file.read(directory.at, entries);
  Bytes rest = entries;
  for (std::size_t i = 0; i < static_cast<std::size_t>(directory.members); ++i) {
    members_.push_back(take_entry(rest, file, i));
    find_data(members_.back(), file, directory.at);
  }
  std::vector<const ZipMember*> all;
  for (const ZipMember& member : members_) all.push_back(&member);
  refuse_twins(all, file);
  refuse_overlaps(all, file);
}

const ZipMember* ZipArchive::find(std::string_view name) const {
  const auto found =
      std::find_if(members_.begin(), members_.end(), [&](const ZipMember& member) { return member.name == name; });
  return found == members_.end() ? nullptr : &*found;
}

}  // namespace tacit::gnn
