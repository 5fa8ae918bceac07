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

template <typename Read>
auto Npz::read_member(std::string_view key, const Read& read) const {
  const Place at = place().within(key);
  const ZipMember* member = archive_.find(member_of(key));
  if (member == nullptr) at.wrong("the file has no such array");
  ZipMemberReader reader(*file_, *member, at);
  return read(reader, at);
}

NpyArray Npz::read(std::string_view key) const { return read_member(key, read_npy); }

NpyArray Npz::read(std::string_view key, std::int64_t most_bytes) const {
  return read_member(key, [most_bytes](ZipMemberReader& member, const Place& at) {
    if (member.left() > most_bytes + kMostNpyPreamble) {
      at.wrong(fmt::format("the array has {} bytes with its header; expected at most {}", member.left(), most_bytes));
    }
    return read_npy(member, at);
  });
}

bool Npz::is_text(std::string_view key) const { return read_member(key, is_npy_text); }

std::vector<std::string> Npz::read_text(std::string_view key) const { return read_member(key, read_npy_text); }

namespace {

// The Unicode characters of `text`, which must be valid UTF-8.
std::vector<char32_t> characters_of(std::string_view text) {
  std::vector<char32_t> characters;
  for (const char one : text) {
    const auto byte = static_cast<unsigned char>(one);
    if (byte < 0x80) {
      characters.push_back(byte);
    } else if (byte >= 0xc0) {
      characters.push_back(byte & (byte < 0xe0 ? 0x1f : byte < 0xf0 ? 0x0f : 0x07));
    } else {
      TACIT_CHECK(!characters.empty());
      characters.back() = characters.back() << 6 | (byte & 0x3f);
    }
  }
  return characters;
}

void write_text(ZipWriter& archive, const std::string& key, const std::vector<std::string>& texts,
                Compression compression) {
  std::size_t width = 1;
  for (const std::string& text : texts) width = std::max(width, characters_of(text).size());
  std::vector<char32_t> all(texts.size() * width);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::vector<char32_t> characters = characters_of(texts[i]);
    std::copy(characters.begin(), characters.end(), all.begin() + static_cast<std::ptrdiff_t>(i * width));
  }
  const std::string preamble = npy_text_preamble(static_cast<std::int64_t>(width), {std::ssize(texts)});
  archive.add(member_of(key), std::as_bytes(std::span(preamble)), std::as_bytes(std::span(all)), compression);
}

}  // namespace

void write_npz(ZipWriter& archive, const std::vector<NamedArray>& arrays, Compression compression) {
  for (const NamedArray& named : arrays) {
    if (named.text) {
      write_text(archive, named.key, *named.text, compression);
      continue;
    }
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
  for (const auto& [key, array, text] : arrays) {
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
