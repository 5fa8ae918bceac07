// DenseGradients — the sum of the clipped gradients of records in the clear, for a model of dense layers and ReLUs, with or
// without a logit.
//
// The gradient of a dense layer's weight is a sum over records of products a_i ⊗ d_i, of the layer's input and the gradient by
// its output. The squared length for one record is therefore |a_i|²·|d_i|² (Goodfellow 2015), and no record's gradient is ever
// made ("ghost" clipping: Lee and Kifer 2021; Bu, Mao, Xu 2022).
//
// A step has two passes over its records: the first finds the clipping factors, and the second adds up clipped gradients. The
// second one can be made range by range of the sum (ClippedRecords), so that a range travels while the next one is computed.
//
// Sums are exact: inputs are whole numbers of 2^-13, and clipped d_i whole numbers of a finer unit, so that products and sums
// are whole numbers of at most 53 bits, which doubles add up without rounding. A sum therefore does not depend on the order in
// which records are added, nor on the number of threads. Any record adds at most `clip`: the clipping factor is rounded down,
// and d_i toward zero.
#pragma once

#include <span>
#include <vector>

#include "gnn/loss/losses.h"
#include "gnn/settings/model_spec.h"
#include "mpc/kernels/workers.h"

namespace tacit::gnn {

class DenseGradients {
 public:
  static constexpr int kInputBits = 13;

  // `records`: the most of one sum. Throws ConfigError for a model with other layers.
  DenseGradients(const ModelSpec& model, std::int64_t inputs, Objective objective, double clip, std::int64_t records);

  // Fraction bits of sums.
  int fraction_bits() const { return kInputBits + gradient_bits_; }
  // The most that one record adds to the length of a sum, in units; a whole number.
  double clip_units() const { return clip_units_; }

  // The records of one step after the first pass.
  class ClippedRecords;
  // Of the records `rows` of x and y. A record adds nothing if its numbers overflow.
  ClippedRecords clipped(const Matrix& x, const Matrix& y, std::span<const std::int64_t> rows,
                         const std::vector<NamedMatrix>& parameters, mpc::Workers& workers) const;
  // The same for a model of any size, as if it had more parameters than kLeastOfRanges.
  ClippedRecords clipped_for_ranges(const Matrix& x, const Matrix& y, std::span<const std::int64_t> rows,
                                    const std::vector<NamedMatrix>& parameters, mpc::Workers& workers) const;

  // The sum of the clipped gradients, in units: one row with all parameters, in the order of initial_parameters().
  Matrix sum(const Matrix& x, const Matrix& y, std::span<const std::int64_t> rows,
             const std::vector<NamedMatrix>& parameters, mpc::Workers& workers) const;

  // Up to this number of parameters, a sum is one message, and both passes are made together.
  static constexpr std::int64_t kLeastOfRanges = 1 << 17;

  // The model's outputs for all rows of x.
  Matrix outputs(const Matrix& x, const std::vector<NamedMatrix>& parameters) const;

 private:
  struct Layer {
    std::size_t weight = 0;
    bool bias = false, relu = false;
    std::int64_t inputs = 0, outputs = 0;
    std::int64_t at = 0;  // the first column of its weight in a sum; the bias follows

    std::int64_t bias_at() const { return at + inputs * outputs; }
  };
  struct Pass;
  // Records after the first pass, in whole numbers of units.
  struct Block {
    std::vector<Matrix> inputs, gradients;  // by layer; clipped gradients
  };

  void forward(Pass& pass, const std::vector<NamedMatrix>& parameters) const;
  Matrix outputs_of(const Pass& pass) const;
  Block first_pass(const Matrix& x, const Matrix& y, std::span<const std::int64_t> rows,
                   const std::vector<NamedMatrix>& parameters) const;
  // Adds the columns of the sum from `begin` on.
  void add(const Block& block, std::int64_t begin, std::span<double> out) const;
  ClippedRecords clipped(const Matrix& x, const Matrix& y, std::span<const std::int64_t> rows,
                         const std::vector<NamedMatrix>& parameters, mpc::Workers& workers, bool ranges) const;

  std::vector<Layer> layers_;
  bool relu_of_inputs_ = false;  // the model begins with a ReLU
  bool logit_;                   // the model has one output, the log-odds of the second of two classes
  Objective objective_;
  double clip_, clip_units_;
  int gradient_bits_;
  std::int64_t parameters_ = 0;
};

// Holds at most 64 MiB of records, and the sum of the others. The gradients must outlive it.
class DenseGradients::ClippedRecords {
 public:
  // Fills in the sum from column `begin` on.
  void sum(std::int64_t begin, std::span<double> out, mpc::Workers& workers) const;

 private:
  friend class DenseGradients;
  ClippedRecords(const DenseGradients& gradients, Matrix added, std::vector<Block> blocks)
      : gradients_(gradients), added_(std::move(added)), blocks_(std::move(blocks)) {}

  const DenseGradients& gradients_;
  Matrix added_;  // the sum of the records that are not in blocks_; empty: there are none
  std::vector<Block> blocks_;
};

}  // namespace tacit::gnn
