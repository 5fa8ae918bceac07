// Agreement — what every rank must have alike before a mesh forms: names and opaque values (later: the job).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace tacit::net {

class Agreement {
 public:
  static constexpr std::int64_t kMaxPairs = 256;
  static constexpr std::int64_t kMaxNameBytes = 128;
  static constexpr std::int64_t kMaxValueBytes = 4096;
  static constexpr std::int64_t kMaxBytes = 64 * 1024;  // of all names and values

  // Adds a pair or replaces its value. Throws ConfigError beyond the limits.
  void set(const std::string& name, const std::string& value);

  const std::map<std::string, std::string>& pairs() const { return pairs_; }
  std::int64_t bytes() const { return bytes_; }
  bool operator==(const Agreement&) const = default;

 private:
  std::map<std::string, std::string> pairs_;
  std::int64_t bytes_ = 0;
};

// A sentence about the first name whose value is not the same at both ranks; nothing if there is none.
std::optional<std::string> difference(const Agreement& a, int rank_a, const Agreement& b, int rank_b);

}  // namespace tacit::net
