// Progress — shows the progress of a rank on stderr; stdout is for the answer. A terminal gets one changing line, a
// log gets occasional lines, and a launcher that asks for them gets marked status lines.
//
// Progress never waits for the reader. It keeps 64 KiB of lines for a slow reader, and drops and
// counts further lines. Thread: any.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "launcher/processes/console.h"
#include "launcher/run/progress_line.h"

namespace tacit::launcher {

enum class ProgressStyle { kQuiet, kLines, kLive, kStatus };

// A launcher sets this variable for a rank. The rank then marks the text of its status line with
// kStatusMark.
inline constexpr const char* kStatusVariable = "TACIT_STATUS_LINES";
inline constexpr std::string_view kStatusMark = "@status ";

// The style that suits stderr and the user's wish.
ProgressStyle progress_style(bool quiet);
// Cuts the text to the terminal's width, and colours it unless NO_COLOR is set.
std::string as_changing_line(const std::string& text);

class Progress {
 public:
  Progress(int rank, ProgressStyle style, Console& console);
  ~Progress();

  void begin(const std::string& phase);
  void set_epochs(std::int64_t all, const gnn::ClassNames& class_names = {});
  void set_plan(const gnn::PlannedRun& plan);
  void take(const gnn::EpochEvent& event);
  void note(const std::string& text);  // a permanent line

  void leave();  // removes the changing line; later text is not shown
  // Like leave(), then prints the lines in `text`, within `patience`.
  void leave_with(const std::string& text, std::chrono::milliseconds patience);

  // Shows which rank the mesh waits for. null: stop showing it.
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
  std::mutex mutex_;           // guards everything below
  std::condition_variable news_;
  ProgressLine now_;
  const net::Mesh* mesh_ = nullptr;
  std::string last_status_;
  Clock::time_point last_line_{};
  Clock::duration next_waiting_;  // waiting time after which it is shown
  bool over_ = false;
  std::thread thread_;
};

}  // namespace tacit::launcher
