// Instructions — which kernels this machine can run: chosen once, above every loop.
#pragma once

#include <string_view>
#include <vector>

namespace tacit::mpc {

// From the plainest to the widest; each includes those before it. kIfma multiplies 52 bits at a time: for rings up to
// 52 bits. kAmx has matrix units for bytes, which products of matrices of some size take words apart for.
enum class Instructions : unsigned char { kPortable, kAvx2, kAvx512, kIfma, kAmx };

std::string_view name(Instructions instructions);

// What this processor and operating system run, from the plainest on: never empty.
std::vector<Instructions> available_instructions();

// The widest of these; TACIT_INSTRUCTIONS (portable, avx2, avx512, ifma, amx) lowers it. Throws ConfigError, naming the
// choices, where that is none of them. Read once: a later change of the environment changes nothing.
Instructions best_instructions();

// The widest that is available and not wider than `limit` (a name; null or empty: no limit).
Instructions best_instructions(const char* limit);

}  // namespace tacit::mpc
