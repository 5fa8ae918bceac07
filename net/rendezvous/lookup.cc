#include "net/rendezvous/lookup.h"

#include <fmt/format.h>
#include <netdb.h>
#include <sys/eventfd.h>

#include <cerrno>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>

#include "net/descriptor.h"
#include "net/thread.h"

namespace tacit::net {

namespace {

struct Answer {
  std::vector<SocketAddress> addresses;
  std::string error;  // empty: success
};

Answer ask_resolver(const Endpoint& endpoint, int flags) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = flags;
  addrinfo* found = nullptr;
  Answer answer;
  const int failed = ::getaddrinfo(endpoint.host.c_str(), nullptr, &hints, &found);
  if (failed != 0) {
    answer.error = failed == EAI_SYSTEM ? std::system_category().message(errno) : ::gai_strerror(failed);
    return answer;
  }
  for (const addrinfo* a = found; a != nullptr; a = a->ai_next) {
    if (a->ai_family != AF_INET && a->ai_family != AF_INET6) continue;
    answer.addresses.push_back(SocketAddress(a->ai_addr, a->ai_addrlen).with_port(endpoint.port));
  }
  ::freeaddrinfo(found);
  if (answer.addresses.empty()) answer.error = "it has neither an IPv4 nor an IPv6 address";
  return answer;
}

// State shared by the resolver's thread and the waiting coroutine. Either may finish first.
struct Question {
  explicit Question(Endpoint what) : endpoint(std::move(what)), answered(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    if (!answered) throw std::system_error(errno, std::system_category(), "eventfd");
  }

  const Endpoint endpoint;
  const Descriptor answered;  // readable once `answer` is set
  std::mutex mutex;
  Answer answer;
};

void answer_in_background(const std::shared_ptr<Question>& question) {
  start_thread("looks up addresses", [question] {
    Answer answer = ask_resolver(question->endpoint, 0);
    const std::lock_guard lock(question->mutex);
    question->answer = std::move(answer);
    ::eventfd_write(question->answered.get(), 1);
  }).detach();
}

}  // namespace

Awaitable<std::vector<SocketAddress>> look_up(Loop& loop, Endpoint endpoint, Clock::time_point deadline) {
  Answer answer = ask_resolver(endpoint, AI_NUMERICHOST);  // no query is sent
  if (!answer.error.empty()) {
    const auto question = std::make_shared<Question>(endpoint);
    answer_in_background(question);
    Watch watch(loop, question->answered.get());
    const bool in_time = co_await watch.readable(deadline);
    const std::lock_guard lock(question->mutex);
    answer = in_time ? question->answer : Answer{{}, "the resolver did not answer in time"};
  }
  if (!answer.error.empty()) {
    throw UnknownHost(
        fmt::format("the host name \"{}\" cannot be resolved to an address: {}", endpoint.host, answer.error));
  }
  co_return answer.addresses;
}

}  // namespace tacit::net
