// RecordingMesh — any mesh, with a record of everything that its rank sends: for tests that look at transcripts.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "tests/net/meshes.h"

namespace tacit::net {

struct SentMessage {
  int from = 0;
  int to = 0;
  std::string step;  // the sender's, as set_step() named it
  std::vector<std::byte> bytes;
};

// What all ranks of a mesh sent, in the order of sending. Any thread.
class Record {
 public:
  void add(SentMessage message);
  std::vector<SentMessage> messages() const;

  // Of one step, one message after the other.
  std::vector<std::byte> bytes(int from, int to, const std::string& step) const;

 private:
  mutable std::mutex mutex_;
  std::vector<SentMessage> messages_;
};

// The meshes of all ranks, around those given. The record must outlive them.
Meshes recorded(Meshes meshes, Record& record);

}  // namespace tacit::net
