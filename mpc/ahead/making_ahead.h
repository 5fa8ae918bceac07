// MakingAhead runs a program without a dealer: the party's side in this thread, and the maker's side (maker.h) in a thread of its own,
// which makes the correlations ahead.
//
//   MakingAhead ahead(mesh, options);
//   PartySession session(mesh, plan, options, ahead.source());
//   ahead.run([&](Session& maker) { program(maker, no data); }, [&] { program(session, own data); });
//
// The maker's session has the dealer's rules: the same calls with the same shapes, no data, and no outputs. If one side ends with an
// error, the mesh is aborted, since the other side may be waiting for a peer; run() throws the first error.
#pragma once

#include <functional>
#include <memory>

#include "mpc/ahead/made_ahead.h"
#include "mpc/correlations/own_masks.h"
#include "mpc/ot/pair_network.h"
#include "mpc/session/party_session.h"

namespace tacit::mpc {

class MakingAhead {
 public:
  // Takes the number of threads and the limit of bytes that wait from the options. The mesh must outlive it.
  MakingAhead(net::Mesh& mesh, const SessionOptions& options, CorrelationsFrom from = CorrelationsFrom::kAheadByFerret);
  ~MakingAhead();
  MakingAhead(const MakingAhead&) = delete;
  MakingAhead& operator=(const MakingAhead&) = delete;

  // For the party's session: one for each object of this class.
  CorrelationSource source();

  void run(const std::function<void(Session& maker)>& maker, const std::function<void()>& party);

  // After run(). The cost of making correlations since the start, less the bytes that the operations of the program have stated: rounds,
  // messages, and with Ferret the bytes of extensions.
  Cost beside_stated(const Cost& stated) const;
  std::int64_t batches() const { return batches_; }
  const MadeCost& start() const { return start_; }

 private:
  void make(const std::function<void(Session&)>& program);

  net::Mesh& mesh_;
  const SessionOptions options_;
  const CorrelationsFrom from_;
  PairNetwork network_;
  MadeAhead ahead_;
  std::optional<OwnMasks> masks_;  // the maker's, from source() to run()
  std::unique_ptr<Workers> workers_;
  Nonce nonce_{};
  MadeCost start_;
  std::int64_t batches_ = 0;
};

}  // namespace tacit::mpc
