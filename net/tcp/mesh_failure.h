// MeshFailure holds the reason why a mesh has failed. The first reason wins and ends every wait.
#pragma once

#include <atomic>
#include <mutex>
#include <string>

#include "net/error.h"
#include "net/tcp/frame.h"

namespace tacit::net {

class MeshFailure {
 public:
  // Records a reason. Returns true if it is the first; later reasons are its consequences. `text`
  // names the culprit. `reporter` is a third rank that has reported the culprit; -1: this rank saw
  // the failure, or the culprit reported it.
  bool record(Exit exit, int culprit, std::string text, int reporter = -1);

  bool happened() const { return happened_.load(); }
  AbortReport report() const;                                 // for the other ranks
  [[noreturn]] void raise(const std::string& context) const;  // context: "; rank 0 was …", or empty

 private:
  mutable std::mutex mutex_;
  AbortReport report_;
  int reporter_ = -1;
  std::atomic<bool> happened_ = false;
};

}  // namespace tacit::net
