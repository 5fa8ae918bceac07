// Jobs that train on records with differential privacy, and the model of a reference that clips the gradient of each record by
// itself.
#pragma once

#include "tests/gnn/run/sample_jobs.h"

namespace tacit::gnn {

inline constexpr std::int64_t kRecordRows = 90, kRecordFeatures = 4;

// Rows with features of whole units of 2^-13, up to `most`, and classes that they determine, or targets (0 classes); three in
// five are trained on. In the mode "aggregate".
Job records_job(std::int64_t classes, double most = 3);

// Makes the model of a job of two classes end with one output, the log-odds of the second class.
void give_logit(Job& job);

// Full batches, the gradient of each record by the twin's layers, and no noise.
std::vector<NamedMatrix> reference_of(const Job& job);

// Makes all records equal, and a step draw one in nine: a step's sum is the number of drawn records times one gradient. The
// number of records that 108 steps draw has a deviation of 3.7 %.
void make_records_equal(Job& job);

// Expects that the model of such a job moved as far as a reference that takes the mean of all records in every step. A model moves
// otherwise if a training draws records at another rate, or adds gradients of the empty rows that fill up a draw.
void expect_movement_of_reference(const Job& job, const std::vector<NamedMatrix>& model);

}  // namespace tacit::gnn
