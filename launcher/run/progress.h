// Progress — what a rank tells its user while it runs, on stderr: on a terminal one line that changes, elsewhere lines
// at a pace that a log can bear, for a launcher that shows a line of each rank the marked lines that it asked for.
// stdout is the answer's.
//
// It never waits for the reader: 64 KiB of lines are kept for a slow one, further lines are left out and counted.
// Thread: any.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "launcher/processes/console.h"
#include "launcher/run/progress_line.h"

namespace tacit::launcher {

enum class ProgressStyle { kQuiet, kLines, kLive, kStatus };

// Who sets the variable for a rank takes lines that begin so as what its own line is to say now.
inline constexpr const char* kStatusVariable = "TACIT_STATUS_LINES";
inline constexpr std::string_view kStatusMark = "@status ";

// What stderr can bear, and the user wants.
ProgressStyle progress_style(bool quiet);
// Of text on that terminal, as long as a line of it, in the colour of what changes, unless NO_COLOR wants none.
std::string as_changing_line(const std::string& text);

class Progress {
 public:
  Progress(int rank, ProgressStyle style, Console& console);
  ~Progress();

  void begin(const std::string& phase);
  void set_epochs(std::int64_t all);
  void set_plan(const gnn::PlannedRun& plan);
  void take(const gnn::EpochEvent& event);
  void note(const std::string& text);  // a line that stays

  void leave();  // clears the line that changes, and says no more
  // The same, and says `text`, lines, to a reader that takes it within `patience`.
  void leave_with(const std::string& text, std::chrono::milliseconds patience);

  // Tells whom the mesh waits for. null: there is none, or not any more.
  void follow(const net::Mesh* mesh);

 private:
  using Clock = net::Clock;

  void watch();
  void look();
  void line(const std::string& text);
  void say(const std::string& line);
  void draw(const std::string& text);

  const int rank_;
  const ProgressStyle style_;
  Console& console_;
  std::int64_t left_out_ = 0;  // lines
  std::mutex mutex_;           // of all below
  std::condition_variable news_;
  ProgressLine now_;
  const net::Mesh* mesh_ = nullptr;
  std::string last_status_;
  Clock::time_point last_line_{};
  Clock::duration next_waiting_;  // is told when it has lasted so long
  bool over_ = false;
  std::thread thread_;
};

}  // namespace tacit::launcher
