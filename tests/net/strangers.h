// Strangers — connections from nobody we know, at a port where a rank waits for its peers.
//
// They stay until the Strangers go.
#pragma once

#include <string_view>
#include <thread>
#include <vector>

#include "net/descriptor.h"

namespace tacit::net {

class Strangers {
 public:
  // Waits until somebody listens at the port of 127.0.0.1.
  explicit Strangers(int port);

  void connect_idly(int count);
  void send(std::string_view text, int count);  // on a connection each
  void drip(std::string_view text, int count);  // a byte every 20 ms, on a connection each, until the text is over
  void scan(int count);                         // connect and reset at once

  // How many of the connections so far this rank has closed again.
  int refused() const;

 private:
  int port_;
  std::vector<Descriptor> connections_;
  std::vector<std::jthread> drips_;  // go before the connections
};

}  // namespace tacit::net
