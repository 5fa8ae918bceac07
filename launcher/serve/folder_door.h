// FolderDoor — takes requests as files of a folder, from a thread of its own.
//
// A file NAME.json holds the body of a request. The answer is NAME.answer.json, written as a whole and with mode
// 0600: the predictions, or {"error": ..., "status": ...}. A file with an answer is not asked again, nor is a file
// with an answer that could not be written. If the service ends before the answer, the next service gives it.
//
// A file is taken when its text is a whole JSON value, or too long for a request. No part of a JSON object is a whole value,
// so a file that is still being written is not taken. A file of other text is refused when its size and time of writing have
// not changed for kSettled. A program that may pause for longer writes under another name and renames the file.
#pragma once

#include <chrono>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>

#include "launcher/serve/prediction_api.h"
#include "net/descriptor.h"

namespace tacit::launcher {

class FolderDoor {
 public:
  using Predict = std::function<void(const std::string& body, PredictionApi::Respond respond)>;

  // Makes a missing folder, with mode 0700, and locks it. Throws ConfigError, also if another service has it. `predict` is
  // called in the door's thread; `respond` may be called in any thread while the door exists. `note` gets a sentence if an
  // answer cannot be written.
  FolderDoor(std::filesystem::path folder, Predict predict, std::function<void(const std::string&)> note);
  ~FolderDoor();  // answers that are there already are written first

  static constexpr std::chrono::milliseconds kSettled{3000};

 private:
  using Clock = std::chrono::steady_clock;
  // A file without a whole JSON value so far.
  struct Unfinished {
    std::int64_t size = -1;
    std::filesystem::file_time_type written{};
    Clock::time_point since{};  // the file has not changed since this time
  };
  struct Answered {
    std::string name;
    ApiAnswer answer;
  };
  void run();
  bool wait();  // false: the door ends
  void look_at_events();
  void look_at_all();
  void look_at_unfinished();
  bool has_settled(const std::string& name);  // notes the file's size and time of writing
  void look_at(const std::string& name);
  void write_answers();
  void wake() const;

  const std::filesystem::path folder_;
  const Predict predict_;
  const std::function<void(const std::string&)> note_;
  net::Descriptor lock_;                // lock of the folder
  net::Descriptor changes_, news_;      // inotify; an eventfd
  std::set<std::string> under_way_;     // only the thread uses this and the next three
  std::set<std::string> unanswerable_;  // files for which no answer can be written
  std::map<std::string, Unfinished> unfinished_;
  bool has_more_ = false;  // files that wait until fewer are under way
  std::mutex mutex_;       // guards the rest
  std::deque<Answered> answered_;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace tacit::launcher
