#include "tests/mpc/security/recorded_session.h"

#include "mpc/correlations/dealer_correlations.h"
#include "mpc/session/inside.h"

namespace tacit::mpc {

namespace {

SeenWords seen(const RingTensor& tensor) {
  return {.words = {tensor.words().begin(), tensor.words().end()}, .bits = tensor.bits()};
}

SeenWords seen(const BitTensor& bits) {
  SeenWords all{.words = {}, .bits = 1};
  for (std::int64_t i = 0; i < bits.size(); ++i) all.words.push_back(bits.at(i) ? 1 : 0);
  return all;
}

class RecordedCorrelations final : public Correlations {
 public:
  RecordedCorrelations(std::unique_ptr<Correlations> inner, net::Mesh& mesh, View& view)
      : inner_(std::move(inner)), mesh_(mesh), view_(view) {}

  void begin(std::int64_t operation) override { inner_->begin(operation); }
  RingTensor mask(const MaskRequest& request) override { return noted(inner_->mask(request)); }
  BitTensor mask_bits(Shape shape) override { return noted(inner_->mask_bits(shape)); }
  Permutation order(int owner, std::int64_t count) override { return inner_->order(owner, count); }
  std::vector<RingTensor> words(const WordRequest& request) override { return all_noted(inner_->words(request)); }
  std::vector<BitTensor> bits(const BitRequest& request) override { return all_noted(inner_->bits(request)); }
  std::chrono::nanoseconds waited() const override { return inner_->waited(); }

 private:
  template <typename Tensor>
  Tensor noted(Tensor tensor) {
    note(tensor);
    return tensor;
  }
  template <typename Tensor>
  std::vector<Tensor> all_noted(std::vector<Tensor> tensors) {
    for (const Tensor& tensor : tensors) note(tensor);
    return tensors;
  }
  template <typename Tensor>
  void note(const Tensor& tensor) {
    view_.drawn.push_back(seen(tensor));
    view_.drawn.back().step = mesh_.step();
  }

  std::unique_ptr<Correlations> inner_;
  net::Mesh& mesh_;
  View& view_;
};

class RecordedSession final : public SessionOver<Party> {
 public:
  RecordedSession(net::Mesh& mesh, View& view, const CorrelationSource& source)
      : RecordedSession(mesh, view, source, std::make_unique<Workers>()) {}
  int parties() const override { return party_.parties(); }
  void set_step(std::string step) override { party_.mesh().set_step(std::move(step)); }

 protected:
  void perform(Operation& operation) override {
    SessionOver::perform(operation);
    if (operation.name() != "input") return;
    auto& input = dynamic_cast<OperationOf<Share>&>(operation);
    Share share = input.take();
    view_.inputs.push_back(seen(Inside::words(share)));
    input.set(std::move(share));
  }

 private:
  RecordedSession(net::Mesh& mesh, View& view, const CorrelationSource& source, std::unique_ptr<Workers> workers)
      : RecordedSession(mesh, view, source, std::move(workers), agree_on_nonce(mesh)) {}
  RecordedSession(net::Mesh& mesh, View& view, const CorrelationSource& source, std::unique_ptr<Workers> workers,
                  const Nonce& nonce)
      : SessionOver(*workers),
        view_(view),
        workers_(std::move(workers)),
        party_(mesh, nonce, *workers_, net::AllReducePlan({{0, net::AllReduce::kDirect}}),
               std::make_unique<RecordedCorrelations>(source(mesh, nonce, *workers_), mesh, view)) {}

  Party& context() override { return party_; }
  const CostSetting* cost_setting() const override { return nullptr; }

  View& view_;
  std::unique_ptr<Workers> workers_;
  Party party_;
};

}  // namespace

void run_viewed(Views& views, const SteppedProgram& program, const CorrelationSource& source) {
  const auto parties = static_cast<int>(views.by_party.size());
  net::run_ranks(net::recorded(net::mesh_kind("Memory").make(parties, 1), views.record), [&](net::Mesh& mesh) {
    if (!mesh.world().is_party()) return run_rank(mesh, program);
    mesh.set_step(kHandshake);
    RecordedSession session(mesh, views.by_party[static_cast<std::size_t>(mesh.rank())], source);
    program(session, mesh);
  });
}

}  // namespace tacit::mpc
