// MeshFailure — why a mesh is of no use any more: the first reason wins, and every wait ends with it.
#pragma once

#include <atomic>
#include <mutex>
#include <string>

#include "net/error.h"
#include "net/tcp/frame.h"

namespace tacit::net {

class MeshFailure {
 public:
  // True if this was the first; later ones are echoes of it. `text` names the culprit. `reporter`: the rank that has
  // told us of another; -1: we know it ourselves, or from the culprit.
  bool record(Exit exit, int culprit, std::string text, int reporter = -1);

  bool happened() const { return happened_.load(); }
  AbortReport report() const;                                 // for the others
  [[noreturn]] void raise(const std::string& context) const;  // context: "; rank 0 was …", or empty

 private:
  mutable std::mutex mutex_;
  AbortReport report_;
  int reporter_ = -1;
  std::atomic<bool> happened_ = false;
};

}  // namespace tacit::net
