// KeptShares — implements RevealedOnce (revealed_once.h) with files: before a value of a
// checkpoint's state is revealed for the first time, its share is sealed in a file beside the
// checkpoint. A later reveal opens the same share again.
//
// agree_on_kept finds the shares that all parties hold, before a session begins. A share counts
// only if all parties wrote their files in the same session. A session that is killed between the
// files of two parties has revealed nothing yet, so the value is computed anew.
//
// Reveals     to the parties: the names of the shares that each party holds;
//             to the dealer: the names, shapes and formats of the shares that all parties hold
// Rounds      1 among the parties
// Sends       48 bytes for each name to each party; rank 0 to the dealer 25 bytes for each name
#pragma once

#include <map>
#include <string>
#include <vector>

#include "gnn/checkpoint/checkpoint_store.h"
#include "gnn/train/revealed_once.h"
#include "net/mesh.h"

namespace tacit::gnn {

// Shares by name. At the dealer they have shapes and formats, but no words.
using KeptByName = std::map<std::string, mpc::SavedShare>;

// Every rank calls it with the same names and the agreed checkpoint `id`. The dealer has no store.
KeptByName agree_on_kept(net::Mesh& mesh, const CheckpointStore* store, const CheckpointId& id,
                         const std::vector<std::string>& names);

// The same names with shares without contents, as a dealer and a maker have them.
KeptByName without_contents(const KeptByName& held);

class KeptShares final : public RevealedOnce {
 public:
  // `resumed` is the checkpoint from which the session resumes, if any; `held` are its shares that
  // all parties hold. The store is null at the dealer, and must outlive this object.
  KeptShares(CheckpointStore* store, std::optional<CheckpointId> resumed, KeptByName held)
      : store_(store), resumed_(resumed), held_(std::move(held)) {}

  std::optional<Tensor> find(mpc::Session& session, std::int64_t epoch, const std::string& name) override;
  void keep(std::int64_t epoch, const std::string& name, const Tensor& told) override;

 private:
  CheckpointStore* store_;
  std::optional<CheckpointId> resumed_;
  KeptByName held_;
};

}  // namespace tacit::gnn
