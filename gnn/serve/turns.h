// Turns — gives the same sequence of requests to all ranks of a service, one after another, until a rank ends it.
//
// Every rank sends its requests to rank 0. Rank 0 queues them in the order of arrival and announces the first one to the
// other parties; the dealer has no part in a request and learns of none. A rank has one batch of requests in the queue
// at a time (RequestDesk), so no rank keeps the others waiting. The wish to end goes to the front of the queue.
//
// On a fixed clock, rank 0 sends every rank a quiet message and gets one back. Therefore no wait exceeds the mesh's patience,
// however often a rank asks, and the dealer cannot infer the times of requests. No thread polls.
//
// Throws ProtocolError, with the culprit, for a message that a rank cannot send: more than one batch in the queue,
// requests of or to a helper, a kind in the wrong direction.
//
// At rank 0 a thread for each other rank waits for its messages. Elsewhere the service's thread waits for rank 0.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "gnn/serve/service_message.h"

namespace tacit::gnn {

class Turns {
 public:
  // `quiet`: the time between two quiet messages.
  Turns(net::Mesh& mesh, std::chrono::milliseconds quiet);
  Turns(const Turns&) = delete;
  Turns& operator=(const Turns&) = delete;
  ~Turns();  // after close(), or after a failure of the mesh: otherwise the threads would wait for ever

  // This rank's next requests, or its wish to end. Any thread; does not block. Throws if the mesh has failed.
  void ask(const std::vector<Rows>& requests) { tell({ServiceMessage::Kind::kRequests, mesh_.rank(), 0, requests}); }
  void stop(std::int64_t reason) { tell({ServiceMessage::Kind::kEnd, mesh_.rank(), reason, {}}); }

  // Waits for the next turn: requests, or the end. At the dealer only the end.
  ServiceMessage next();
  // After the end: the last messages. No rank may ask any more.
  void close();

 private:
  void tell(const ServiceMessage& message);
  void announce(const ServiceMessage& message);
  void enqueue(ServiceMessage message);  // the mutex is held
  ServiceMessage first_in_queue();
  void listen_to(int rank);
  void join();

  net::Mesh& mesh_;
  const std::chrono::milliseconds quiet_;
  net::Clock::time_point quiet_at_;  // the thread of next()
  std::mutex mutex_;                 // guards everything below, and this rank's messages to rank 0
  std::condition_variable news_;
  std::deque<ServiceMessage> queue_;  // at rank 0
  std::exception_ptr failure_;        // of a thread
  std::vector<std::thread> threads_;
};

}  // namespace tacit::gnn
