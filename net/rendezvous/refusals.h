// Refusals — the connections that were turned away: a line each in the log while they are few, all of them counted by
// reason for the error that ends a rendezvous in vain.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "net/channel.h"

namespace tacit::net {

using Log = std::function<void(const std::string&)>;  // a line; may be empty

class Refusals {
 public:
  explicit Refusals(Log log) : log_(std::move(log)) {}

  void add(const std::string& address, const std::string& reason);

  // "203 connections were refused: 200 x it said nothing in time, 3 x ..."; empty if there were none.
  std::string summary() const;

 private:
  void say(const std::string& line);

  Log log_;
  std::map<std::string, std::int64_t> by_reason_;
  std::int64_t total_ = 0;
  std::int64_t unsaid_ = 0;  // since the last line
  double lines_left_ = 10;   // grows by one a second, up to that
  Clock::time_point last_ = Clock::now();
};

}  // namespace tacit::net
