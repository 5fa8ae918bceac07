// ScratchFolder — a folder for one run, below TMPDIR, for its owner alone. The destructor removes the folder. If this
// process ends in another way, by SIGKILL for example, a second process removes it.
//
// Make it before there are threads and secrets, since the second process begins as a copy of this one. That process
// holds no descriptor but the pipe on which it waits, and no signal from a terminal reaches it.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>

#include "net/descriptor.h"

namespace tacit::launcher {

class ScratchFolder {
 public:
  // Makes TMPDIR/NAME-XXXXXX. Throws ConfigError.
  explicit ScratchFolder(const std::string& name);
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder();

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  pid_t pid_ = -1;        // the process that waits and removes the folder
  net::Descriptor pipe_;  // the second process sees it closed when this process has ended
};

}  // namespace tacit::launcher
