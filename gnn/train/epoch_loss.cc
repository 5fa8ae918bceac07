#include "gnn/train/epoch_loss.h"

#include "gnn/arithmetic/quotients.h"
#include "mpc/session/local.h"

namespace tacit::gnn {

void EpochLossSum::add(const Loss& loss, const Tensor& total, std::int64_t stands_for) {
  per_total_ += static_cast<double>(stands_for) / loss.loss_per_total();
  totals_.push_back(total);
  for (std::int64_t other = 1; other < stands_for; ++other) totals_.push_back(total.within(total.bound()));
}

EpochLoss EpochLossSum::of_all(mpc::Session& session) const {
  if (totals_.size() == 1) return {totals_.front(), 1 / per_total_};
  std::vector<mpc::Share> shares;
  double bound = 0;
  for (const Tensor& total : totals_) {
    const mpc::Format format = total.format();
    const int room = mpc::room_for(format.fraction_bits, total.bound());
    shares.push_back(mpc::narrow(total.share(), format.ring_bits == mpc::kWordBits ? format.ring_bits : room));
    bound += total.bound();
  }
  shares = in_words(session, std::move(shares));
  mpc::Share sum = shares.front();
  for (std::size_t i = 1; i < shares.size(); ++i) sum = sum + shares[i];
  return {Tensor(sum, bound, "loss"), 1 / per_total_};
}

}  // namespace tacit::gnn
