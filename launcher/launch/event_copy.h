// EventCopy — the events of a rank on another machine, copied here while they happen.
//
// The rank writes each event to its stdout, after kEventMark (launcher/run/event_log.h). The copy gets the lines that
// are JSON objects, unchanged. At the end of the run the host's file replaces the copy
// (launcher/launch/fetched_files.h), so a copy may lack events, but no host can write anything else.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "launcher/processes/lines.h"
#include "net/descriptor.h"

namespace tacit::launcher {

class EventCopy {
 public:
  static constexpr std::size_t kMostLine = 1 << 20;                  // bytes; a longer line is no event
  static constexpr std::int64_t kMostOfAll = std::int64_t{1} << 30;  // bytes of a copy

  // `path`: the file to append to, in an existing folder. `other`: gets all other lines, and the reason if no copy can be
  // written.
  EventCopy(std::filesystem::path path, Lines::Take other);

  void take(std::string_view bytes);  // in the order of arrival

 private:
  void take_line();
  void append(std::string_view event);
  void stop(int error);

  std::filesystem::path path_;
  Lines::Take say_;
  Lines other_;
  std::string line_;  // at most kMostLine bytes of a line that is not complete yet
  bool too_long_ = false;
  net::Descriptor file_;
  bool ended_ = false;  // no more is copied
};

}  // namespace tacit::launcher
