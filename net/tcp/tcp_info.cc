#include "net/tcp/tcp_info.h"

#include <linux/tcp.h>  // has the segment counts, which netinet/tcp.h lacks
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>

namespace tacit::net {

TcpInfo tcp_info(int socket) {
  struct tcp_info info {};
  socklen_t size = sizeof info;
  if (::getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return {};
  return {info.tcpi_segs_out,      info.tcpi_segs_in,
          info.tcpi_total_retrans, std::chrono::microseconds(info.tcpi_rtt),
          info.tcpi_data_segs_in,  std::int64_t{info.tcpi_unacked} * info.tcpi_snd_mss};
}

void notice_dead_peers(int socket, std::chrono::milliseconds silence) {
  const auto seconds = static_cast<int>(std::max<std::int64_t>(1, silence.count() / 1000));
  const auto set = [socket](int level, int name, int value) {
    ::setsockopt(socket, level, name, &value, sizeof value);
  };
  set(SOL_SOCKET, SO_KEEPALIVE, 1);
  set(IPPROTO_TCP, TCP_KEEPIDLE, seconds);
  set(IPPROTO_TCP, TCP_KEEPINTVL, std::max(1, seconds / 3));
  set(IPPROTO_TCP, TCP_KEEPCNT, 3);
  // TCP_USER_TIMEOUT is not set. The option would also end a connection to a peer that computes for
  // long and reads nothing meanwhile. The mesh detects a dead peer by its silence.
}

// The bytes in flight leave within one round trip. The kernel counts about two bytes for each byte
// that it holds.
void keep_queue_short(int socket, const TcpInfo& now, std::chrono::milliseconds delay) {
  constexpr std::int64_t kLeast = 16 << 10;
  if (now.rtt <= delay) return;
  const std::int64_t bytes = std::max(kLeast, 2 * now.bytes_in_flight * std::chrono::microseconds(delay) / now.rtt);
  int current = 0;
  socklen_t size = sizeof current;
  if (::getsockopt(socket, SOL_SOCKET, SO_SNDBUF, &current, &size) != 0 || current <= 2 * bytes) return;
  const auto wanted = static_cast<int>(bytes);  // the kernel doubles this value
  ::setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &wanted, sizeof wanted);
}

void limit_segments(int socket, int bytes) { ::setsockopt(socket, IPPROTO_TCP, TCP_MAXSEG, &bytes, sizeof bytes); }

}  // namespace tacit::net
