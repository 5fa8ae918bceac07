#include "launcher/text_file.h"

#include <fmt/format.h>

#include "gnn/data/byte_source.h"

namespace tacit::launcher {

namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

}  // namespace

std::string read_text_file(const std::filesystem::path& path, std::int64_t most, std::string_view what) {
  const gnn::FileSource file(path);
  if (file.size() > most) {
    file.place().wrong(fmt::format("it has {} bytes; {} has at most {}", file.size(), what, most));
  }
  std::string text(static_cast<std::size_t>(file.size()), '\0');
  file.read(0, std::as_writable_bytes(std::span(text)));
  if (text.starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());
  return text;
}

}  // namespace tacit::launcher
