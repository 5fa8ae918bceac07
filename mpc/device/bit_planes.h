// Bit planes of words on a device.
#pragma once

#include "mpc/device/kernel_language.h"

namespace tacit::mpc::device {

// Plane j (of `planes`, at most 32) collects bit first + j of each word, 64 bits to the word. The planes begin `stride`
// words apart. Queued on the stream; returns 0, or the error of CUDA.
int bit_planes(const Word* words, std::int64_t count, int first, int planes, Word* out, std::int64_t stride,
               int processors, Stream stream);

}  // namespace tacit::mpc::device
