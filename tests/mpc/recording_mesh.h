// RecordingMesh — wraps any mesh and records everything that its rank sends, for tests that inspect
// transcripts.
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
  std::string step;  // the sender's step, as set_step() named it
  std::vector<std::byte> bytes;
  Stream stream = kMainStream;
};

// The messages that all ranks of a mesh sent, in the order of sending. Safe for any thread.
class Record {
 public:
  void add(SentMessage message);
  std::vector<SentMessage> messages() const;
  std::vector<SentMessage> take();  // moves them out

  // The messages of one step, concatenated.
  std::vector<std::byte> bytes(int from, int to, const std::string& step) const;

 private:
  mutable std::mutex mutex_;
  std::vector<SentMessage> messages_;
};

// Wraps the meshes of all ranks. The record must outlive them.
Meshes recorded(Meshes meshes, Record& record);

}  // namespace tacit::net
