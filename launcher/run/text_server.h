// TextServer — answers GET and HEAD of one path with a text over plain HTTP, from a thread of its own: for Prometheus.
//
// Any client that reaches the address can read the text, without authentication: the text must hold no secret. Clients
// are answered one after the other. A silent client delays the next one by a second.
#pragma once

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
  // server's thread.
  TextServer(const net::Endpoint& where, const std::string& setting, std::string path,
             std::function<std::string()> text);
  ~TextServer();

  std::uint16_t port() const { return listeners_.port; }

 private:
  void serve() const;
  void answer(int client) const;
  bool wait_for(int fd, short events, int milliseconds) const;

  const std::string path_;
  const std::function<std::string()> text_;
  net::Listeners listeners_;
  net::Descriptor end_;  // an eventfd, readable when the server is to end
  std::thread thread_;
};

}  // namespace tacit::launcher
