// MetricsServer — answers GET /metrics over plain HTTP, for Prometheus, from a thread of its own.
//
// Whoever reaches the address reads what this rank was shown: it is off unless the user names one.
#pragma once

#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "net/descriptor.h"
#include "net/rendezvous/listener.h"

namespace tacit::launcher {

class MetricsServer {
 public:
  // Listens at once. Throws ConfigError, naming --metrics. `text` is called in the server's thread.
  MetricsServer(const net::Endpoint& where, std::function<std::string()> text);
  ~MetricsServer();

  std::uint16_t port() const { return listeners_.port; }

 private:
  void serve();
  void answer(const net::Descriptor& connection) const;

  const std::function<std::string()> text_;
  net::Listeners listeners_;
  net::Descriptor end_;  // an eventfd
  std::thread thread_;
};

}  // namespace tacit::launcher
