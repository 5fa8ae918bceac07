#include "launcher/serve/http_door.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "launcher/serve/request_text.h"
#include "net/error.h"
#include "net/printable.h"
#include "net/thread.h"

namespace tacit::launcher {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
namespace fs = std::filesystem;

using Local = asio::local::stream_protocol;
using Tcp = asio::ip::tcp;
using Generic = asio::generic::stream_protocol;
using Stream = beast::basic_stream<Generic>;
using Request = http::request<http::string_body>;
using Response = http::response<http::string_body>;
using Error = beast::error_code;

constexpr auto kResult = asio::as_tuple(asio::use_awaitable);
constexpr std::size_t kMostConnections = 64;
constexpr std::uint32_t kMostHeader = 8 << 10;
constexpr std::chrono::seconds kBetweenRequests{60}, kForRequest{10}, kForAnswer{10}, kToLinger{1}, kToLeave{3},
    kForLastRequest{2};
constexpr std::chrono::milliseconds kPauseWithoutDescriptors{20}, kForLastConnections{100}, kBetweenLooks{20};

[[noreturn]] void refuse(const std::string& what, const std::string& why, const std::string& remedy) {
  throw ConfigError(fmt::format("cannot listen at {}: {}; {}", what, why, remedy), "", "cannot take requests: " + why);
}

using FileId = std::pair<dev_t, ino_t>;

std::optional<FileId> socket_at(const fs::path& path) {
  struct stat about {};
  if (::lstat(path.c_str(), &about) != 0 || !S_ISSOCK(about.st_mode)) return std::nullopt;
  return FileId(about.st_dev, about.st_ino);
}

// Removes the socket that an earlier service left behind. Another process may listen there: a service of another rank, or
// a program that has nothing to do with Tacit.
void remove_abandoned(const fs::path& path) {
  if (!socket_at(path)) return;
  asio::io_context context;
  Local::socket probe(context);
  Error error;
  probe.connect(Local::endpoint(path.native()), error);
  if (error == asio::error::connection_refused) {
    ::unlink(path.c_str());
    return;
  }
  refuse(path.string(), error ? error.message() : "another process listens there",
         "name another path with serve.socket, with {rank} in it if several ranks take requests");
}

// Returns the socket's file.
std::optional<FileId> listen_at(Local::acceptor& acceptor, const fs::path& path) {
  const std::string remedy = "name another path with serve.socket";
  constexpr std::size_t kMostPath = 107;  // bytes, as sockaddr_un has it
  if (path.native().size() > kMostPath) {
    refuse(path.string(), fmt::format("the path of a socket has at most {} bytes", kMostPath),
           "name a shorter path with serve.socket");
  }
  remove_abandoned(path);
  Error error;
  acceptor.open(Local(), error);
  // On Linux the file gets the mode of the socket, so that no other user can connect at any time.
  if (!error && ::fchmod(acceptor.native_handle(), 0600) != 0) error.assign(errno, beast::system_category());
  if (!error) acceptor.bind(Local::endpoint(path.native()), error);
  if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (error) refuse(path.string(), error.message(), remedy);
  return socket_at(path);
}

void listen_at(Tcp::acceptor& acceptor, const net::Endpoint& where) {
  Error error;
  const Tcp::endpoint endpoint(asio::ip::make_address(where.host, error), where.port);
  if (!error) acceptor.open(endpoint.protocol(), error);
  if (!error) acceptor.set_option(asio::socket_base::reuse_address(true), error);
  if (!error) acceptor.bind(endpoint, error);
  if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (error) refuse(where.text(), error.message(), "name another port with serve.http");
}

// A name of this machine's loopback, with a port or without.
bool names_loopback(std::string_view host) {
  const std::size_t colon = host.rfind(':');
  if (colon != std::string_view::npos && host.find(']', colon) == std::string_view::npos) host = host.substr(0, colon);
  return host == "localhost" || host == "127.0.0.1" || host == "[::1]";
}

std::string_view text_of(beast::string_view text) { return {text.data(), text.size()}; }

Response response_of(const ApiAnswer& answer, unsigned version, bool keep_alive) {
  Response response(static_cast<http::status>(answer.status), version);
  response.set(http::field::content_type, "application/json");
  response.set(http::field::cache_control, "no-store");
  if (answer.again_after > 0) response.set(http::field::retry_after, std::to_string(answer.again_after));
  if (!answer.allowed.empty()) response.set(http::field::allow, answer.allowed);
  response.keep_alive(keep_alive);
  response.body() = answer.body.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  response.prepare_payload();
  return response;
}

// The clients of one listener.
struct Clients {
  bool any_user;
  std::size_t places = 0;  // taken by open connections
};

// A connection's place among the clients.
class Place {
 public:
  explicit Place(Clients& clients) : clients_(&clients), held_(true) { ++clients.places; }
  Place(Place&& other) noexcept : clients_(other.clients_), held_(std::exchange(other.held_, false)) {}
  Place& operator=(Place&&) = delete;
  ~Place() { leave(); }

  const Clients& clients() const { return *clients_; }
  void leave() {
    if (std::exchange(held_, false)) --clients_->places;
  }

 private:
  Clients* clients_;
  bool held_;
};

}  // namespace

class HttpDoor::Impl {
 public:
  Impl(fs::path socket, const std::optional<net::Endpoint>& loopback, Handle handle,
       std::function<void(const std::string&)> note)
      : socket_(std::move(socket)),
        handle_(std::move(handle)),
        note_(std::move(note)),
        local_(context_),
        tcp_(context_) {
    if (loopback) {
      listen_at(tcp_, *loopback);
      address_ = fmt::format("http://{}", loopback->text());
      asio::co_spawn(context_, accept(tcp_, of_any_user_), asio::detached);
    }
    file_ = listen_at(local_, socket_);
    asio::co_spawn(context_, accept(local_, of_this_user_), asio::detached);
    sigset_t all, before;  // other threads handle signals
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    try {
      thread_ = net::start_thread("takes requests over HTTP", [this] { run(); });
    } catch (const ConfigError&) {
      pthread_sigmask(SIG_SETMASK, &before, nullptr);
      remove_socket();
      throw;
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }

  ~Impl() {
    asio::post(context_, [this] { asio::co_spawn(context_, leave(), asio::detached); });
    {
      std::unique_lock lock(mutex_);
      over_.wait_for(lock, kToLeave, [this] { return is_over_; });
    }
    context_.stop();
    thread_.join();
    remove_socket();
    unanswered_ += of_this_user_.places + of_any_user_.places;
    if (unanswered_ > 0) {
      note_(fmt::format("closed {} {} over which no whole request had come", unanswered_,
                        unanswered_ == 1 ? "connection" : "connections"));
    }
  }

  std::string text() const {
    const std::string local =
        fmt::format("{} (curl --unix-socket {} http://localhost/v1/status)", socket_.string(), socket_.string());
    return address_.empty() ? local : fmt::format("{} and {}", local, address_);
  }

 private:
  // Removes the socket only if it is this door's: another service may have replaced it.
  void remove_socket() {
    if (file_ && socket_at(socket_) == file_) ::unlink(socket_.c_str());
    file_.reset();
  }

  void run() {
    context_.run();
    const std::lock_guard lock(mutex_);
    is_over_ = true;
    over_.notify_all();
  }

  // The context runs until the last answer has left. A connection that is in the queue of the system, or that has not sent
  // its first request, still gets an answer. A connection that waits for a further request is closed.
  asio::awaitable<void> leave() {
    leaving_ = true;
    remove_socket();
    for (const auto& [stream, idle] : idle_) {
      Error failed;
      if (!idle.is_new && (stream->socket().available(failed) == 0 || failed)) stream->cancel();
    }
    const auto begun = std::chrono::steady_clock::now();
    asio::steady_timer timer(context_, kForLastConnections);
    co_await timer.async_wait(kResult);
    Error ignored;
    local_.close(ignored);
    tcp_.close(ignored);
    while (!idle_.empty() && std::chrono::steady_clock::now() < begun + kForLastRequest) {
      timer.expires_after(kBetweenLooks);
      co_await timer.async_wait(kResult);
    }
    for (const auto& [stream, idle] : idle_) stream->cancel();
  }

  // A connection without a whole request.
  struct Idle {
    const Clients* of;
    bool is_new;          // no request came before
    std::uint64_t since;  // a number that grows with each wait
    bool makes_room = false;
  };

  // Closes the connection that has waited longest. False if all of these clients wait for answers.
  bool make_room(const Clients& clients) {
    Stream* slowest = nullptr;
    for (auto& [stream, idle] : idle_) {
      if (idle.of != &clients || idle.makes_room) continue;
      if (slowest == nullptr || idle.since < idle_.at(slowest).since) slowest = stream;
    }
    if (slowest == nullptr) return false;
    idle_.at(slowest).makes_room = true;
    slowest->cancel();
    return true;
  }

  template <typename Acceptor>
  asio::awaitable<void> accept(Acceptor& acceptor, Clients& clients) {
    while (acceptor.is_open()) {
      auto [error, socket] = co_await acceptor.async_accept(kResult);
      if (!acceptor.is_open()) co_return;
      if (error) {  // no descriptor is left; the connection stays in the queue
        asio::steady_timer pause(context_, kPauseWithoutDescriptors);
        co_await pause.async_wait(kResult);
        continue;
      }
      if (clients.places >= kMostConnections && !make_room(clients)) {
        asio::co_spawn(context_, turn_away(Stream(Generic::socket(std::move(socket)))), asio::detached);
        continue;
      }
      asio::co_spawn(context_, converse(Stream(Generic::socket(std::move(socket))), Place(clients)), asio::detached);
    }
  }

  asio::awaitable<void> turn_away(Stream stream) {
    const std::string why = fmt::format("{} connections wait for answers already: ask again later", kMostConnections);
    Response response = response_of(api_error(503, why), 11, false);
    stream.expires_after(kToLinger);
    co_await http::async_write(stream, response, kResult);
    co_await end(stream, true);
  }

  asio::awaitable<void> converse(Stream stream, Place place) {
    beast::flat_buffer buffer;
    bool goes_on = true, has_unread = false, makes_room = false;
    for (bool is_new = true; goes_on && (is_new || !leaving_); is_new = false) {
      http::request_parser<http::string_body> parser;
      parser.header_limit(kMostHeader);
      parser.body_limit(kMostOfRequest);
      ApiAnswer answer;
      Idle& idle = idle_.emplace(&stream, Idle{&place.clients(), is_new, ++waits_}).first->second;
      goes_on = co_await read(stream, buffer, parser, is_new, answer);
      makes_room = idle.makes_room;
      idle_.erase(&stream);
      if (!goes_on && answer.status == 200) break;  // nobody waits for an answer
      has_unread = !goes_on;
      if (goes_on) answer = refusal(parser.get(), place.clients().any_user).value_or(ApiAnswer());
      if (goes_on && answer.status == 200) answer = co_await answered(parser.get());
      goes_on = goes_on && !leaving_ && parser.get().keep_alive();
      Response response = response_of(answer, parser.get().version() == 10 ? 10 : 11, goes_on);
      if (parser.get().method() == http::verb::head) response.body().clear();  // the length stays
      stream.expires_after(kForAnswer);
      const auto [error, written] = co_await http::async_write(stream, response, kResult);
      if (error) break;
    }
    place.leave();
    co_await end(stream, !makes_room && (has_unread || !leaving_));
  }

  // Takes what the client still sends, for a second: a connection that is closed before would lose the answer. If many
  // connections end, some are closed at once.
  asio::awaitable<void> end(Stream& stream, bool takes_more) {
    Error ignored;
    stream.socket().shutdown(asio::socket_base::shutdown_send, ignored);
    stream.expires_after(kToLinger);
    if (!takes_more || ending_ >= kMostConnections) co_return;
    ++ending_;
    std::array<char, 16384> some;
    for (bool more = true; more;) {
      const auto [error, size] = co_await stream.async_read_some(asio::buffer(some), kResult);
      more = !error;
    }
    --ending_;
  }

  // False: the connection ends, after `answer` if its status is an error.
  asio::awaitable<bool> read(Stream& stream, beast::flat_buffer& buffer,
                             http::request_parser<http::string_body>& parser, bool is_new, ApiAnswer& answer) {
    stream.expires_after(is_new ? kForRequest : kBetweenRequests);
    auto [failed, first] = co_await http::async_read_header(stream, buffer, parser, kResult);
    Error error = failed;
    stream.expires_after(kForRequest);
    if (!error && beast::iequals(parser.get()[http::field::expect], "100-continue")) {
      http::response<http::empty_body> go_on(http::status::continue_, 11);
      std::tie(error, first) = co_await http::async_write(stream, go_on, kResult);
    }
    if (!error) std::tie(error, first) = co_await http::async_read(stream, buffer, parser, kResult);
    stream.expires_never();
    if (!error) co_return true;
    // After an answer, a connection without a byte of a further request is one that its client has left open.
    if (leaving_ && error == asio::error::operation_aborted && (is_new || parser.got_some())) ++unanswered_;
    if (error == http::error::body_limit) {
      answer = api_error(
          413, fmt::format("the request has more than {} bytes: ask for fewer nodes at a time", kMostOfRequest));
    } else if (error == http::error::header_limit) {
      answer = api_error(431, fmt::format("the header has more than {} bytes", kMostHeader));
    } else if (error.category() == http::make_error_code(http::error::bad_method).category() &&
               error != http::error::end_of_stream && error != http::error::partial_message) {
      answer = api_error(400, fmt::format("this is no HTTP/1.1 request: {}", error.message()));
    }
    co_return false;
  }

  static std::optional<ApiAnswer> refusal(const Request& request, bool any_user) {
    if (!any_user) return std::nullopt;
    const bool by_page = request.find(http::field::origin) != request.end();
    if (!by_page && names_loopback(text_of(request[http::field::host]))) return std::nullopt;
    return api_error(403, "requests of web pages are refused: send no Origin, and a Host of this machine's loopback");
  }

  // The timer wakes this coroutine when the answer is there. Only the coroutine owns it: `respond` may be destroyed later
  // than the context.
  asio::awaitable<ApiAnswer> answered(const Request& request) {
    struct Box {
      explicit Box(asio::io_context& context) : timer(context, asio::steady_timer::time_point::max()) {}
      std::optional<ApiAnswer> answer;
      asio::steady_timer timer;
    };
    const auto box = std::make_shared<Box>(context_);
    const auto respond = [this, weak = std::weak_ptr(box)](ApiAnswer answer) {
      asio::post(context_, [weak, answer = std::move(answer)]() mutable {
        const std::shared_ptr<Box> waiting = weak.lock();
        if (!waiting || waiting->answer) return;
        waiting->answer = std::move(answer);
        waiting->timer.cancel();
      });
    };
    try {
      handle_(text_of(request.method_string()), text_of(request.target()), request.body(), respond);
    } catch (const std::exception&) {
      respond(api_error(503, kCannotTake));
    }
    while (!box->answer) co_await box->timer.async_wait(kResult);
    co_return std::move(*box->answer);
  }

  const fs::path socket_;
  std::optional<FileId> file_;  // at socket_
  const Handle handle_;
  const std::function<void(const std::string&)> note_;
  std::string address_;
  Clients of_this_user_{false}, of_any_user_{true};  // the thread's; connections in the context have places of them
  asio::io_context context_{1};
  Local::acceptor local_;
  Tcp::acceptor tcp_;
  std::size_t ending_ = 0;  // this and the next members: the thread's
  bool leaving_ = false;
  std::map<Stream*, Idle> idle_;
  std::uint64_t waits_ = 0;
  std::size_t unanswered_ = 0;  // connections that were closed without an answer to a request
  std::thread thread_;
  std::mutex mutex_;
  std::condition_variable over_;
  bool is_over_ = false;
};

HttpDoor::HttpDoor(fs::path socket, const std::optional<net::Endpoint>& loopback, Handle handle,
                   std::function<void(const std::string&)> note)
    : impl_(std::make_unique<Impl>(std::move(socket), loopback, std::move(handle), std::move(note))) {}

HttpDoor::~HttpDoor() = default;

std::string HttpDoor::text() const { return impl_->text(); }

}  // namespace tacit::launcher
