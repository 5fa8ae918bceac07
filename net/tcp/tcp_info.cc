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
  return {info.tcpi_segs_out, info.tcpi_segs_in, info.tcpi_total_retrans, std::chrono::microseconds(info.tcpi_rtt)};
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
  // No TCP_USER_TIMEOUT: it also ends a connection whose peer has no room for long, because it computes. A peer that
  // does not acknowledge is found by its silence.
}

void limit_segments(int socket, int bytes) { ::setsockopt(socket, IPPROTO_TCP, TCP_MAXSEG, &bytes, sizeof bytes); }

}  // namespace tacit::net
