// RequestCosts states what each request of a program costs where correlations are made ahead: a request's cost depends on earlier ones,
// since ciphertexts of masks that stay are kept (made/kept_products.h). Thread: one.
#pragma once

#include "mpc/correlations/request_notes.h"
#include "mpc/made/kept_products.h"
#include "mpc/made/planned_tasks.h"

namespace tacit::mpc {

class RequestCosts : public RequestNotes {
 public:
  RequestCosts(int parties, int rank, CorrelationsFrom from)
      : parties_(parties), rank_(rank), from_(from), kept_(parties) {}

  void begin_operation() override {}
  void begin_decision() override {}
  MadeCost note(const WordRequest& request) final;
  MadeCost note(const BitRequest& request) final;

 protected:
  // Takes note of a request, with its Keeping, and of its tasks.
  virtual void add(const WordRequest& /*request*/, const PlannedTasks& /*tasks*/) {}
  virtual void add(const BitRequest& /*request*/, const PlannedTasks& /*tasks*/) {}
  const KeptProducts& kept() const { return kept_; }

 private:
  const int parties_, rank_;
  const CorrelationsFrom from_;
  KeptProducts kept_;
};

}  // namespace tacit::mpc
