// The lines of a reveal ledger: text with a checksum over its place in the file and its text, so that each line can be
// verified without those before it.
#pragma once

#include <string>
#include <string_view>

#include "gnn/checkpoint/reveal_ledger.h"

namespace tacit::gnn {

inline constexpr std::string_view kLedgerTitle =
    "What was revealed: times, numbers, rank (-1: all), reason, checksum\n";

// `text` at byte `place` of the file, its checksum and the line's end.
std::string ledger_line(std::int64_t place, std::string_view text);
std::string text_of(const mpc::Reveal& reveal);

// A file's content, as far as it is whole.
struct LedgerContent {
  std::vector<mpc::Reveal> written, reserved;
  std::int64_t saved = 0;
  std::string boot;      // of the last session in it
  bool closed = false;   // that session came to its end
  bool damaged = false;  // a line is wrong, and a later one proves that it had been on the disk
  bool torn = false;     // lines at the end are wrong
  bool cut = false;      // likewise, as the end of a process leaves it: a beginning of a line, up to a page's end
};

LedgerContent parse_ledger(std::string_view file);

}  // namespace tacit::gnn
