// Instructions — which kernels of net and mpc this machine can run: chosen once, above every loop.
#pragma once

#include <string_view>
#include <vector>

namespace tacit::net {

// From the plainest to the widest; each set includes the earlier ones. kIfma multiplies 52 bits at a time, for rings
// up to 52 bits. kAmx has matrix units for bytes: larger matrix products cut words into bytes to use them.
enum class Instructions : unsigned char { kPortable, kAvx2, kAvx512, kIfma, kAmx };

std::string_view name(Instructions instructions);

// The instruction sets that this processor and operating system support, the plainest first. Never empty.
std::vector<Instructions> available_instructions();

// The widest available set; TACIT_INSTRUCTIONS (portable, avx2, avx512, ifma, amx) lowers the choice. Throws
// ConfigError with the choices for any other value. Reads the environment once; a later change has no effect.
Instructions best_instructions();

// The widest that is available and not wider than `limit` (a name; null or empty: no limit).
Instructions best_instructions(const char* limit);

}  // namespace tacit::net
