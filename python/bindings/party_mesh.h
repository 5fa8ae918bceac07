// PartyMesh — a party's mesh for tacit.net: collectives that run on a thread of their own, while the caller hears signals.
//
// Memory      A task owns the bytes that it sends and receives, since it may outlive a call that a signal ended. Results are
//             copied to the caller's memory after success
// Errors      as the collectives'. A signal during a call ends the mesh for all ranks
// Thread      any; one call at a time, others wait
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "net/collectives/group.h"
#include "net/mesh.h"
#include "net/synchronise/gradient_sum.h"
#include "python/bindings/crew.h"
#include "python/bindings/recorded_mesh.h"

namespace tacit::python {

struct JoinOptions {
  std::string key, roster;
  double deadline = 600;  // seconds, until all ranks are there
  double patience = 600;  // seconds, for a rank that is alive but sends nothing
};

class PartyMesh {
 public:
  // `views`: the views of all ranks of a mesh in memory, or null.
  PartyMesh(std::unique_ptr<net::Mesh> mesh, std::shared_ptr<Views> views, Crew::Poll poll);
  ~PartyMesh();
  PartyMesh(const PartyMesh&) = delete;
  PartyMesh& operator=(const PartyMesh&) = delete;

  // The rank's place comes from RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT. Polls for signals during the rendezvous.
  static std::unique_ptr<net::Mesh> join(const JoinOptions& options, const Crew::Poll& poll);

  int rank() const { return mesh_->rank(); }
  int parties() const { return mesh_->parties(); }
  net::Traffic traffic() const { return mesh_->traffic(); }
  std::vector<SeenMessage> view() const;  // the messages that this rank has received

  using Numbers = std::vector<std::int64_t>;
  // The numbers of every party, of the same count at each. One round.
  std::vector<Numbers> exchange(const Numbers& own);
  // The sum of all parties' words, modulo 2^64. Secure: words leave under masks that cancel in the sum.
  Numbers sum(Numbers words, bool secure);
  std::string broadcast(std::string bytes, int root);  // `bytes` has the right size at every party
  // `sizes` has the number of bytes of every party. Other ranks than the root get an empty list.
  std::vector<std::string> gather(std::string own, const Numbers& sizes, int root);

  // A sum of gradients over this mesh, which must be open while it is used. All parties call it at the same time.
  std::shared_ptr<net::GradientSum> gradient_sum(const std::vector<std::int64_t>& sizes, net::SyncSettings settings);
  void finish(const std::shared_ptr<net::GradientSum>& sum);

  void close();
  // Ends it for all ranks. The reason reaches them, as an error of this kind.
  void abort(const std::string& reason, Exit kind = Exit::kNet);

 private:
  using Task = std::function<void()>;
  void run(const std::string& step, Task task);

  const std::shared_ptr<Views> views_;
  const std::shared_ptr<net::Mesh> mesh_;
  const Crew::Poll poll_;
  std::recursive_mutex one_call_;  // a handler of a signal may call again; guards the following members
  std::shared_ptr<net::Group> group_;
  std::shared_ptr<net::Masking> masking_;  // made by the first secure sum
  net::Stream next_gradient_stream_ = net::kGradientStream;
  std::string ended_;  // the reason; empty: the mesh is open
  Crew crew_{1};       // the last member, so that its thread ends before the members that it uses
};

}  // namespace tacit::python
