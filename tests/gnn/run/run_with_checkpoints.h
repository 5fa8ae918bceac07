// A training of sensors with checkpoints, for tests of later sessions: the options of ranks 0 and 1, which keep their checkpoints.
#pragma once

#include <gtest/gtest.h>

#include "tests/gnn/checkpoint/sample_store.h"
#include "tests/gnn/ownership_of.h"
#include "tests/gnn/run/whole_run.h"

namespace tacit::gnn {

class RunWithCheckpoints : public testing::Test {
 protected:
  RunWithCheckpoints() : job_(sensors_job(ownership_of("columns", "public", "rank 0", "public"))) {
    job_.training.checkpoint_every = 10;
  }
  OptionsOf options(IfNone if_none) {
    return [=, this](int rank) {
      RunOptions made;
      if (rank < 2) made.checkpoints = folder_.options(rank);
      made.if_none = if_none;
      return made;
    };
  }

  SampleFolder folder_;
  Job job_;
};

}  // namespace tacit::gnn
