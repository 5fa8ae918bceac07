// TextServer — answers GET and HEAD of one path with a text over plain HTTP, from a thread of its own: for Prometheus.
//
// Any client that reaches the address can read the text, without authentication: the text must hold no secret. A slow client
// delays no other one. The server closes its connection after five seconds, or if it is the oldest of more than 32.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>

#include "net/descriptor.h"
#include "net/rendezvous/listener.h"

namespace tacit::launcher {

class TextServer {
 public:
  // Listens at once. Throws ConfigError that names `setting`, the flag that says where. `text` is called in the
  // server's thread. `patience` is the time for a client, in all.
  TextServer(const net::Endpoint& where, const std::string& setting, std::string path,
             std::function<std::string()> text, std::chrono::milliseconds patience = std::chrono::seconds(5));
  ~TextServer();

  std::uint16_t port() const { return listeners_.port; }

 private:
  void serve() const;
  std::string response_to(const std::string& request) const;

  const std::string path_;
  const std::function<std::string()> text_;
  const std::chrono::milliseconds patience_;
  net::Listeners listeners_;
  net::Descriptor end_;  // an eventfd, readable when the server is to end
  std::thread thread_;
};

}  // namespace tacit::launcher
