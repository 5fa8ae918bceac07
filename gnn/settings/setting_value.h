// SettingValue — the value of one setting, as a job file, a command or a program gives it.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace tacit::gnn {

struct SettingValue {
  using List = std::vector<SettingValue>;
  struct Other {  // a table, a date: no setting has such a value
    std::string what;
  };
  std::variant<bool, std::int64_t, double, std::string, List, Other> content;

  const std::string* text() const { return std::get_if<std::string>(&content); }
};

// For errors: `the text "abc"`, `the number 3`, `a list of 2`.
std::string describe(const SettingValue& value);

// As TOML and JSON write it. Equal values have equal texts; a number reads back to the same bits.
std::string to_text(const SettingValue& value);

}  // namespace tacit::gnn
