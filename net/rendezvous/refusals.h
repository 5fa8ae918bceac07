// Refusals counts the refused connections by reason. The log has one line for each while there are
// few. The summary goes into the error of a rendezvous that fails.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "net/channel.h"

namespace tacit::net {

using Log = std::function<void(const std::string&)>;  // takes one line; may be empty

class Refusals {
 public:
  explicit Refusals(Log log) : log_(std::move(log)) {}

  void add(const std::string& address, const std::string& reason);

  // "203 connections were refused: 200 x it said nothing in time, 3 x ..."; empty without refusals.
  std::string summary() const;

 private:
  void say(const std::string& line);

  Log log_;
  std::map<std::string, std::int64_t> by_reason_;
  std::int64_t total_ = 0;
  std::int64_t unsaid_ = 0;  // refusals since the last line of the log
  double lines_left_ = 10;   // grows by one a second, up to the initial value
  Clock::time_point last_ = Clock::now();
};

}  // namespace tacit::net
