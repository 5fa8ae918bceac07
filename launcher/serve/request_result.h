// RequestResult — the result of a request to `tacit serve`, as counters name it.
#pragma once

#include <string_view>

#include "gnn/serve/request_desk.h"

namespace tacit::launcher {

enum class RequestResult {
  kAnswered,
  kTooOften,      // refused by a party: more requests in a minute than its limit
  kTooManyNodes,  // refused by a party: more nodes in a request than its limit
  kBadRequest,    // refused by this rank: no such node, or no such text
  kBusy,          // refused by this rank: too many requests wait already
  kEnded,         // the service ended before the answer
};

// "answered", "too_often", ...
std::string_view word_of(RequestResult result);
RequestResult result_of(gnn::Objection objection);
RequestResult result_of(const gnn::Reply& reply);

}  // namespace tacit::launcher
