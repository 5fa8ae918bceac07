// Agreement holds the names and opaque values that must be equal at every rank before a mesh forms.
// A job puts its configuration here.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace tacit::net {

class Agreement {
 public:
  static constexpr std::int64_t kMaxPairs = 512;
  static constexpr std::int64_t kMaxNameBytes = 128;
  static constexpr std::int64_t kMaxValueBytes = 4096;
  static constexpr std::int64_t kMaxBytes = 64 * 1024;  // all names and values together

  // Adds a pair, or replaces the value of an existing name. Throws ConfigError beyond the limits.
  void set(const std::string& name, const std::string& value);

  const std::map<std::string, std::string>& pairs() const { return pairs_; }
  std::int64_t bytes() const { return bytes_; }
  bool operator==(const Agreement&) const = default;

 private:
  std::map<std::string, std::string> pairs_;
  std::int64_t bytes_ = 0;
};

// Describes the first name with different values at the two ranks. A name that one rank lacks comes after all names that both
// have, since it often follows from the value of another. Empty if the agreements are equal.
std::optional<std::string> difference(const Agreement& a, int rank_a, const Agreement& b, int rank_b);

}  // namespace tacit::net
