// LedgerSummary — the content of a privacy ledger for `tacit privacy show`.
#pragma once

#include <string>
#include <vector>

#include "gnn/privacy/budget.h"
#include "gnn/privacy/ledger_content.h"
#include "launcher/json.h"

namespace tacit::launcher {

struct LedgerSummary {
  struct Row {
    gnn::Adversary adversary;
    gnn::Epsilon epsilon;
  };
  struct Job {
    std::string digest;      // of the job's settings
    std::int64_t began = 0;  // the first session; seconds since 1970
    gnn::PrivacyPlan plan;   // the last session's
    std::int64_t sessions = 0, charged_steps = 0;
    bool open = false;
    std::vector<gnn::LedgerReveal> reveals;  // one for each value and recipient, with the last step
  };
  std::string unit;  // empty: no job was reserved
  double delta = 0;
  std::vector<Row> rows;  // one for each observer of any job
  gnn::Epsilon most;      // for an observer that was the strongest adversary of every job
  std::optional<gnn::Budget> allowed;
  std::vector<Job> jobs;
};

LedgerSummary summarise(const gnn::LedgerContent& content, double delta);

std::string to_text(const LedgerSummary& summary);
Json to_json(const LedgerSummary& summary);  // an infinite epsilon becomes null

// A table of adversaries, the noise of each, and both bounds of its epsilon. `with_noise`: the table has the column.
std::string adversary_table(const std::vector<LedgerSummary::Row>& rows, bool with_noise);
Json to_json(const LedgerSummary::Row& row);

}  // namespace tacit::launcher
