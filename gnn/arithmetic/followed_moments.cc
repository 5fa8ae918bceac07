#include "gnn/arithmetic/followed_moments.h"

#include "gnn/arithmetic/rearranged.h"
#include "mpc/session/local.h"

namespace tacit::gnn {

void FollowedMoments::begin(Arithmetic& arithmetic, const mpc::MomentRules& rules, std::span<const Tensor> like,
                            const mpc::Share& inverse_roots, const mpc::Share& means_over_roots) {
  const mpc::Share means_kept = rules.beta1 > 0 ? means_over_roots : means_over_roots - means_over_roots;
  const mpc::ScaledMoments all = mpc::begin_moments(arithmetic.session(), rules, inverse_roots, means_kept);
  constexpr double kAboveOne = 1.5, kTwice = 2;
  roots = shaped_like(like, Tensor(all.root, kAboveOne, "root"));
  means = shaped_like(like, Tensor(all.mean, rules.largest_mean(), "mean"));
  rests = shaped_like(like, Tensor(all.rest, kTwice, "rest of a root"));
}

Tensors FollowedMoments::step(Arithmetic& arithmetic, const mpc::MomentRules& rules, std::int64_t number,
                              std::span<const Tensor> gradients, double factor, double bound) {
  mpc::Session& session = arithmetic.session();
  std::vector<mpc::ScaledMoments> moments;
  for (std::size_t i = 0; i < roots.size(); ++i) {
    moments.push_back({roots[i].share(), means[i].share(), rests[i].share()});
  }
  const std::vector<mpc::Shown> shown = arithmetic.shown_narrowly(gradients, mpc::to_open(session, moments));
  const std::span<const mpc::Shown> opened(shown);
  const mpc::MovedMoments moved = mpc::move_moments(session, rules, number, opened.first(gradients.size()),
                                                    opened.subspan(gradients.size()), moments);
  Tensors steps;
  for (std::size_t i = 0; i < moments.size(); ++i) {
    arithmetic.watch_lifted(gradients[i], shown[i], moved.gradients[i]);
    roots[i] = Tensor(moments[i].root, roots[i].bound(), roots[i].name());
    means[i] = Tensor(moments[i].mean, means[i].bound(), means[i].name());
    rests[i] = Tensor(moments[i].rest, rests[i].bound(), rests[i].name());
    if (factor == 0) continue;
    steps.push_back(arithmetic.multiple(moved.quotients[i], rules.largest_mean(), "step", -factor,
                                        {.most = bound, .precision = Precision::kMaster}));
  }
  return steps;
}

}  // namespace tacit::gnn
