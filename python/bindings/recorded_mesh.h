// recorded — a mesh that also notes every message that its rank sends, in the view of the rank that receives it.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "net/mesh.h"

namespace tacit::python {

struct SeenMessage {
  int from = 0;
  std::string step;  // the sender's step
  std::string bytes;
};

// The messages that each rank has received. Thread: any.
class Views {
 public:
  explicit Views(int ranks) : seen_(static_cast<std::size_t>(ranks)) {}
  void add(int to, SeenMessage message);
  std::vector<SeenMessage> of(int rank) const;

 private:
  mutable std::mutex mutex_;
  std::vector<std::vector<SeenMessage>> seen_;  // by receiver, in the order of sending
};

// The views must outlive the mesh.
std::unique_ptr<net::Mesh> recorded(std::unique_ptr<net::Mesh> mesh, Views& views);

}  // namespace tacit::python
