// sum_widths — the narrowest rings in which the clipped gradients of a batch can be added up.
//
// A record adds s·(a ⊗ d) to the sum for a layer. The narrower of a and d is multiplied by s in a wide ring. A drop
// (truncation) to scaled_bits fraction bits follows, so the other one, which has many columns, needs only the ring of the
// sum. With the fraction bits F of s and f of a and d, and with w bits for whole numbers of the sum and its noise:
//
//   ring of the scaled side       F + 2f + w
//   ring of the other, and sum    scaled_bits + f + w,   F <= scaled_bits <= F + f
//
// The drop moves an element by less than u units (drop.h), and the whole gradient of the record by at most
//
//   rounding = u·2^-scaled_bits·sqrt(columns of the scaled side)·|other side|
//
// so s must hold s·|g| <= C - 2·rounding. Then no record moves the sum by more than C: a record adds at most
// C - rounding, and an empty row in its place, with s = 0, adds at most one rounding. With scaled_bits = F + f
// no bit is dropped, and rounding is 0.
#pragma once

#include <cstdint>

#include "mpc/functions/clip_factor.h"

namespace tacit::mpc {

// A layer of the model, and bounds that hold for every record.
struct LayerBounds {
  std::int64_t inputs = 0, outputs = 0;
  bool bias = true;
  int fraction_bits = 0;  // f, of a and of d
  LargestSquares squared;

  bool scales_inputs() const { return inputs <= outputs; }
};

// The public numbers that bound a sum.
struct SumBounds {
  Clip clip;
  std::int64_t records = 0;
  double noise = 0;  // the largest, in units of C
  int parties = 1;

  int whole_bits() const;  // w, with the sign and the bit that show needs
};

struct RecordRings {
  int inputs = 0, gradients = 0;  // of a and of d
};

struct SumWidths {
  int scaled_bits = 0;
  int ring = 0;         // of the sum, and of the scaled side after the drop
  double rounding = 0;  // the largest length
};

// The widths for the rings of a and d: the finest that fits them. scaled_bits is 0 if not even F fits.
SumWidths sum_widths(const LayerBounds& layer, const RecordRings& rings, const SumBounds& bounds);
// The narrowest rings of a and d in which the squared lengths fit, and for which a record's rounding is at most
// `most_rounding`. These rings may exceed the ring of a job.
RecordRings record_rings(const LayerBounds& layer, const SumBounds& bounds, double most_rounding);

}  // namespace tacit::mpc
