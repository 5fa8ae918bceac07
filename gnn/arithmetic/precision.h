// Precision — the number of fraction bits of a tensor, named by the tensor's use. f is the job's number of fraction bits.
#pragma once

namespace tacit::gnn {

enum class Precision {
  kWhole,      // 0 bits: whole numbers
  kValue,      // f: operands and results of products
  kParameter,  // f, in the ring that a master copy leaves when it is rounded, if that has room for a product
  kUnit,       // 16: a factor between 1/2 and 1, such as the unit of targets
  kMean,       // f + 6: a running mean of gradients; Adam's first steps multiply it by up to ten
  kSquare,     // 23: a running mean of squares up to 2^16, which a thousandth of a square still moves
  kStep,       // f + 9: the numerator of a step that is a quotient
  kMaster,     // f + 7: a master copy of a parameter; steps far below one unit of a value add up in it
  kRaw,        // 24, in a ring of 64 bits in every job: data in any unit, before they are standardised
  kWeight,     // 16, in the same ring: the weight of an edge
  kRawWhole,   // 0, in the same ring: whole numbers that raw data are multiplied by
};

}  // namespace tacit::gnn
