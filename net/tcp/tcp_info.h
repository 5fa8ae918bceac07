// Reads the kernel's counters of a TCP socket, and sets its options.
#pragma once

#include <chrono>
#include <cstdint>

namespace tacit::net {

struct TcpInfo {
  std::int64_t packets_sent = 0;  // segments, acknowledgements included
  std::int64_t packets_received = 0;
  std::int64_t retransmissions = 0;
  std::chrono::microseconds rtt{0};
  std::int64_t data_packets_received = 0;  // segments with data, including those behind a lost one
  std::int64_t bytes_in_flight = 0;        // bytes that may be on their way
};

TcpInfo tcp_info(int socket);  // zeros if the socket is not TCP

// Turns on keepalive, so that the kernel, too, closes the connection of an unresponsive peer.
void notice_dead_peers(int socket, std::chrono::milliseconds silence);

// Shortens a queue that takes seconds: from now on the kernel takes about as many bytes as leave in
// `delay`. The next heartbeat then waits no longer than `delay`. A link with a shorter queue stays
// unchanged.
void keep_queue_short(int socket, const TcpInfo& now, std::chrono::milliseconds delay);

// Limits the packets of connections that this socket makes or accepts to `bytes`, TCP's options
// included, even if the interface takes more.
void limit_segments(int socket, int bytes);

}  // namespace tacit::net
