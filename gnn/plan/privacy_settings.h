// PrivacySettings — the table [privacy] of a job: the differential privacy of a training's records.
//
// A record is a row of the data. Neighbouring data differ in one record, which an empty one replaces: the number of rows is
// public. Before a step, the gradient of every record is clipped to the length `clip`; the sum of the clipped gradients
// gets Gaussian noise of standard deviation `noise` times `clip`. A step takes each record with the same probability
// (DP-SGD: Abadi et al., CCS 2016). Only the record's owner knows which records a step took, or, with Sampling::kParties,
// all parties do.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "gnn/settings/model_spec.h"
#include "gnn/settings/setting_visitor.h"
#include "mpc/protocols/noise.h"

namespace tacit::gnn {

using mpc::NoiseFrom;

enum class PrivacyUnit {
  kRecord,  // a row of the data; a node, in a model that reads no edges
  kEdge,    // a pair of nodes: the edges between the two, in both directions
};
inline constexpr WordTable<PrivacyUnit, 3> kPrivacyUnits = {
    {{PrivacyUnit::kRecord, "record"}, {PrivacyUnit::kEdge, "edge"}, {PrivacyUnit::kRecord, "node"}}};

// The ranks that know which records a step takes. Against such a rank, sampling does not reduce epsilon.
enum class Sampling {
  kOwners,   // the owner of a record alone, which puts its records in anew for each step, and fills up with empty rows
  kParties,  // all parties, and no other rank: for data in which no party has whole records
};
inline constexpr WordTable<Sampling, 2> kSamplings = {{{Sampling::kOwners, "owners"}, {Sampling::kParties, "parties"}}};

inline constexpr WordTable<NoiseFrom, 3> kNoiseSources = {
    {{NoiseFrom::kBoth, "both"}, {NoiseFrom::kParties, "parties"}, {NoiseFrom::kDealt, "dealt"}}};

struct PrivacySettings {
  PrivacyUnit unit = PrivacyUnit::kRecord;
  std::optional<double> epsilon;  // of the worst listed adversary, after the whole training
  std::optional<double> noise;    // standard deviation, in units of clip; empty: the least noise with that epsilon
  double delta = 1e-6;
  double clip = 1;
  std::optional<std::int64_t> colluding;  // parties that pool their knowledge; empty: all but one
  // In the mode "aggregate", noise is from the parties, and the owners sample.
  NoiseFrom noise_from = NoiseFrom::kBoth;
  Sampling sampling = Sampling::kOwners;

  std::int64_t colluding_of(std::int64_t parties) const { return colluding.value_or(parties - 1); }

  void describe(SettingVisitor& visitor, bool aggregates);
};

// The reason why a record has no gradient of its own in this model; "" if it has, and the model can be trained privately.
std::string not_of_records(const ModelSpec& model);

}  // namespace tacit::gnn
