// Source — the origin of a value. Every setting has one: errors begin with it, and --explain and
// the resolved job print it.
#pragma once

#include <string>

namespace tacit::launcher {

struct Source {
  enum class Kind { kDefault, kFile, kEnvironment, kFlag };
  Kind kind = Kind::kDefault;
  std::string name;          // the file, the variable or the flag; for a default, the reason or ""
  int line = 0, column = 0;  // from 1, in a file; 0: none

  static Source by_default(std::string why = "") { return {Kind::kDefault, std::move(why)}; }
  static Source environment(std::string variable) { return {Kind::kEnvironment, std::move(variable)}; }
  static Source flag(std::string flag) { return {Kind::kFlag, std::move(flag)}; }

  std::string text() const;   // "sensors.toml:12", "RANK in the environment", "--rank", "default"
  std::string place() const;  // with the column
  bool operator==(const Source&) const = default;
};

template <typename T>
struct Sourced {
  T value{};
  Source source;
};

}  // namespace tacit::launcher
