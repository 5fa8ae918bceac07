// HttpDoor — takes requests over HTTP/1.1, from a thread of its own: on a Unix domain socket that only this user reaches,
// and if the job says so on an address of the loopback, which every local user reaches.
//
// Limits: 8 KiB of header, 1 MiB of body, 10 s to send a request, 60 s between two requests, and 64 connections at the socket and
// 64 at the address. With more, the connection that has waited longest without a whole request is closed in favour of the new
// one, so slow clients do not keep others out. If all wait for answers, the new one gets an error (503). On the loopback a
// request of a web page is refused: its Host names another machine, or it has an Origin.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "launcher/serve/prediction_api.h"
#include "net/rendezvous/endpoint.h"

namespace tacit::launcher {

class HttpDoor {
 public:
  using Handle = std::function<void(std::string_view method, std::string_view target, const std::string& body,
                                    PredictionApi::Respond respond)>;

  // Listens at once. A socket that an earlier service left behind is replaced. Throws ConfigError if it cannot listen, or
  // if another process listens there.
  // `handle` is called in the door's thread; `respond` may be called in any thread while the door exists. `note` gets a
  // sentence if clients lose their connections at the end.
  HttpDoor(std::filesystem::path socket, const std::optional<net::Endpoint>& loopback, Handle handle,
           std::function<void(const std::string&)> note);
  // Removes the socket. Every client that has connected may still send one request, and gets its answer. This takes at most
  // three seconds, and no time if all requests are here.
  ~HttpDoor();

  std::string text() const;  // "curl --unix-socket ... http://localhost"

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tacit::launcher
