// TablePrint — identifies the lines of a raw table, in any order: a ledger (privacy/privacy_ledger.h) uses it to find out
// whether two parts were made from one table.
//
// The print is the sum of a hash of each line, so every cut of a file into pieces gives the same print. The hash has no key and
// resists no forgery; the owner of the table would only mislead himself.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tacit::gnn {

struct TablePrint {
  std::uint64_t low = 0, high = 0;

  bool empty() const { return low == 0 && high == 0; }
  void add(std::string_view line);
  void add(const TablePrint& other);
  std::string text() const;  // 32 hexadecimal digits
  static std::optional<TablePrint> parse(std::string_view text);
};

}  // namespace tacit::gnn
