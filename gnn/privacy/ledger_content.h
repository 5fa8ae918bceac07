// LedgerContent — the account in a privacy ledger, and the number of steps that it charges.
//
// A job trains in one or more sessions. Each session draws fresh noise in each of its steps. A session that resumes from a
// checkpoint continues an earlier session from one of the earlier session's steps. A revealed model contains the steps of
// its own session, and the steps of the earlier session up to the checkpoint. The ledger charges every step of every
// session once if a revealed value contains it: repeated steps have fresh noise, and are charged again if both attempts
// are contained in revealed values. A session without a reveal is charged nothing. A checkpoint counts as a reveal.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gnn/privacy/privacy_plan.h"

namespace tacit::gnn {

struct Budget {
  double epsilon = 0, delta = 0;
};

struct LedgerReveal {
  std::string what, to;
  std::int64_t step = 0;  // the revealed value contains the steps 1 ... step
};

struct LedgerSession {
  std::string id;          // 64 hexadecimal digits, as `job`
  std::string job;         // digest of the job
  std::string data;        // digest of its data
  std::string table;       // digest of the raw table that the data were made from; "": unknown
  std::int64_t began = 0;  // seconds since 1970
  PrivacyPlan plan;
  std::optional<std::size_t> from;  // the earlier session that wrote the checkpoint from which this session resumed
  std::int64_t from_step = 0;
  std::vector<LedgerReveal> reveals;
};

struct LedgerContent {
  // Digests of the data: of a raw table, and of parts that were made from it (gnn/clean). The first digest belongs to the
  // first session; empty: no job was reserved yet.
  std::vector<std::string> data;
  std::optional<Budget> allowed;
  std::vector<LedgerSession> sessions;
  std::optional<std::size_t> open;  // the session with a reservation that has not ended

  const LedgerSession* find(const std::string& id) const;
  // True if the ledger knows the session's data or its raw table, and for a ledger without sessions.
  bool is_of(const LedgerSession& session) const;
  void add_data_of(const LedgerSession& session);
  // For each session, the number of its steps that revealed values contain.
  std::vector<std::int64_t> charged_steps() const;
  // The first session of the job that `session` belongs to.
  std::size_t first_of_job(std::size_t session) const;

  // The mechanisms that this observer has faced. A job that does not list the observer counts as for outsiders.
  std::vector<Mechanism> charged(Observer observer) const;
  // The same for an observer who was the strongest adversary in each job. The budget limits this epsilon.
  std::vector<Mechanism> charged_at_most(double delta) const;
};

}  // namespace tacit::gnn
