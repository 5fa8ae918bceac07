// Findings counts the comparisons of gpu_check, and prints the wrong ones.
#pragma once

#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

namespace tacit::mpc::device {

class Findings {
 public:
  void expect(bool right, const std::string& what) {
    ++checks_;
    if (right) return;
    if (++wrong_ <= 60) std::printf("WRONG %s\n", what.c_str());
  }
  // Prints the checks since the last call.
  void conclude(const char* part) {
    std::printf("%-28s %5d checks, %d wrong\n", part, checks_ - checks_before_, wrong_ - wrong_before_);
    checks_before_ = checks_;
    wrong_before_ = wrong_;
  }
  int wrong() const { return wrong_; }

  std::vector<std::uint64_t> random_words(std::int64_t count, std::uint64_t mask = ~std::uint64_t{0}) {
    std::vector<std::uint64_t> words(static_cast<std::size_t>(count));
    for (std::uint64_t& w : words) w = generator_() & mask;
    return words;
  }

 private:
  std::mt19937_64 generator_{3};
  int checks_ = 0, wrong_ = 0, checks_before_ = 0, wrong_before_ = 0;
};

// Every kernel against its definition. `small` is for compute-sanitizer, which is slow.
void check_products(Findings& findings, bool small);
void check_words(Findings& findings);
// The Device that a session uses.
void check_device(Findings& findings);

}  // namespace tacit::mpc::device
