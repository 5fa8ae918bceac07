// TextServer — answers GET and HEAD of one path with a text over plain HTTP, from a thread of its own: for Prometheus.
//
// Nothing here is secret or proves who it is: whoever reaches the address reads the text. Up to 64 clients at once: one
// that is slow is left after a second, or when there are others; one that says too much is answered that it is wrong.
#pragma once

#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "net/descriptor.h"
#include "net/rendezvous/listener.h"

namespace tacit::net {

class TextServer {
 public:
  // Listens at once. Throws ConfigError that names `setting`, by which the user says where. `text` is called in the
  // server's thread.
  TextServer(const Endpoint& where, const std::string& setting, std::string path, std::function<std::string()> text);
  ~TextServer();

  std::uint16_t port() const { return listeners_.port; }

 private:
  class Client;

  void serve();
  std::string answer(const std::string& request) const;

  const std::string path_;
  const std::function<std::string()> text_;
  Listeners listeners_;
  Descriptor end_;  // an eventfd
  std::thread thread_;
};

}  // namespace tacit::net
