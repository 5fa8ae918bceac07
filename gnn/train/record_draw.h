// RecordDraw — the records of each step of a private training on shares: a random part of all records, filled up with empty
// rows to a fixed number, so that no other rank sees how many records were taken.
//
//   owners    every owner draws its own records and puts them in as shares. No other rank learns which, or how many. Rounds: 0;
//             the rows are masked for one step alone
//   parties   all parties draw the same rows of shares that were put in before, by a seed that the dealer lacks
#pragma once

#include <memory>
#include <vector>

#include "gnn/arithmetic/arithmetic.h"
#include "gnn/privacy/training_privacy.h"
#include "gnn/train/own_records.h"
#include "mpc/random/poisson_sample.h"

namespace tacit::gnn {

// The source of the records of a private training.
struct RecordSource {
  TrainingPrivacy privacy;
  std::int64_t features = 0, labels = 0;  // columns of x and y
  RecordsOf owned;                        // Sampling::kOwners
  // Sampling::kParties: the sample of all parties; null at the dealer and in a planning session. The records' rows of x and y.
  std::shared_ptr<mpc::PoissonSample> together;
  Tensor x, y;
};

class RecordDraw {
 public:
  RecordDraw(const mpc::Session& session, RecordSource source, double largest);

  struct Drawn {
    Tensor x, y;
    mpc::Share counted;  // a column: 1 for a record, 0 for an empty row
  };
  Drawn next(Arithmetic& arithmetic);
  std::int64_t rows() const { return source_.privacy.most(); }  // of a step
  std::int64_t features() const { return source_.features; }

 private:
  Drawn by_owners(Arithmetic& arithmetic);
  Drawn together(Arithmetic& arithmetic);

  RecordSource source_;
  double largest_;  // |x|, |y|
  std::vector<std::unique_ptr<mpc::PoissonSample>>
      samples_;  // by owner; null where this process does not hold its records
};

}  // namespace tacit::gnn
