// The lines of a reveal ledger, and their parser. The checksum of a line covers its place in the
// file and its text, so each line can be verified without the lines before it.
#pragma once

#include <string>
#include <string_view>

#include "gnn/checkpoint/reveal_ledger.h"

namespace tacit::gnn {

inline constexpr std::string_view kLedgerTitle =
    "What was revealed: times, numbers, rank (-1: all), reason, checksum\n";

// The line for `text` at byte `place` of the file, with its checksum and the end of line.
std::string ledger_line(std::int64_t place, std::string_view text);
std::string text_of(const mpc::Reveal& reveal);

// The content of a ledger file, up to the first line that is not whole.
struct RevealLines {
  std::vector<mpc::Reveal> written, reserved;
  std::int64_t saved = 0, steps = 0;
  std::string boot;      // boot identifier of the last session in the file
  bool closed = false;   // the last session ended regularly
  bool damaged = false;  // a line is wrong, and a later line proves that it was on the disk
  bool torn = false;     // lines at the end are wrong
  bool cut = false;      // the file is torn as the end of a process leaves it: in mid-line at the end of a page
};

RevealLines parse_ledger(std::string_view file);

}  // namespace tacit::gnn
