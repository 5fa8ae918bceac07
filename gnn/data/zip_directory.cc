#include "gnn/data/zip_directory.h"

#include <fmt/format.h>

#include <array>
#include <optional>

#include "gnn/data/zip_format.h"

namespace tacit::gnn::zip {

namespace {

constexpr std::int64_t kMostComment = 0xffff;

std::vector<std::byte> bytes_at(const ByteSource& file, std::int64_t at, std::int64_t length) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(length));
  file.read(at, bytes);
  return bytes;
}

[[noreturn]] void not_an_archive(const ByteSource& file) {
  constexpr std::string_view kNpy = "\x93NUMPY";
  if (file.size() >= std::ssize(kNpy) && text(bytes_at(file, 0, std::ssize(kNpy)), 0, std::ssize(kNpy)) == kNpy) {
    file.place().wrong("it is a single array; expected an archive of named ones: numpy.savez(file, x=x, ...)");
  }
  file.place().wrong(
      "it is no ZIP archive, or its end is missing; expected a file by numpy.savez or savez_compressed: "
      "copy or write it again");
}

// Finds the end record: the last record of the file. Only a comment follows, and the record states
// the length of the comment.
std::int64_t find_end(const ByteSource& file) {
  const std::int64_t tail_bytes = std::min(file.size(), kEndBytes + kMostComment);
  const std::int64_t tail_at = file.size() - tail_bytes;
  const std::vector<std::byte> tail = bytes_at(file, tail_at, tail_bytes);
  for (std::int64_t at = tail_bytes - kEndBytes; at >= 0; --at) {
    if (get32(tail, at) == kEnd && at + kEndBytes + get16(tail, at + 20) == tail_bytes) return tail_at + at;
  }
  not_an_archive(file);
}

// Finds the 64-bit end record, if the file has one.
std::optional<std::int64_t> find_end64(const ByteSource& file, std::int64_t end) {
  const std::int64_t locator_at = end - kLocator64Bytes;
  if (locator_at < 0) return std::nullopt;
  const std::vector<std::byte> locator = bytes_at(file, locator_at, kLocator64Bytes);
  if (get32(locator, 0) != kLocator64) return std::nullopt;
  const std::int64_t at = get64(locator, 8);
  if (locator_at < kEnd64Bytes || at > locator_at - kEnd64Bytes || get32(bytes_at(file, at, 4), 0) != kEnd64) {
    file.place().wrong(
        fmt::format("byte {}: no 64-bit end record is where this says; the file is damaged", locator_at));
  }
  return at;
}

}  // namespace

Directory find_directory(const ByteSource& file) {
  std::int64_t end = find_end(file);
  const std::vector<std::byte> last = bytes_at(file, end, kEndBytes);
  Directory found{get32(last, 16), get32(last, 12), get16(last, 10)};
  bool one_file = get16(last, 4) == 0 && get16(last, 6) == 0 && get16(last, 8) == found.members;
  if (const auto end64 = find_end64(file, end)) {
    const std::vector<std::byte> wide = bytes_at(file, *end64, kEnd64Bytes);
    found = {get64(wide, 48), get64(wide, 40), get64(wide, 32)};
    one_file = get32(wide, 16) == 0 && get32(wide, 20) == 0 && get64(wide, 24) == found.members;
    end = *end64;
  }
  const auto wrong = [&](const std::string& what) { file.place().wrong(fmt::format("byte {}: {}", end, what)); };
  if (!one_file) wrong("it is one part of an archive in several; join them");
  if (found.members > kMostMembers) {
    wrong(fmt::format("{} members; at most {} are read", found.members, kMostMembers));
  }
  if (found.bytes > kMostDirectoryBytes) {
    wrong(fmt::format("a directory of {} bytes; at most {} are read", found.bytes, kMostDirectoryBytes));
  }
  if (found.at > end || found.bytes > end - found.at) {
    wrong(fmt::format("the directory, {} bytes from byte {} on, is not before its end record; the file is damaged",
                      found.bytes, found.at));
  }
  if (found.bytes < found.members * kCentralHeaderBytes) {
    wrong(fmt::format("{} members cannot be in a directory of {} bytes; the file is damaged", found.members,
                      found.bytes));
  }
  return found;
}

}  // namespace tacit::gnn::zip
