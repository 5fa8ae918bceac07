// kProtocolNumber — two builds may run one session only if they have the same protocol number.
//
// Raise the number with every change that would make an older build compute other values in the same session:
// - the order of calls that a model, an optimiser, a metric or a protocol makes;
// - the names of streams, the nonce, the generators of masks, of dropout or of batches;
// - the length or the content of a message, and the inputs of the dealer's corrections;
// - the offset of a rounding, and the format of a value.
// A change of speed, of texts or of files needs no other number. The launcher compares it before the first message
// (launcher/job/build_agreement.h), and run_training again for programs that use the library.
#pragma once

namespace tacit::mpc {

inline constexpr int kProtocolNumber = 27;

}  // namespace tacit::mpc
