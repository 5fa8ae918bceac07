#include "gnn/plan/privacy_settings.h"

#include <fmt/format.h>

namespace tacit::gnn {

void PrivacySettings::describe(SettingVisitor& visitor, bool aggregates) {
  visitor.word(
      {"unit",
       "the unit that epsilon protects: one record, which is a row of the data; or one edge, which is a pair of nodes "
       "with the edges in both directions (model.perturbed). A node, in a model without edges, is a record"},
      unit, kPrivacyUnits);
  visitor.real({"epsilon",
                "the privacy loss that the whole training may cause, against the worst adversary that the plan lists"},
               epsilon, {.least = 0.001, .most = 1000});
  visitor.real({"noise",
                "standard deviation of the noise in each step, in units of clip; left out: the least noise with which "
                "epsilon holds"},
               noise, {.least = 0.05, .most = 1e6});
  visitor.real({"delta", "the probability with which the bound by epsilon may fail; less than 1 / rows"}, delta,
               {.least = 1e-30, .most = 0.1});
  if (unit == PrivacyUnit::kEdge) {
    for (const char* key : {"clip", "sampling"}) visitor.exclude(key, "it is for unit = \"record\"; take it out");
    sampling = Sampling::kOwners;
  } else {
    visitor.real({"clip", "the largest length of one record's gradient; longer ones are shortened to it"}, clip,
                 {.least = 1.0 / 1024, .most = 256});
  }
  if (visitor.has("colluding", colluding.has_value())) {
    if (!colluding) colluding = 0;
    visitor.whole({"colluding", "the number of parties that may pool their knowledge; left out: all but one"},
                  *colluding, 0, 1023);
  }
  if (aggregates) {
    noise_from = NoiseFrom::kParties;
    sampling = Sampling::kOwners;
    visitor.exclude("noise_from", "in the mode \"aggregate\" the noise comes from the parties");
    visitor.exclude("sampling", "in the mode \"aggregate\" every party samples its own records");
    return;
  }
  visitor.word({"noise_from",
                "the source of the noise: the dealer and every party; the parties alone, which is more noise; or the "
                "dealer alone, which protects nothing from a dealer that sees the revealed values"},
               noise_from, kNoiseSources);
  if (unit == PrivacyUnit::kEdge) return;
  visitor.word(
      {"sampling",
       "the ranks that know which records a step takes: the owner of each record alone; or all parties, for which a "
       "training then tells far more of a record"},
      sampling, kSamplings);
}

std::string not_of_records(const ModelSpec& model) {
  for (std::size_t i = 0; i < model.layers.size(); ++i) {
    const LayerSpec& layer = model.layers[i];
    const bool known = layer.kind == LayerSpec::Kind::kDense || layer.kind == LayerSpec::Kind::kRelu ||
                       layer.kind == LayerSpec::Kind::kLogit;
    if (known && !layer.residual && !layer.jump) continue;
    return fmt::format("layer {} of the model {}", i,
                       !known && layer.gathers()
                           ? "gathers from other rows, so that a record has no gradient of its own"
                       : known ? "adds or reads the outputs of earlier layers"
                               : "is not of kind \"dense\", \"relu\" or \"logit\"");
  }
  return "";
}

}  // namespace tacit::gnn
