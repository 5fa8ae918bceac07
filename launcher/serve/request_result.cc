#include "launcher/serve/request_result.h"

#include "net/error.h"

namespace tacit::launcher {

std::string_view word_of(RequestResult result) {
  switch (result) {
    case RequestResult::kAnswered:
      return "answered";
    case RequestResult::kTooOften:
      return "too_often";
    case RequestResult::kTooManyNodes:
      return "too_many_nodes";
    case RequestResult::kBadRequest:
      return "bad_request";
    case RequestResult::kBusy:
      return "busy";
    case RequestResult::kEnded:
      return "ended";
  }
  constexpr bool kResultIsKnown = false;
  TACIT_CHECK(kResultIsKnown);
}

RequestResult result_of(gnn::Objection objection) {
  switch (objection) {
    case gnn::Objection::kNone:
      return RequestResult::kAnswered;
    case gnn::Objection::kTooOften:
      return RequestResult::kTooOften;
    case gnn::Objection::kTooManyNodes:
      return RequestResult::kTooManyNodes;
  }
  constexpr bool kObjectionIsKnown = false;
  TACIT_CHECK(kObjectionIsKnown);
}

RequestResult result_of(const gnn::Reply& reply) {
  switch (reply.kind) {
    case gnn::Reply::Kind::kAnswered:
      return RequestResult::kAnswered;
    case gnn::Reply::Kind::kRefused:
      return reply.objection == gnn::Objection::kNone ? RequestResult::kBusy : result_of(reply.objection);
    case gnn::Reply::Kind::kEnded:
      return RequestResult::kEnded;
  }
  constexpr bool kReplyIsKnown = false;
  TACIT_CHECK(kReplyIsKnown);
}

}  // namespace tacit::launcher
