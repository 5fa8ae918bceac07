#include "launcher/serve/folder_door.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <system_error>
#include <vector>

#include "gnn/data/atomic_file.h"
#include "launcher/serve/request_text.h"
#include "launcher/untrusted_file.h"
#include "net/error.h"
#include "net/printable.h"
#include "net/private_folder.h"
#include "net/thread.h"

namespace tacit::launcher {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kRequest = ".json", kAnswer = ".answer.json";
constexpr std::size_t kMostStem = 230;      // bytes of a name: the file of an answer has 255 while it is written
constexpr std::size_t kMostUnderWay = 256;  // files; a folder may have more than the desk takes
constexpr std::chrono::milliseconds kLookAgain{100};  // at unfinished files

std::string stem_of(const std::string& name) { return name.substr(0, name.size() - kRequest.size()); }

bool is_request(std::string_view name) {
  return name.size() > kRequest.size() && name.ends_with(kRequest) && !name.ends_with(kAnswer) && name.front() != '.';
}

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(fs::symlink_status(path, ignored));
}

}  // namespace

FolderDoor::FolderDoor(fs::path folder, Predict predict, std::function<void(const std::string&)> note)
    : folder_(std::move(folder)), predict_(std::move(predict)), note_(std::move(note)) {
  net::make_private_folder(folder_, "folder for requests", "name another with serve.folder");
  lock_ = net::Descriptor(::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!lock_ || ::flock(lock_.get(), LOCK_EX | LOCK_NB) != 0) {
    const bool other = lock_ && errno == EWOULDBLOCK;
    const std::string why = other ? "another service takes requests from it" : std::system_category().message(errno);
    throw ConfigError(fmt::format("cannot take requests from the folder {}: {}; name another with serve.folder, with "
                                  "{{rank}} in it if several ranks take requests",
                                  folder_.string(), why),
                      "", "cannot take requests from its folder: " + why);
  }
  changes_ = net::Descriptor(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
  news_ = net::Descriptor(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!changes_ || !news_ ||
      ::inotify_add_watch(changes_.get(), folder_.c_str(), IN_CREATE | IN_CLOSE_WRITE | IN_MOVED_TO) < 0) {
    throw ConfigError(fmt::format("cannot watch the folder for requests {}: {}; raise the limits on open files and on "
                                  "inotify, or take serve.folder out",
                                  folder_.string(), std::system_category().message(errno)),
                      "", "cannot watch its folder for requests: " + std::system_category().message(errno));
  }
  sigset_t all, before;  // other threads handle signals
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    thread_ = net::start_thread("takes requests from a folder", [this] { run(); });
  } catch (const ConfigError&) {
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    throw;
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

FolderDoor::~FolderDoor() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  wake();
  thread_.join();
}

void FolderDoor::wake() const {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(news_.get(), &one, sizeof one);
}

void FolderDoor::run() {
  look_at_all();
  while (wait()) {
    write_answers();
    look_at_events();
    look_at_unfinished();
  }
  write_answers();
}

bool FolderDoor::wait() {
  std::array<pollfd, 2> watched{{{news_.get(), POLLIN, 0}, {changes_.get(), POLLIN, 0}}};
  const int longest = unfinished_.empty() ? -1 : static_cast<int>(kLookAgain.count());
  while (::poll(watched.data(), watched.size(), longest) < 0 && errno == EINTR) {
  }
  std::uint64_t count = 0;
  [[maybe_unused]] const ssize_t got = ::read(news_.get(), &count, sizeof count);
  const std::lock_guard lock(mutex_);
  return !ending_;
}

void FolderDoor::look_at_events() {
  alignas(inotify_event) std::array<char, 16384> events;
  for (ssize_t size = 0; (size = ::read(changes_.get(), events.data(), events.size())) > 0;) {
    for (ssize_t at = 0; at < size;) {
      inotify_event event{};
      std::memcpy(&event, events.data() + at, sizeof event);
      if ((event.mask & IN_Q_OVERFLOW) != 0) look_at_all();
      if (event.len > 0) look_at(std::string(events.data() + at + sizeof event));
      at += static_cast<ssize_t>(sizeof event + event.len);
    }
  }
}

void FolderDoor::look_at_all() {
  std::error_code failed;
  for (fs::directory_iterator entry(folder_, failed), end; !failed && entry != end; entry.increment(failed)) {
    look_at(entry->path().filename().string());
  }
}

void FolderDoor::look_at_unfinished() {
  std::vector<std::string> names;
  for (const auto& [name, seen] : unfinished_) names.push_back(name);
  for (const std::string& name : names) {
    const Clock::time_point before = unfinished_.at(name).since;
    if (has_settled(name) || unfinished_.at(name).since != before) look_at(name);
  }
}

bool FolderDoor::has_settled(const std::string& name) {
  Unfinished& seen = unfinished_[name];
  std::error_code gone;
  const auto size = static_cast<std::int64_t>(fs::file_size(folder_ / name, gone));
  const auto written = fs::last_write_time(folder_ / name, gone);
  if (gone || size != seen.size || written != seen.written) seen = {size, written, Clock::now()};
  return Clock::now() >= seen.since + kSettled;
}

void FolderDoor::look_at(const std::string& name) {
  if (!is_request(name) || under_way_.contains(name) || unanswerable_.contains(name)) return;
  if (stem_of(name).size() > kMostStem) {
    unanswerable_.insert(name);
    return note_(fmt::format("the request {} gets no answer: the name has more than {} bytes before {}",
                             net::printable(name, 80), kMostStem, kRequest));
  }
  if (is_there(folder_ / (stem_of(name) + std::string(kAnswer)))) {
    unfinished_.erase(name);
    return;
  }
  if (under_way_.size() >= kMostUnderWay) {
    has_more_ = true;
    return;
  }
  UntrustedFile file(folder_ / name);
  if (file.missing()) {
    unfinished_.erase(name);
    return;
  }
  std::string body;
  if (file) {
    const bool settled = has_settled(name);  // before it is read: a later change is seen the next time
    body.resize(kMostOfRequest + 1);         // a longer request is refused by its size
    file.read(body.data(), std::ssize(body));
    body.resize(static_cast<std::size_t>(file.gcount()));
    file.clear();
    if (!settled && std::ssize(body) <= kMostOfRequest && !Json::accept(body)) return;
  }
  unfinished_.erase(name);
  under_way_.insert(name);
  const auto respond = [this, name](ApiAnswer answer) {
    {
      const std::lock_guard lock(mutex_);
      answered_.push_back({name, std::move(answer)});
    }
    wake();
  };
  if (!file) return respond(api_error(400, fmt::format("the request cannot be read: {}", file.refusal())));
  try {
    predict_(body, respond);
  } catch (const std::exception&) {
    respond(api_error(503, kCannotTake));
  }
}

void FolderDoor::write_answers() {
  std::deque<Answered> answered;
  {
    const std::lock_guard lock(mutex_);
    answered.swap(answered_);
  }
  for (Answered& one : answered) {
    under_way_.erase(one.name);
    if (one.answer.status == 503) continue;  // the next service answers it
    if (one.answer.status != 200) one.answer.body["status"] = one.answer.status;
    if (one.answer.again_after > 0) one.answer.body["again_after"] = one.answer.again_after;
    try {
      gnn::AtomicFile file(folder_ / (stem_of(one.name) + std::string(kAnswer)));
      const std::string text = one.answer.body.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
      file.write(std::as_bytes(std::span(text)));
      file.commit();
    } catch (const ConfigError& error) {
      unanswerable_.insert(one.name);  // each further request would be revealed and counted
      note_(fmt::format("the request {} has no answer: {}", net::printable(one.name, 80), error.what()));
    }
  }
  if (!has_more_ || under_way_.size() > kMostUnderWay / 2) return;
  has_more_ = false;
  look_at_all();
}

}  // namespace tacit::launcher
