// The JSON of requests and answers of `tacit serve`. Requests are untrusted text.
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "gnn/serve/request_desk.h"
#include "launcher/data/node_names.h"
#include "launcher/json.h"

namespace tacit::launcher {

inline constexpr std::int64_t kMostOfRequest = 1 << 20;  // bytes

// A request that its sender can fix, with the HTTP status code of the refusal.
class BadRequest : public std::runtime_error {
 public:
  explicit BadRequest(const std::string& why, int status = 400) : std::runtime_error(why), status_(status) {}
  int status() const { return status_; }

 private:
  int status_;
};

// The nodes of {"nodes": [3, "station 7"]}, or the graphs of {"graphs": [3]}, or the pairs
// of {"pairs": [3]}, in its order. Throws BadRequest.
gnn::Rows nodes_in_request(std::string_view text, const NodeNames& names);

// {"predictions": [{"node": 3, "class": 1, "class_name": "fraud", "probabilities": [...]}]}, in the order of `nodes`.
// `class_names`: the names of classes in the job; empty if it has none.
Json answer_text(const gnn::Rows& nodes, const gnn::Predictions& predictions, bool classes, const NodeNames& names,
                 std::span<const std::string> class_names = {});

}  // namespace tacit::launcher
