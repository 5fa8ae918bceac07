#include "gnn/run/openings.h"

namespace tacit::gnn {

std::optional<net::AllReducePlan> plan_of(Openings openings, int parties) {
  switch (openings) {
    case Openings::kBySize:
      return net::AllReducePlan::unmeasured(parties);
    case Openings::kDirect:
      return net::AllReducePlan({{0, net::AllReduce::kDirect}});
    case Openings::kTwoPhase:
      return net::AllReducePlan({{0, net::AllReduce::kTwoPhase}});
    case Openings::kMeasured:
      break;
  }
  return std::nullopt;
}

}  // namespace tacit::gnn
