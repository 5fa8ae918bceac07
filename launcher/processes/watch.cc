#include "launcher/processes/watch.h"

#include <poll.h>

#include <algorithm>

namespace tacit::launcher {

Watch::Watch(EndSignals& signals, Console& console, OnLine on_line)
    : signals_(signals), console_(console), on_line_(std::move(on_line)) {}

void Watch::start(const Command& command) {
  const int number = static_cast<int>(children_.size());
  children_.push_back({Child(command, [this, number](std::string_view line) { on_line_(number, line); }), {}});
}

Watch::Outcome Watch::run() {
  heard_at_ = Clock::now();
  while (!all_ended()) {
    wait_and_read();
    take_signal();
    collect();
    end_silent();
    if (!outcome_.failed.empty() && Clock::now() >= end_at_) end_all();
    if (ending_ && Clock::now() >= kill_at_) kill_all();
  }
  for (const Watched& watched : children_) outcome_.ends.push_back(*watched.end);
  return outcome_;
}

bool Watch::all_ended() const {
  return std::all_of(children_.begin(), children_.end(), [](const Watched& watched) { return watched.end; });
}

std::optional<Watch::Clock::time_point> Watch::next_step() const {
  if (killed_) return std::nullopt;
  if (ending_) return kill_at_;
  if (!outcome_.failed.empty()) return end_at_;
  return longest_silence_ ? std::optional(heard_at_ + *longest_silence_) : std::nullopt;
}

int Watch::timeout() const {
  const std::optional<Clock::time_point> next = next_step();
  if (!next) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*next - Clock::now());
  return std::max(0, static_cast<int>(left.count()));
}

void Watch::wait_and_read() {
  std::vector<pollfd> polled = {{signals_.fd(), POLLIN, 0}};
  polled.push_back({console_.waits() ? console_.fd() : -1, POLLOUT, 0});
  struct Source {
    Child* child;
    Child::Output* output;
  };
  std::vector<Source> sources(polled.size());  // by index in `polled`
  for (Watched& watched : children_) {
    if (watched.end) continue;
    polled.push_back({watched.child.handle(), POLLIN, 0});
    sources.push_back({});
    if (console_.full()) continue;
    for (Child::Output& output : watched.child.outputs()) {
      if (!output.pipe) continue;
      polled.push_back({output.pipe.get(), POLLIN, 0});
      sources.push_back({&watched.child, &output});
    }
  }
  if (::poll(polled.data(), polled.size(), timeout()) <= 0) return;
  if (polled[1].revents != 0) console_.write_some();
  for (std::size_t i = 0; i < polled.size(); ++i) {
    if (polled[i].revents == 0 || sources[i].child == nullptr) continue;
    sources[i].child->read_some(*sources[i].output);
    heard_at_ = Clock::now();
  }
}

void Watch::collect() {
  for (std::size_t i = 0; i < children_.size(); ++i) {
    Watched& watched = children_[i];
    pollfd ended{watched.child.handle(), POLLIN, 0};
    if (watched.end || ::poll(&ended, 1, 0) != 1) continue;
    watched.end = watched.child.collect();
    if (watched.end->well() || ending_) continue;
    if (outcome_.failed.empty()) end_at_ = Clock::now() + kTimeToFollow;
    outcome_.failed.push_back(static_cast<int>(i));
  }
}

void Watch::end_silent() {
  if (!longest_silence_ || ending_ || Clock::now() < heard_at_ + *longest_silence_) return;
  for (std::size_t i = 0; i < children_.size(); ++i) {
    if (!children_[i].end) outcome_.failed.push_back(static_cast<int>(i));
  }
  outcome_.silent = true;
  end_all();
}

void Watch::take_signal() {
  const int number = signals_.take();
  if (number == 0) return;
  const bool again = outcome_.interrupted != 0;
  outcome_.interrupted = number;
  again ? kill_all() : end_all();
}

void Watch::end_all() {
  if (ending_) return;
  ending_ = true;
  kill_at_ = Clock::now() + grace_;
  for (Watched& watched : children_) {
    if (watched.end) continue;
    if (watched.child.end_input()) {
      kill_at_ = std::max(kill_at_, Clock::now() + grace_ + kGraceForInput);
    } else {
      watched.child.signal(SIGTERM);
    }
  }
}

void Watch::kill_all() {
  if (killed_) return;
  killed_ = true;
  for (Watched& watched : children_) watched.child.signal(SIGKILL);
}

}  // namespace tacit::launcher
