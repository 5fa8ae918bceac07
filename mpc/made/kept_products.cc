#include "mpc/made/kept_products.h"

#include <algorithm>

#include "mpc/lattice/kept_ciphertexts.h"
#include "mpc/lattice/masked_product.h"
#include "mpc/lattice/product_plan.h"
#include "mpc/made/share_products.h"

namespace tacit::mpc {

Keeping KeptProducts::next(const MatrixProductRequest& request) {
  using State = Operand::State;
  if (parties_ == 1 || request.x.shape.size() == 0 || request.y.shape.size() == 0) return {};
  if (operands_.size() >= most_owners_) drop_expired();
  Operand* const left = operand(request, true);
  Operand* const right = operand(request, false);
  Keeping keeping;
  const auto use = [&](Operand* of, bool is_left, Keeping::Use how) { keeping = {how, is_left, of->ciphertexts}; };
  const auto is = [](const Operand* of, State state) { return of != nullptr && of->state == state; };
  if (is(left, State::kKept) && (!is(right, State::kKept) || left->answers <= right->answers)) {
    use(left, true, Keeping::Use::kAgain);
  } else if (is(right, State::kKept)) {
    use(right, false, Keeping::Use::kAgain);
  } else if (is(left, State::kSeen) && keep(request, true, *left)) {
    use(left, true, Keeping::Use::kFirst);
  } else if (is(right, State::kSeen) && keep(request, false, *right)) {
    use(right, false, Keeping::Use::kFirst);
  }
  for (Operand* const one : {left, right}) {
    if (is(one, State::kNew)) one->state = State::kSeen;
  }
  return keeping;
}

WordRequest KeptProducts::next(const WordRequest& request) {
  WordRequest same = request;
  if (auto* product = std::get_if<MatrixProductRequest>(&same)) product->keeping = next(*product);
  return same;
}

KeptProducts::Operand* KeptProducts::operand(const MatrixProductRequest& request, bool left) {
  const std::shared_ptr<const RingTensor>& owner = left ? request.owner_of_x : request.owner_of_y;
  if (owner == nullptr) return nullptr;
  const Shape x = request.x.shape, y = request.y.shape;
  return &operands_[owner][{left ? request.rows_of_x : request.rows_of_y, left, x.rows, x.cols, y.cols, request.bits}];
}

bool KeptProducts::keep(const MatrixProductRequest& request, bool left, Operand& operand) {
  const Shape x = request.x.shape, y = request.y.shape;
  const auto kept = MaskedProduct::kept_pair_bytes(x, y, request.bits, parties_, left);
  const std::int64_t fresh =
      std::min(MaskedProduct::pair_bytes(x, y, request.bits, parties_), pair_bytes_by_bits(x, y, request.bits));
  const std::int64_t bytes = (parties_ - 1) * kept.ciphertexts / 2;
  const bool pays = kept.ciphertexts + lattice::kProductsOfKept * kept.answers < lattice::kProductsOfKept * fresh;
  if (!pays || bytes > most_bytes_ - bytes_) {
    operand.state = Operand::State::kRefused;
    return false;
  }
  drop_expired();  // frees memory for the new ones
  bytes_ += bytes;
  constexpr std::int64_t kUnpacked = 3;  // bytes for a byte of a message: both halves, in whole words
  most_unpacked_ = std::max(most_unpacked_, kUnpacked * kept.ciphertexts / 2);
  operand = {Operand::State::kKept, kept.answers, std::make_shared<lattice::KeptCiphertexts>()};
  return true;
}

// Tensors that are gone are in no later request, so this frees memory and changes no decision.
void KeptProducts::drop_expired() {
  std::erase_if(operands_, [](const auto& one) { return one.first.expired(); });
  most_owners_ = std::max(most_owners_, 2 * operands_.size());
}

}  // namespace tacit::mpc
