// A fuzz target: one function that takes any bytes, and a few valid inputs.
//
// The function must return: it may refuse its input only with the errors that the parser promises.
// With TACIT_FUZZ each target is a libFuzzer program (see CMakeLists.txt); without it, a test that
// runs seeds and mutations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace tacit::net {

// Valid or almost valid inputs, from which mutations begin.
std::vector<std::string> fuzz_seeds();

inline std::span<const std::byte> fuzz_bytes(const std::uint8_t* data, std::size_t size) {
  return std::as_bytes(std::span(data, size));
}

inline std::string fuzz_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// A property that must hold for every input: a violation ends the program, which a fuzzer detects.
inline void fuzz_require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace tacit::net
