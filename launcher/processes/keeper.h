// Keeper — a process that does nothing but wait for ours to end, and then ends and removes what ours can no longer,
// should it have been killed: whole groups of processes, and a folder. The kernel's own PR_SET_PDEATHSIG ends children
// at once, but not what they have started.
//
// It is made before there are threads and secrets, holds no descriptor of ours but its pipe, and is out of a
// terminal's reach.
#pragma once

#include <sys/types.h>

#include <filesystem>

#include "net/descriptor.h"

namespace tacit::launcher {

class Keeper {
 public:
  // `folder`, if one is named, is removed when this goes, in whatever way.
  explicit Keeper(std::filesystem::path folder = {});
  Keeper(const Keeper&) = delete;
  Keeper& operator=(const Keeper&) = delete;
  ~Keeper();

  // A group whose leader is our child; and no longer, before the leader is reaped.
  void guard(pid_t group);
  void release(pid_t group);

 private:
  pid_t pid_ = -1;
  net::Descriptor pipe_;
};

}  // namespace tacit::launcher
