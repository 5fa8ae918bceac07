// RequestDesk — takes the requests of this rank's own users, passes them on to the service in batches, and hands back the
// replies.
//
// While one batch is under way, further requests wait and become the next batch. A rank therefore has one batch in the service
// at a time, and many clients share its rounds. Thread: any; the functions of the service are called by its thread.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "gnn/serve/request_limits.h"
#include "gnn/train/predictions.h"

namespace tacit::gnn {

struct Reply {
  enum class Kind { kAnswered, kRefused, kEnded };
  Kind kind = Kind::kAnswered;
  Predictions predictions{};               // a row for each node, in the order of the request
  std::string why{};                       // a sentence, unless it is answered
  std::int64_t again_after = 0;            // seconds after which a refused request may be granted; 0: it will not be
  Objection objection = Objection::kNone;  // of the party that refused it; kNone: it did not reach the parties
};

class RequestDesk {
 public:
  using Done = std::function<void(Reply)>;

  // `done` is called once, in any thread, perhaps before ask() returns, and must not call this desk. The nodes exist, and
  // each is named once.
  void ask(Rows nodes, Done done);
  // Asks the service to end, for a reason of the caller's: a number that all ranks get. Has no effect if the service ends
  // already, or fails. False if it is not open yet.
  bool stop(std::int64_t reason);

  // The functions of the service. An Error of `line` is dropped: the mesh has failed, the service's thread finds the same
  // failure, and end() answers all requests.
  struct Line {
    std::function<void(const std::vector<Rows>&)> ask;
    std::function<void(std::int64_t reason)> stop;
  };
  void open(Line line);
  std::vector<Rows> batch() const;          // the batch under way
  void settle(std::vector<Reply> replies);  // of the batch under way, in its order
  void end(const std::string& why);         // no further requests: all waiting ones get this sentence

  static constexpr std::size_t kMostWaiting = 4096;       // requests; further ones are refused
  static constexpr std::size_t kMostOfBatch = 256;        // requests
  static constexpr std::int64_t kNodesOfBatch = 1 << 16;  // a single request may have more

 private:
  struct Waiting {
    Rows nodes;
    Done done;
  };
  void send_next();  // the mutex is held

  mutable std::mutex mutex_;
  std::optional<Line> line_;
  std::deque<Waiting> waiting_;
  std::vector<Waiting> under_way_;
  std::optional<std::string> ended_;
};

}  // namespace tacit::gnn
