#include "gnn/data/npz.h"

#include <fmt/format.h>

#include <algorithm>

#include "gnn/data/atomic_file.h"
#include "gnn/data/npy.h"
#include "gnn/data/npy_header.h"
#include "net/error.h"

namespace tacit::gnn {

namespace {

constexpr std::string_view kEnding = ".npy";

std::string member_of(std::string_view key) { return std::string(key).append(kEnding); }

}  // namespace

Npz::Npz(const std::filesystem::path& path) : Npz(std::make_unique<FileSource>(path)) {}

Npz::Npz(std::unique_ptr<const ByteSource> file) : file_(std::move(file)), archive_(*file_) {
  for (const ZipMember& member : archive_.members()) {
    const std::string_view name = member.name;
    if (name.ends_with(kEnding)) keys_.emplace_back(name.substr(0, name.size() - kEnding.size()));
  }
}

bool Npz::has(std::string_view key) const { return std::find(keys_.begin(), keys_.end(), key) != keys_.end(); }

NpyArray Npz::read(std::string_view key) const {
  const Place at = place().within(key);
  const ZipMember* member = archive_.find(member_of(key));
  if (member == nullptr) at.wrong("the file has no such array");
  ZipMemberReader reader(*file_, *member, at);
  return read_npy(reader, at);
}

void write_npz(ZipWriter& archive, const std::vector<NamedArray>& arrays, Compression compression) {
  for (const NamedArray& named : arrays) {
    const std::string preamble = npy_preamble(named.array.type(), named.array.shape);
    std::visit(
        [&](const auto& values) {
          TACIT_CHECK(std::ssize(values) == elements_of(named.array.shape));
          archive.add(member_of(named.key), std::as_bytes(std::span(preamble)), std::as_bytes(std::span(values)),
                      compression);
        },
        named.array.values);
  }
  archive.finish();
}

void write_npz(const std::filesystem::path& path, const std::vector<NamedArray>& arrays, Compression compression) {
  for (const auto& [key, array] : arrays) {
    if (elements_of(array.shape) <= kMostElements) continue;
    Place(path.string())
        .within(key)
        .wrong(fmt::format("{} elements; at most {} can be read again", elements_of(array.shape), kMostElements));
  }
  AtomicFile file(path);
  ZipWriter archive([&file](std::span<const std::byte> bytes) { file.write(bytes); });
  write_npz(archive, arrays, compression);
  file.commit();
}

}  // namespace tacit::gnn
