// A small training in shares: two graph convolutions with a ReLU between them, plain gradient
// descent, everything private. The steps equal gcn() in the specification and include transposes,
// lifts (ring extensions) and selections (multiplexers).
#pragma once

#include "tests/mpc/suites/interpreter.h"

namespace tacit::mpc {

struct Training {
  Format format{64, 16};
  int epochs = 300;
};

// The mean squared error before each epoch.
std::vector<double> losses_of_training(const Interpreter& interpreter, const Training& training);
std::vector<double> losses_of_training_in_floating_point(const Training& training);

// The largest difference between two curves, relative to the first loss.
double distance(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace tacit::mpc
