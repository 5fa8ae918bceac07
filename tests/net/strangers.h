// Strangers — connections from unknown clients, to a port at which a rank waits for its peers.
//
// They stay open until the Strangers object is destroyed.
#pragma once

#include <string_view>
#include <thread>
#include <vector>

#include "net/descriptor.h"

namespace tacit::net {

class Strangers {
 public:
  // Waits until a process listens at the port of 127.0.0.1.
  explicit Strangers(int port);

  void connect_idly(int count);
  void send(std::string_view text, int count);  // each on its own connection
  void drip(std::string_view text, int count);  // a byte every 20 ms, each on its own connection, to the text's end
  void scan(int count);                         // connect and reset at once

  // The number of connections so far that this rank has closed again.
  int refused() const;

 private:
  int port_;
  std::vector<Descriptor> connections_;
  std::vector<std::jthread> drips_;  // ended before the connections
};

}  // namespace tacit::net
