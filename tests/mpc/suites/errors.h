// Errors — the deviations of results from their exact values, in units of the last place, against a
// stated bound.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <ostream>

namespace tacit::mpc {

// The bound on drop's card (truncation): one unit for two parties, n/2 beyond.
inline double drop_bound(int parties) { return std::max(1.0, parties / 2.0); }

class Errors {
 public:
  explicit Errors(double bound) : bound_(bound) {}

  void add(double error) {
    const double size = std::abs(error);
    ++count_;
    if (!(size <= bound_)) ++beyond_;
    worst_ = std::max(worst_, size);
    sum_ += error;
    squares_ += error * error;
  }
  void add(const Errors& more) {
    count_ += more.count_;
    beyond_ += more.beyond_;
    worst_ = std::max(worst_, more.worst_);
    sum_ += more.sum_;
    squares_ += more.squares_;
  }

  bool hold() const { return count_ > 0 && beyond_ == 0; }
  std::int64_t count() const { return count_; }
  double beyond() const { return static_cast<double>(beyond_) / static_cast<double>(count_); }  // fraction of results
  double worst() const { return worst_; }
  double mean() const { return sum_ / static_cast<double>(count_); }
  double standard_error() const { return std::sqrt(squares_ / static_cast<double>(count_)) / std::sqrt(count_); }

  friend std::ostream& operator<<(std::ostream& out, const Errors& e) {
    return out << e.count_ << " results, " << e.beyond_ << " beyond " << e.bound_ << " units, the worst by " << e.worst_
               << ", mean " << e.mean();
  }

 private:
  double bound_;
  std::int64_t count_ = 0;
  std::int64_t beyond_ = 0;
  double worst_ = 0;
  double sum_ = 0;
  double squares_ = 0;
};

}  // namespace tacit::mpc
