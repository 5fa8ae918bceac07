// What the kernel counts on a TCP socket.
#pragma once

#include <chrono>
#include <cstdint>

namespace tacit::net {

struct TcpInfo {
  std::int64_t packets_sent = 0;  // segments, acknowledgements included
  std::int64_t packets_received = 0;
  std::int64_t retransmissions = 0;
  std::chrono::microseconds rtt{0};
  std::int64_t data_packets_received = 0;  // segments with data, also those that wait for a lost one before them
  std::int64_t bytes_in_flight = 0;        // that may be on their way
};

TcpInfo tcp_info(int socket);  // zeros if the socket is not TCP

// Keepalive, so that the kernel too lets go of a peer that does not answer.
void notice_dead_peers(int socket, std::chrono::milliseconds silence);

// A link whose queue takes seconds: from now on the kernel takes about so many bytes from us as leave in `delay`, and a
// heartbeat that is written next waits no longer than that. Does nothing to a link with a shorter queue.
void keep_queue_short(int socket, const TcpInfo& now, std::chrono::milliseconds delay);

// Connections that are made with this socket, or accepted at it, have packets of so many bytes at most, TCP's options
// counted, whatever the interface takes.
void limit_segments(int socket, int bytes);

}  // namespace tacit::net
