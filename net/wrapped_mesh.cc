#include "net/wrapped_mesh.h"

#include <utility>
#include <vector>

#include "net/error.h"

namespace tacit::net {

namespace {

class WrappedMesh final : public Mesh {
 public:
  WrappedMesh(std::unique_ptr<Mesh> inner, const Wrap& wrap) : inner_(std::move(inner)) {
    for (int peer = 0; peer < inner_->size(); ++peer) {
      channels_.push_back(peer == inner_->rank() ? nullptr : wrap(inner_->channel(peer), *inner_));
    }
  }

  const World& world() const override { return inner_->world(); }
  Channel& channel(int peer) override {
    TACIT_CHECK(peer >= 0 && peer < size() && peer != rank());
    return *channels_[static_cast<std::size_t>(peer)];
  }
  std::string describe(int peer) const override { return inner_->describe(peer); }
  Traffic traffic() const override { return inner_->traffic(); }
  void count_rounds(std::int64_t rounds) override { inner_->count_rounds(rounds); }
  void set_step(std::string step) override { inner_->set_step(std::move(step)); }
  std::string step() const override { return inner_->step(); }
  std::optional<Waiting> waiting() const override { return inner_->waiting(); }
  void close() override { inner_->close(); }
  void abort(Exit exit, std::string_view reason, int culprit) noexcept override {
    inner_->abort(exit, reason, culprit);
  }

 private:
  std::unique_ptr<Mesh> inner_;
  std::vector<std::unique_ptr<Channel>> channels_;
};

}  // namespace

std::unique_ptr<Mesh> wrapped(std::unique_ptr<Mesh> mesh, const Wrap& wrap) {
  return std::make_unique<WrappedMesh>(std::move(mesh), wrap);
}

}  // namespace tacit::net
