// Instructions — which kernels this machine can run: chosen once, above every loop.
#pragma once

#include <string_view>
#include <vector>

namespace tacit::mpc {

// From the plainest to the widest; each includes those before it. kIfma multiplies 52 bits at a time: once for rings up
// to 52 bits, three times for wider ones where that beats vpmullq (see multiplies_words_slowly).
enum class Instructions : unsigned char { kPortable, kAvx2, kAvx512, kIfma };

std::string_view name(Instructions instructions);

// What this processor and operating system run, from the plainest on: never empty.
std::vector<Instructions> available_instructions();

// The widest of these; TACIT_INSTRUCTIONS (portable, avx2, avx512, ifma) lowers it. Throws ConfigError, naming the
// choices, where that is none of them. Read once: a later change of the environment changes nothing.
Instructions best_instructions();

// The widest that is available and not wider than `limit` (a name; null or empty: no limit).
Instructions best_instructions(const char* limit);

// Intel takes three steps for vpmullq, so three IFMA multiplications of 52 bits with their additions inside are faster
// there. AMD takes one.
bool multiplies_words_slowly();

}  // namespace tacit::mpc
