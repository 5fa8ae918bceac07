// Source — where a value came from. Every setting carries one: errors begin with it, --explain and the resolved job
// print it.
#pragma once

#include <string>

namespace tacit::launcher {

struct Source {
  enum class Kind { kDefault, kFile, kEnvironment, kFlag };
  Kind kind = Kind::kDefault;
  std::string name;          // the file, the variable or the flag; of a default, why it is that, or ""
  int line = 0, column = 0;  // from 1, of a file's value; 0 where there is none

  static Source by_default(std::string why = "") { return {Kind::kDefault, std::move(why)}; }
  static Source environment(std::string variable) { return {Kind::kEnvironment, std::move(variable)}; }
  static Source flag(std::string flag) { return {Kind::kFlag, std::move(flag)}; }

  std::string text() const;   // "sensors.toml:12", "RANK in the environment", "--rank", "default"
  std::string place() const;  // the same with the column
  bool operator==(const Source&) const = default;
};

template <typename T>
struct Sourced {
  T value{};
  Source source;
};

}  // namespace tacit::launcher
