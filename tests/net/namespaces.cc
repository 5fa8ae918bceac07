#include "tests/net/namespaces.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <thread>

#include "tests/net/process.h"

namespace tacit::net {
namespace {

[[noreturn]] void fail(int error, const std::string& what) {
  throw std::system_error(error, std::generic_category(), "test harness: " + what);
}

// Runs `work` in a thread that has moved into `network`; in a thread, because a process cannot move
// back.
template <typename Work>
void inside(int network, const Work& work) {
  int error = 0;
  std::thread([&] {
    if (setns(network, CLONE_NEWNET) != 0 || !work()) error = errno;
  }).join();
  if (error != 0) fail(error, "working inside a network namespace");
}

Descriptor new_network() {
  Descriptor network;
  int error = 0;
  std::thread([&] {
    if (unshare(CLONE_NEWNET) == 0) network = Descriptor(open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC));
    if (!network) error = errno;
  }).join();
  if (error != 0) fail(error, "making a network namespace");
  return network;
}

// Runs several ip commands, one in a line, in one process.
void ip(const Descriptor& network, const std::string& lines) {
  run_to_success({{"/bin/sh", "-c", fmt::format("ip -batch - <<'END'\n{}\nEND", lines)}, {}, network.get()});
}

bool switch_off_offloads(const char* interface) {
  const Descriptor any_socket(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  for (const std::uint32_t offload :
       {std::uint32_t{ETHTOOL_STSO}, std::uint32_t{ETHTOOL_SGSO}, std::uint32_t{ETHTOOL_SGRO}}) {
    ethtool_value off{offload, 0};
    ifreq request{};
    std::strncpy(request.ifr_name, interface, IFNAMSIZ - 1);
    request.ifr_data = reinterpret_cast<char*>(&off);
    if (ioctl(any_socket.get(), SIOCETHTOOL, &request) != 0) return false;
  }
  return true;
}

}  // namespace

Descriptor empty_network() {
  Descriptor network = new_network();
  ip(network, "link set lo up");
  return network;
}

std::string Hosts::missing() {
  if (geteuid() != 0) return "network namespaces need root";
  try {
    const Descriptor network = empty_network();
    ip(network, "link add name a type veth peer name b\nlink add name switch type bridge");
  } catch (const std::exception& error) {
    return std::string("network namespaces with veth and a bridge cannot be made: ") + error.what();
  }
  return "";
}

Hosts::Hosts(int count) : switch_(empty_network()) {
  ip(switch_, "link add name switch type bridge\nlink set switch up");
  for (int host = 0; host < count; ++host) {
    hosts_.push_back(empty_network());
    plug_in(host);
  }
}

std::string Hosts::address(int host) const { return fmt::format("10.9.8.{}", host + 1); }
std::string Hosts::address6(int host) const { return fmt::format("fd00:9:8::{:x}", host + 1); }

void Hosts::plug_in(int host) {
  const Descriptor& own = hosts_.at(static_cast<std::size_t>(host));
  // `ip` inherits none of our descriptors: it finds the namespace by this process's path to the
  // descriptor.
  const std::string own_path = fmt::format("/proc/{}/fd/{}", getpid(), own.get());
  ip(switch_, fmt::format("link add name port{0} type veth peer name eth0 netns {1}\n"
                          "link set port{0} master switch\n"
                          "link set port{0} up",
                          host, own_path));
  ip(own, fmt::format("address add {}/24 dev eth0\n"
                      "address add {}/64 dev eth0 nodad\n"
                      "link set eth0 up",
                      address(host), address6(host)));
}

void Hosts::limit(int host, std::int64_t bits_per_second) {
  run_to_success({{"tc", "qdisc", "add", "dev", "eth0", "root", "tbf", "rate", fmt::format("{}bit", bits_per_second),
                   "burst", "64kb", "latency", "100ms"},
                  {},
                  network(host)});
}

void Hosts::cut(int host) { set_port(host, "down"); }
void Hosts::mend(int host) { set_port(host, "up"); }

void Hosts::set_port(int host, const char* state) { ip(switch_, fmt::format("link set port{} {}", host, state)); }

void Hosts::without_offloads(int host) {
  inside(network(host), [] { return switch_off_offloads("eth0"); });
}

}  // namespace tacit::net
