// A store in a test's own folder, and a state to keep in it.
#pragma once

#include <fstream>

#include "gnn/checkpoint/checkpoint_store.h"
#include "mpc/protocols/input.h"
#include "mpc/session/clear_session.h"
#include "tests/temporary_folder.h"

namespace tacit::gnn {

inline mpc::Nonce nonce_of(int session) {
  mpc::Nonce nonce{};
  nonce.front() = static_cast<std::byte>(session);
  nonce.back() = std::byte{1};
  return nonce;
}

class SampleFolder {
 public:
  SampleFolder() {
    for (const char* name : {"key", "other key"}) mpc::StorageKey::make(path(name));
    std::ofstream(path("features")) << "features";
  }

  std::filesystem::path path(const std::string& name) const { return folder_.path() / name; }
  std::filesystem::path store() const { return path("checkpoints"); }
  StoreOptions options(int rank = 0) const {
    StoreOptions options{store(), path("key"), {}, {}, rank, 2, 2};
    options.job.fill(std::byte{1});
    options.data.fill(std::byte{4});
    return options;
  }
  std::vector<std::filesystem::path> files(const std::string& ending = ".checkpoint") const {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(store())) {
      if (entry.path().filename().string().ends_with(ending)) files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
  }

 private:
  TemporaryFolder folder_;
};

inline constexpr double kRareValue = 1.2345678;  // a pattern to look for in files

inline TrainingState sample_state(mpc::Session& session, std::int64_t epochs) {
  const mpc::Format top{64, 13};
  const auto tensor = [&](Shape shape, const std::string& name) {
    return Tensor(mpc::constant(session, Matrix::Constant(shape.rows, shape.cols, kRareValue), top, name), 16, name);
  };
  TrainingState state;
  state.epochs = epochs;
  state.training_passes = epochs;
  state.parameters = {tensor({3, 2}, "weight"), tensor({1, 2}, "bias")};
  state.optimiser = {{tensor({3, 2}, "weight velocity")}, 7};
  state.progress = {3, 0.75};
  state.best = TrainingState::Best{epochs, state.parameters};
  state.plateau = {2, 0.5};
  state.reductions = 4;
  state.first_loss = 2.5;
  state.perturbed = TrainingState::Perturbed{tensor({5, 4}, "columns"), {tensor({2, 2}, "encoder weight")}, {0.5}};
  return state;
}

}  // namespace tacit::gnn
