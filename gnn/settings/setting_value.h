// SettingValue — the value of one setting, from a job file, a command line or a program.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace tacit::gnn {

struct SettingValue {
  using List = std::vector<SettingValue>;
  struct Other {  // a table or a date, for example; no setting accepts such a value
    std::string what;
  };
  std::variant<bool, std::int64_t, double, std::string, List, Other> content;

  const std::string* text() const { return std::get_if<std::string>(&content); }
};

// Describes the value for an error: `the text "abc"`, `the number 3`, `a list of 2`.
std::string describe(const SettingValue& value);
std::string describe_real(double number);  // "the number 5.0", which is not the whole number 5

// Writes the value in a syntax that TOML and JSON share. Equal values have equal texts. A number
// reads back to the same bits.
std::string to_text(const SettingValue& value);

}  // namespace tacit::gnn
