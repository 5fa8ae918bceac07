#include "tests/net/strangers.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <string>
#include <system_error>

namespace tacit::net {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

bool try_to_connect(int port, Descriptor& connection) {
  connection = Descriptor(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return connect(connection.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

Descriptor connected(int port) {
  Descriptor connection;
  if (!try_to_connect(port, connection)) {
    throw std::system_error(errno, std::generic_category(), "test harness: connecting as a stranger");
  }
  return connection;
}

// The rank may close the connection at any time, and should.
bool send_some(int socket, std::string_view text) {
  return ::send(socket, text.data(), text.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(text.size());
}

void reset(const Descriptor& connection) {
  const linger at_once{1, 0};
  setsockopt(connection.get(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
}

}  // namespace

Strangers::Strangers(int port) : port_(port) {
  const Clock::time_point deadline = Clock::now() + 20s;
  Descriptor probe;
  while (!try_to_connect(port, probe)) {
    if (Clock::now() > deadline)
      throw std::runtime_error("test harness: nobody listens at port " + std::to_string(port));
    std::this_thread::sleep_for(10ms);
  }
}

void Strangers::connect_idly(int count) {
  for (int i = 0; i < count; ++i) connections_.push_back(connected(port_));
}

void Strangers::send(std::string_view text, int count) {
  for (int i = 0; i < count; ++i) {
    connections_.push_back(connected(port_));
    send_some(connections_.back().get(), text);
  }
}

void Strangers::drip(std::string_view text, int count) {
  for (int i = 0; i < count; ++i) {
    connections_.push_back(connected(port_));
    drips_.emplace_back([socket = connections_.back().get(), text = std::string(text)](std::stop_token stop) {
      for (std::size_t at = 0; at < text.size() && !stop.stop_requested(); ++at) {
        if (!send_some(socket, std::string_view(text).substr(at, 1))) return;
        std::this_thread::sleep_for(20ms);
      }
    });
  }
}

void Strangers::scan(int count) {
  for (int i = 0; i < count; ++i) reset(connected(port_));
}

int Strangers::refused() const {
  return static_cast<int>(std::count_if(connections_.begin(), connections_.end(), [](const Descriptor& connection) {
    pollfd end{connection.get(), POLLRDHUP, 0};
    return poll(&end, 1, 0) == 1;
  }));
}

}  // namespace tacit::net
