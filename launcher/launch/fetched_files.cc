#include "launcher/launch/fetched_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "net/error.h"
#include "net/printable.h"

namespace tacit::launcher {

namespace {

constexpr std::size_t kMostLine = 100;
constexpr std::int64_t kMostBefore = 64 << 10;  // bytes of a shell's greeting
constexpr std::string_view kEnd = "end";

std::string opening_of(const std::string& transfer) { return "files of " + transfer; }

[[noreturn]] void deviates(const std::string& how) {
  throw ProtocolError(
      fmt::format("it sent {}, but only the files of a rank's folder are expected; the rest of the host's output was "
                  "not read",
                  how));
}

}  // namespace

// `head` limits a file that still grows to the size just stated.
std::string FetchedFiles::script(const std::string& transfer) {
  std::string names;
  for (const Kind& kind : kKinds) names += fmt::format(" {}", kind.name);
  return fmt::format(
      "printf '%s\\n' '{}'; for f in{}; do if [ -f $f ] && ! [ -h $f ]; then n=$(wc -c <$f) && "
      "printf 'file %s %s\\n' $f $n && head -c $n $f || exit 1; fi; done; echo {}",
      opening_of(transfer), names, kEnd);
}

FetchedFiles::FetchedFiles(std::filesystem::path folder, const std::string& transfer)
    : folder_(std::move(folder)), opening_(opening_of(transfer)) {}

void FetchedFiles::take(std::string_view bytes) {
  while (!bytes.empty()) {
    if (file_) {
      const auto n = static_cast<std::size_t>(std::min(left_, std::ssize(bytes)));
      file_->write(std::as_bytes(std::span(bytes.substr(0, n))));
      left_ -= static_cast<std::int64_t>(n);
      bytes.remove_prefix(n);
      if (left_ == 0) finish_file();
      continue;
    }
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    // Keep only the beginning of a long greeting line.
    if (line_.size() <= kMostLine) line_ += bytes.substr(0, std::min(end, kMostLine + 1));
    if (opened_ && line_.size() > kMostLine) deviates("a line of more than 100 bytes");
    if (!opened_ && (skipped_ += static_cast<std::int64_t>(end) + 1) > kMostBefore) deviates("64 KiB before any file");
    if (end == bytes.size()) return;
    bytes.remove_prefix(end + 1);
    take_line(std::exchange(line_, ""));
  }
}

void FetchedFiles::take_line(std::string_view line) {
  constexpr std::string_view kFile = "file ";
  if (!opened_) {
    opened_ = line == opening_;
  } else if (ended_) {
    deviates("more after its end");
  } else if (line == kEnd) {
    ended_ = true;
  } else if (const std::size_t space = line.rfind(' '); line.starts_with(kFile) && space > kFile.size()) {
    begin_file(line.substr(kFile.size(), space - kFile.size()), line.substr(space + 1));
  } else {
    deviates(fmt::format("\"{}\"", net::printable(line, 40)));
  }
}

void FetchedFiles::begin_file(std::string_view name, std::string_view size) {
  const auto kind =
      std::find_if(std::begin(kKinds), std::end(kKinds), [&](const Kind& one) { return one.name == name; });
  if (kind == std::end(kKinds)) deviates(fmt::format("a file named \"{}\"", net::printable(name, 40)));
  if (!taken_.emplace(name).second) deviates(fmt::format("{} twice", name));
  const auto [end, error] = std::from_chars(size.data(), size.data() + size.size(), left_);
  if (error != std::errc() || end != size.data() + size.size() || left_ < 0) {
    deviates(fmt::format("\"{}\" as the size of {}", net::printable(size, 40), name));
  }
  if (left_ > kind->most) {
    throw ConfigError(
        fmt::format("its {} has {} bytes, and at most {} are fetched; copy the file by hand", name, left_, kind->most));
  }
  file_.emplace(folder_ / name);
  if (left_ == 0) finish_file();
}

void FetchedFiles::finish_file() {
  file_->commit();
  file_.reset();
}

void FetchedFiles::expect_end() const {
  if (!ended_) throw ProtocolError("its files ended early: it sent less than it announced");
}

}  // namespace tacit::launcher
