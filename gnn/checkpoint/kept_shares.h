// KeptShares — RevealedOnce over a party's checkpoints: each share that was revealed of a checkpoint's state lies in a
// sealed file beside the checkpoint, and is there before it is revealed for the first time.
//
// agree_on_kept says which of them all parties hold, before a session begins. A share counts only where all parties'
// files were written in the same session: who is killed between two parties' files has revealed nothing yet, and the
// value is computed anew.
//
// Reveals     to the parties: which shares each of them holds; to the dealer: which all hold, their shapes and formats
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

// Shares by name; of the dealer, shapes and formats alone.
using KeptByName = std::map<std::string, mpc::SavedShare>;

// Every rank calls it with the same names, the dealer without a store. `id`: the checkpoint that all agreed on.
KeptByName agree_on_kept(net::Mesh& mesh, const CheckpointStore* store, const CheckpointId& id,
                         const std::vector<std::string>& names);

class KeptShares final : public RevealedOnce {
 public:
  // `resumed`: the checkpoint that the session goes on from, if it does, with what all hold of it. The store, null at
  // the dealer, must outlive it.
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
