#include "gnn/checkpoint/reveal_ledger.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <system_error>

#include "mpc/sealed/storage_key.h"
#include "net/write_remedy.h"

namespace tacit::gnn {

namespace {

constexpr std::string_view kTitle = "What was revealed: times, numbers, rank (-1: all), reason\n";
constexpr std::size_t kMostBytes = 1 << 20;

std::string checksum_of(std::string_view text) {
  const mpc::Digest digest = mpc::digest_of(std::as_bytes(std::span(text)));
  return fmt::format("{:02x}\n", fmt::join(std::span(digest).first<8>(), ""));
}

std::string text_of(const std::vector<mpc::Reveal>& lines) {
  std::string text(kTitle);
  for (const mpc::Reveal& line : lines) {
    TACIT_CHECK(line.reason.find('\n') == std::string::npos);
    text += fmt::format("{} {} {} {}\n", line.count, line.elements, line.to.party, line.reason);
  }
  return text + checksum_of(text);
}

template <typename Combine>
std::vector<mpc::Reveal> combined(std::vector<mpc::Reveal> a, const std::vector<mpc::Reveal>& b, Combine combine) {
  for (const mpc::Reveal& line : b) {
    const auto known = std::find_if(a.begin(), a.end(), [&](const mpc::Reveal& other) {
      return other.reason == line.reason && other.to == line.to;
    });
    if (known == a.end()) {
      a.push_back(line);
    } else {
      known->count = combine(known->count, line.count);
      known->elements = combine(known->elements, line.elements);
    }
  }
  return a;
}

}  // namespace

std::vector<mpc::Reveal> sum_of(std::vector<mpc::Reveal> a, const std::vector<mpc::Reveal>& b) {
  return combined(std::move(a), b, [](std::int64_t x, std::int64_t y) { return x + y; });
}

std::vector<mpc::Reveal> larger_of(std::vector<mpc::Reveal> a, const std::vector<mpc::Reveal>& b) {
  return combined(std::move(a), b, [](std::int64_t x, std::int64_t y) { return std::max(x, y); });
}

RevealLedger::RevealLedger(const std::filesystem::path& path, const std::vector<mpc::Reveal>& checkpoint)
    : file_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600)),
      before_(larger_of(read(path), checkpoint)) {
  if (!file_) {
    const int error = errno;
    const std::string why = std::system_category().message(error);
    throw ConfigError(
        fmt::format("cannot write the account of reveals {}: {}; {}", path.string(), why, net::write_remedy(error)), "",
        "cannot be written: " + why);
  }
  write({});
}

// In place and in one call, so that the end of this process leaves the old text or the new one; counts only grow, and
// so does the text.
void RevealLedger::write(const std::vector<mpc::Reveal>& session) {
  const std::string text = text_of(total(session));
  if (::pwrite(file_.get(), text.data(), text.size(), 0) != std::ssize(text)) {
    const std::string why = std::system_category().message(errno);
    throw ConfigError("cannot write the account of reveals: " + why +
                          "; nothing is revealed that is not counted: make room, and resume",
                      "", "cannot be written: " + why);
  }
}

std::vector<mpc::Reveal> RevealLedger::read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text(kMostBytes, '\0');
  file.read(text.data(), std::ssize(text));
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  const std::size_t end = text.size() < 2 ? std::string::npos : text.rfind('\n', text.size() - 2);
  if (end == std::string::npos || text.substr(end + 1) != checksum_of(text.substr(0, end + 1))) return {};
  std::istringstream lines(text.substr(0, end + 1));
  std::string title;
  std::getline(lines, title);
  std::vector<mpc::Reveal> all;
  mpc::Reveal line;
  while (lines >> line.count >> line.elements >> line.to.party && lines.get() == ' ' &&
         std::getline(lines, line.reason)) {
    all.push_back(line);
  }
  return all;
}

}  // namespace tacit::gnn
