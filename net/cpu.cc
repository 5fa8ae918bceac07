#include "net/cpu.h"

#ifdef TACIT_X86_KERNELS
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "net/error.h"
#include "net/printable.h"

namespace tacit::net {

namespace {

constexpr std::array kInstructionNames = {
    std::pair{Instructions::kPortable, std::string_view("portable")},
    std::pair{Instructions::kAvx2, std::string_view("avx2")},
    std::pair{Instructions::kAvx512, std::string_view("avx512")},
    std::pair{Instructions::kIfma, std::string_view("ifma")},
    std::pair{Instructions::kAmx, std::string_view("amx")},
};

constexpr std::size_t kShownChars = 80;

#ifdef TACIT_X86_KERNELS

// Linux gives a process the large registers of the matrix units when it asks for them.
bool runs_amx() {
  constexpr unsigned kTileAndInt8 = 3U << 24;
  constexpr long kRequestPermission = 0x1023, kTileData = 18;
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) == 0 || (edx & kTileAndInt8) != kTileAndInt8) return false;
  return ::syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
}

// __builtin_cpu_supports also asks whether the operating system keeps the wide registers.
bool runs(Instructions instructions) {
  static const bool avx2 = __builtin_cpu_supports("avx2") != 0;
  static const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") != 0 &&
                             __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
                             __builtin_cpu_supports("avx512vl") != 0;
  static const bool ifma = avx512 && __builtin_cpu_supports("avx512ifma") != 0;
  static const bool amx = ifma && __builtin_cpu_supports("avx512vbmi") != 0 && runs_amx();
  switch (instructions) {
    case Instructions::kPortable:
      return true;
    case Instructions::kAvx2:
      return avx2;
    case Instructions::kAvx512:
      return avx512;
    case Instructions::kIfma:
      return ifma;
    case Instructions::kAmx:
      return amx;
  }
  return false;
}

#else

bool runs(Instructions instructions) { return instructions == Instructions::kPortable; }

#endif

Instructions named(std::string_view text) {
  for (const auto& [instructions, its_name] : kInstructionNames) {
    if (text == its_name) return instructions;
  }
  throw ConfigError(
      fmt::format("TACIT_INSTRUCTIONS is \"{}\"; expected portable, avx2, avx512, ifma or amx, or unset it for "
                  "the widest that this machine runs",
                  printable(text, kShownChars)));
}

}  // namespace

std::string_view name(Instructions instructions) {
  return kInstructionNames[static_cast<std::size_t>(instructions)].second;
}

std::vector<Instructions> available_instructions() {
  std::vector<Instructions> all;
  for (const auto& [instructions, its_name] : kInstructionNames) {
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

}  // namespace tacit::net
