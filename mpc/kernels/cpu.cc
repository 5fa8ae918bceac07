#include "mpc/kernels/cpu.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "net/error.h"
#include "net/printable.h"

namespace tacit::mpc {

namespace {

constexpr std::array kNames = {
    std::pair{Instructions::kPortable, std::string_view("portable")},
    std::pair{Instructions::kAvx2, std::string_view("avx2")},
    std::pair{Instructions::kAvx512, std::string_view("avx512")},
    std::pair{Instructions::kIfma, std::string_view("ifma")},
};

constexpr std::size_t kShownChars = 80;

#ifdef TACIT_X86_KERNELS
// __builtin_cpu_supports also asks whether the operating system keeps the wide registers.
bool runs(Instructions instructions) {
  const bool avx2 = __builtin_cpu_supports("avx2") != 0;
  const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
                      __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512vl") != 0;
  switch (instructions) {
    case Instructions::kPortable:
      return true;
    case Instructions::kAvx2:
      return avx2;
    case Instructions::kAvx512:
      return avx512;
    case Instructions::kIfma:
      return avx512 && __builtin_cpu_supports("avx512ifma") != 0;
  }
  return false;
}
#else
bool runs(Instructions instructions) { return instructions == Instructions::kPortable; }
#endif

Instructions named(std::string_view text) {
  for (const auto& [instructions, its_name] : kNames) {
    if (text == its_name) return instructions;
  }
  throw ConfigError(
      fmt::format("TACIT_INSTRUCTIONS is \"{}\"; expected portable, avx2, avx512 or ifma, or unset it for "
                  "the widest that this machine runs",
                  net::printable(text, kShownChars)));
}

}  // namespace

std::string_view name(Instructions instructions) { return kNames[static_cast<std::size_t>(instructions)].second; }

std::vector<Instructions> available_instructions() {
  std::vector<Instructions> all;
  for (const auto& [instructions, its_name] : kNames) {
    if (runs(instructions)) all.push_back(instructions);
  }
  return all;
}

Instructions best_instructions(const char* limit) {
  const Instructions widest = available_instructions().back();
  if (limit == nullptr || *limit == '\0') return widest;
  return std::min(widest, named(limit));
}

Instructions best_instructions() {
  static const Instructions best = best_instructions(std::getenv("TACIT_INSTRUCTIONS"));
  return best;
}

bool multiplies_words_slowly() {
#ifdef TACIT_X86_KERNELS
  return __builtin_cpu_is("intel") != 0;
#else
  return false;
#endif
}

}  // namespace tacit::mpc
