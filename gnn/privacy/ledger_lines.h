// The format of a privacy ledger: the text of each line, and a parser.
//
//   Tacit privacy ledger, version 2
//   allowed; time=1790000000; epsilon=2; delta=1e-06; 5f3a...
//   reserved; time=...; session=...; job=...; data=...; unit=record; noise=0.9; steps=38280; epoch=3828; failure=0;
//     adversary=outsiders,0,1.1,0.00026,0; adversary=...; 91c0...                                      (in one line)
//   revealed; time=...; step=38280; to=everyone; what=model; 77d2...
//   ended; time=...; 02ef...
//   reserved; time=...; session=...; job=...; data=...; table=...; unit=...  (the data were made from this raw table)
//   resumed; time=...; session=...; from=...; step=19140; job=...; (as reserved)
//   recovered; time=...; bytes=37; step=38280; a8b1...
//
// An adversary: the observer, the number of parties that pool their views, noise, rate, uses; and "seen", if the observer sees
// the samples. Version 1 has no "seen": it lists such an observer with the rate 1, and with the most steps that take a record.
// Ledgers of version 1 are read and continued with their first line unchanged. An older Tacit refuses a ledger with "seen".
//
// Each line ends in a hash of its text and of the hash before it: a changed, missing or moved line breaks the chain at all
// lines after it. The hash finds damage, but it has no key and finds no forgery, by which an owner would only harm himself.
//
// A crash during an append leaves an incomplete last line, without an end of line. A value is revealed only after fsync of
// its line has returned, so a crash itself lost no reveal. But a reader cannot tell such a line from a damaged end of a file.
// Therefore an incomplete line counts as a reveal of the open session: up to the step that it states if that is readable,
// otherwise up to the last step of the job. A line that begins as another kind does not count. The next session replaces the
// incomplete line by a line "recovered" with this step, so that the ledger never charges less than was revealed. Every other
// wrong line is damage, and the ledger is refused.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "gnn/privacy/ledger_content.h"

namespace tacit::gnn {

inline constexpr std::string_view kLedgerHead = "Tacit privacy ledger, version 2\n";
inline constexpr std::string_view kLedgerHeadOfVersion1 = "Tacit privacy ledger, version 1\n";
static_assert(kLedgerHead.size() == kLedgerHeadOfVersion1.size());
inline constexpr std::size_t kMostLedgerLine = 4096;
inline constexpr std::int64_t kMostLedgerBytes = 16 << 20;
inline constexpr std::size_t kMostLedgerSessions = 5000;
inline constexpr std::size_t kMostLedgerText = 200;  // bytes of a reveal's `what`, and of its `to`

// Texts of lines, without their hash. `time`: seconds since 1970.
std::string allowed_text(std::int64_t time, const Budget& budget);
std::string session_text(const LedgerContent& content, const LedgerSession& session);  // "reserved" or "resumed"
std::string revealed_text(std::int64_t time, const LedgerReveal& reveal);
std::string ended_text(std::int64_t time);
// `step`: of the reveal for which an incomplete line counts, if any.
std::string recovered_text(std::int64_t time, std::int64_t bytes, std::optional<std::int64_t> step);

std::string ledger_hash(std::string_view hash_before, std::string_view text);
// The complete line, with its hash and the end of line.
std::string ledger_line(std::string_view hash_before, std::string_view text);

struct LedgerReading {
  LedgerContent content;
  std::int64_t whole = 0;       // bytes of all complete lines
  std::int64_t incomplete = 0;  // bytes of an incomplete line after them
  // The step of the reveal for which the incomplete line counts; `content` has the reveal.
  std::optional<std::int64_t> assumed_step;
  std::string hash;  // the hash in the last complete line
};

// Throws ConfigError, which begins with `name`, if the text is damaged or has a later version.
LedgerReading parse_ledger(std::string_view text, const std::string& name);

// True for printable ASCII text of a limited length, without ";".
bool is_ledger_text(std::string_view text);

}  // namespace tacit::gnn
