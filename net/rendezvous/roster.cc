#include "net/rendezvous/roster.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "net/decimal.h"
#include "net/descriptor.h"
#include "net/error.h"
#include "net/printable.h"

namespace tacit::net {

namespace {

constexpr std::string_view kBlank = " \t\r";

std::vector<std::string_view> words_of(std::string_view line) {
  line = line.substr(0, line.find('#'));
  std::vector<std::string_view> words;
  while (true) {
    const std::size_t begin = line.find_first_not_of(kBlank);
    if (begin == std::string_view::npos) return words;
    line.remove_prefix(begin);
    const std::size_t length = std::min(line.find_first_of(kBlank), line.size());
    words.push_back(line.substr(0, length));
    line.remove_prefix(length);
  }
}

Role parse_role(std::string_view word) {
  if (word == name(Role::kParty)) return Role::kParty;
  if (word == name(Role::kDealer)) return Role::kDealer;
  throw ConfigError(fmt::format("\"{}\" is not a role; expected party or dealer", printable(word, 40)));
}

struct Line {
  int rank = 0;
  RosterEntry entry;
};

Line parse_line(const std::vector<std::string_view>& words) {
  if (words.size() < 3 || words.size() > 4) {
    throw ConfigError(fmt::format("{} words; expected: rank role fingerprint [host:port]", words.size()));
  }
  const auto rank = parse_decimal(words[0], 0, kMaxWorldSize - 1);
  if (!rank) {
    throw ConfigError(
        fmt::format("\"{}\" is not a rank; expected 0 ... {}", printable(words[0], 40), kMaxWorldSize - 1));
  }
  Line line{static_cast<int>(*rank), {parse_role(words[1]), Fingerprint::parse(words[2]), std::nullopt}};
  if (words.size() == 4) line.entry.address = Endpoint::parse(words[3]);
  return line;
}

std::string read_file(const std::string& path) {
  const auto refuse = [&](const std::string& why) {
    throw ConfigError(fmt::format("cannot read roster {}: {}", path, why));
  };
  const auto system_error = [] { return std::system_category().message(errno); };
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!file) refuse(system_error());
  struct stat about {};
  if (::fstat(file.get(), &about) != 0) refuse(system_error());
  if (!S_ISREG(about.st_mode)) refuse("it is not a regular file");
  if (about.st_size > kMaxRosterBytes) {
    refuse(fmt::format("it has {} bytes; a roster has at most {}", about.st_size, kMaxRosterBytes));
  }
  std::string text(static_cast<std::size_t>(about.st_size), '\0');
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t n = ::read(file.get(), text.data() + at, text.size() - at);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) refuse(n == 0 ? "it shrank while it was read" : system_error());
    at += static_cast<std::size_t>(n);
  }
  return text;
}

}  // namespace

RosterEntry parse_roster_entry(Role role, std::string_view text) {
  const std::size_t at = std::min(text.find('@'), text.size());
  RosterEntry entry{role, Fingerprint::parse(text.substr(0, at)), std::nullopt};
  if (at < text.size()) entry.address = Endpoint::parse(text.substr(at + 1));
  return entry;
}

Roster::Roster(std::vector<RosterEntry> entries) : entries_(std::move(entries)) {
  if (entries_.empty()) throw ConfigError("a roster needs at least one rank; expected a line per rank");
  if (size() > kMaxWorldSize) {
    throw ConfigError(fmt::format("a roster of {} ranks is too large; expected at most {}", size(), kMaxWorldSize));
  }
  for (int rank = 0; rank < size(); ++rank) {
    const RosterEntry& entry = at(rank);
    if (entry.role == Role::kParty) {
      if (parties_ < rank) {
        throw ConfigError(
            fmt::format("rank {} is a party but rank {} before it is a dealer; expected the parties to "
                        "have the lowest ranks",
                        rank, parties_));
      }
      ++parties_;
    }
    const auto [first, is_new] = ranks_.emplace(entry.fingerprint, rank);
    if (!is_new) {
      throw ConfigError(
          fmt::format("ranks {} and {} have the same fingerprint {}; expected a key of its own for every "
                      "rank: make one with `tacit keys new`",
                      first->second, rank, entry.fingerprint.text()));
    }
  }
  if (parties_ == 0) throw ConfigError("a roster needs a party; expected rank 0 to be one");
}

Roster Roster::parse(std::string_view text, const std::string& file) {
  if (std::ssize(text) > kMaxRosterBytes) {
    throw ConfigError(fmt::format("{} has {} bytes; a roster has at most {}", file, text.size(), kMaxRosterBytes));
  }
  struct Seen {
    RosterEntry entry;
    int line = 0;
  };
  std::map<int, Seen> seen;
  int number = 0;
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";  // an editor may have put it in
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  while (!text.empty()) {
    const std::size_t length = std::min(text.find('\n'), text.size());
    const auto words = words_of(text.substr(0, length));
    text.remove_prefix(std::min(length + 1, text.size()));
    ++number;
    if (words.empty()) continue;
    try {
      const Line line = parse_line(words);
      const auto [first, is_new] = seen.emplace(line.rank, Seen{line.entry, number});
      if (!is_new) throw ConfigError(fmt::format("rank {} is on line {} already", line.rank, first->second.line));
    } catch (const ConfigError& error) {
      throw ConfigError(fmt::format("{}:{}: {}", file, number, error.what()));
    }
  }
  std::vector<RosterEntry> entries;
  for (const auto& [rank, found] : seen) {
    if (rank != static_cast<int>(entries.size())) {
      throw ConfigError(fmt::format("{}:{}: rank {} but no rank {}; expected all ranks from 0 on", file, found.line,
                                    rank, entries.size()));
    }
    entries.push_back(found.entry);
  }
  try {
    return Roster(std::move(entries));
  } catch (const ConfigError& error) {
    throw ConfigError(fmt::format("{}: {}", file, error.what()));
  }
}

Roster Roster::load(const std::string& path) { return parse(read_file(path), path); }

std::string Roster::text() const {
  std::string text;
  for (int rank = 0; rank < size(); ++rank) {
    const RosterEntry& entry = at(rank);
    text += fmt::format("{} {} {}", rank, name(entry.role), entry.fingerprint.text());
    if (entry.address) text += " " + entry.address->text();
    text += "\n";
  }
  return text;
}

int Roster::rank_of(const Fingerprint& fingerprint) const {
  const auto found = ranks_.find(fingerprint);
  return found == ranks_.end() ? -1 : found->second;
}

std::vector<Fingerprint> Roster::fingerprints() const {
  std::vector<Fingerprint> all;
  for (const RosterEntry& entry : entries_) all.push_back(entry.fingerprint);
  return all;
}

World Roster::world(int rank, int world_size) const {
  if (world_size != size()) {
    throw ConfigError(fmt::format(
        "WORLD_SIZE is {} but the roster has {} ranks ({} parties, {} helpers): set WORLD_SIZE to {}, or use the "
        "roster of this job",
        world_size, size(), parties_, size() - parties_, size()));
  }
  if (rank < 0 || rank >= size()) {
    throw ConfigError(fmt::format("RANK is {} but the roster has ranks 0 ... {}", rank, size() - 1));
  }
  return {rank, parties_, size() - parties_};
}

}  // namespace tacit::net
