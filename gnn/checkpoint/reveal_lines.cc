#include "gnn/checkpoint/reveal_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <sstream>

#include "mpc/sealed/storage_key.h"
#include "net/decimal.h"

namespace tacit::gnn {

namespace {

constexpr std::size_t kChecksumDigits = 16;
constexpr std::size_t kPage = 4096;  // a write that SIGKILL interrupts has written whole pages
// The title of the older format, which has one checksum of all lines at the end and does not record
// checkpoints.
constexpr std::string_view kOldTitle = "What was revealed: times, numbers, rank (-1: all), reason\n";

std::string checksum_of(std::string_view text) {
  const mpc::Digest digest = mpc::digest_of(std::as_bytes(std::span(text)));
  return fmt::format("{:02x}", fmt::join(std::span(digest).first<kChecksumDigits / 2>(), ""));
}

std::string checksum_at(std::int64_t place, std::string_view text) {
  return checksum_of(fmt::format("{} {}", place, text));
}

std::optional<mpc::Reveal> reveal_of(const std::string& text) {
  std::istringstream words(text);
  mpc::Reveal reveal;
  if (words >> reveal.count >> reveal.elements >> reveal.to.party && words.get() == ' ' &&
      std::getline(words, reveal.reason)) {
    return reveal;
  }
  return std::nullopt;
}

void set(std::vector<mpc::Reveal>& all, const mpc::Reveal& reveal) { all = larger_of(std::move(all), {reveal}); }

// The text of a line without its checksum; "" if the line is not whole.
std::string verified(std::int64_t place, std::string_view line) {
  if (line.size() < kChecksumDigits + 1) return "";
  const std::string_view text = line.substr(0, line.size() - kChecksumDigits - 1);
  return line.substr(text.size()) == " " + checksum_at(place, text) ? std::string(text) : "";
}

bool starts(const std::string& text, std::string_view word) { return text.starts_with(word); }

// True if the ledger synced the file after this line, so that all lines before it were on the disk
// as well.
bool was_synced(const std::string& text) {
  return starts(text, "reserved ") || starts(text, "boot ") || starts(text, "closed") || starts(text, "saved ") ||
         starts(text, "steps ");
}

bool take(RevealLines& content, const std::string& text) {
  const auto after = [&](std::string_view word) { return text.substr(word.size()); };
  content.closed = text == "closed";
  if (content.closed) return true;
  if (starts(text, "boot ")) {
    content.boot = after("boot ");
  } else if (starts(text, "saved ")) {
    std::istringstream(after("saved ")) >> content.saved;
  } else if (starts(text, "steps ")) {
    constexpr std::int64_t kMostSteps = std::int64_t{1} << 53;
    const auto steps = net::parse_decimal(after("steps "), 0, kMostSteps);
    if (!steps) return false;
    content.steps = *steps;
  } else {
    const bool reserved = starts(text, "reserved ");
    const auto reveal = reveal_of(reserved ? after("reserved ") : text);
    if (!reveal) return false;
    set(reserved ? content.reserved : content.written, *reveal);
  }
  return true;
}

RevealLines parse_old(std::string_view file) {
  RevealLines content;
  content.closed = true;
  const std::size_t end = file.rfind('\n', file.size() - 2) + 1;
  content.damaged = file.substr(end) != checksum_of(file.substr(0, end)) + "\n";
  std::istringstream lines{std::string(file.substr(kOldTitle.size(), end - kOldTitle.size()))};
  for (std::string line; !content.damaged && std::getline(lines, line);) {
    const auto reveal = reveal_of(line);
    content.damaged = !reveal;
    if (reveal) set(content.written, *reveal);
  }
  return content;
}

}  // namespace

std::string ledger_line(std::int64_t place, std::string_view text) {
  return fmt::format("{} {}\n", text, checksum_at(place, text));
}

std::string text_of(const mpc::Reveal& reveal) {
  TACIT_CHECK(reveal.reason.find('\n') == std::string::npos);
  return fmt::format("{} {} {} {}", reveal.count, reveal.elements, reveal.to.party, reveal.reason);
}

RevealLines parse_ledger(std::string_view file) {
  RevealLines content;
  if (file.starts_with(kOldTitle) && file.size() > kOldTitle.size() + kChecksumDigits) return parse_old(file);
  if (!file.starts_with(kLedgerTitle)) {
    content.damaged = true;
    return content;
  }
  for (std::size_t at = kLedgerTitle.size(); at < file.size();) {
    const std::size_t end = file.find('\n', at);
    const std::string text =
        end == std::string_view::npos ? "" : verified(static_cast<std::int64_t>(at), file.substr(at, end - at));
    if (content.torn) {
      content.damaged |= was_synced(text);
    } else if (text.empty() || !take(content, text)) {
      content.torn = true;
      content.closed = false;
      content.cut = end == std::string_view::npos && file.size() % kPage == 0;
    }
    at = end == std::string_view::npos ? file.size() : end + 1;
  }
  content.damaged |= content.boot.empty();
  return content;
}

}  // namespace tacit::gnn
