// KeptProducts decides which products of a session are made with kept ciphertexts (lattice/keeping.h), when correlations are made ahead.
//
// A program multiplies some masks again and again: the masks of features and of a graph stay for a whole training. An operand is known by
// the tensor that holds its mask, the rows of the tensor and their orientation; its ciphertexts also depend on the sizes and the
// width of the product. The first product of an operand is made as any other, since it may be the last. At the second one, all parties
// encrypt the operand in a layout for many products, and keep the ciphertexts of their peers. From the third one on, answers alone
// travel.
//
// An operand is not kept if fresh products would send fewer bytes in lattice::kProductsOfKept products; or if a party's kept
// ciphertexts would exceed kMostBytes. No bytes are given back, so that the decision never depends on when a thread drops a value.
//
// Secure      (conditions (b) to (d) of lattice/masked_product.h) a mask's words never change, so a kept ciphertext has one message
//             under its own name of `a`. A second layout has other names. Each answer has its own zero, and the leakage of each is summed
// The rule reads public sizes and the identity of tensors, so three objects decide alike: the maker's, the party's for its
// stated costs, and the plan's. A tensor is identified by its owner's weak pointer, whose address serves no other tensor meanwhile.
//
// Thread: one.
#pragma once

#include <compare>
#include <map>
#include <memory>

#include "mpc/correlations/correlations.h"

namespace tacit::mpc {

class KeptProducts {
 public:
  // The most ciphertexts that a party keeps.
  static constexpr std::int64_t kMostBytes = std::int64_t{512} << 20;

  explicit KeptProducts(int parties, std::int64_t most_bytes = kMostBytes)
      : parties_(parties), most_bytes_(most_bytes) {}

  // How the session's next product is made.
  Keeping next(const MatrixProductRequest& request);
  // The same request with its Keeping, if it is a product.
  WordRequest next(const WordRequest& request);

  // The bytes of all ciphertexts that a party has kept so far.
  std::int64_t bytes() const { return bytes_; }
  // The most bytes of one peer's kept ciphertexts of an operand, unpacked for a product.
  std::int64_t most_unpacked() const { return most_unpacked_; }

 private:
  // The rows of an operand, and its place in a product.
  struct Layout {
    RowsOfOwner rows;
    bool left = true;
    std::int64_t m = 0, c = 0, p = 0;
    int bits = 0;

    auto operator<=>(const Layout&) const = default;
  };
  struct Operand {
    enum class State : unsigned char { kNew, kSeen, kKept, kRefused };
    State state = State::kNew;
    std::int64_t answers = 0;                                         // bytes of a pair for one product, if kept
    std::shared_ptr<lattice::KeptCiphertexts> ciphertexts = nullptr;  // if kept
  };
  using Owner = std::weak_ptr<const RingTensor>;

  Operand* operand(const MatrixProductRequest& request, bool left);
  // Keeps an operand that was seen before, unless the rule refuses it.
  bool keep(const MatrixProductRequest& request, bool left, Operand& operand);
  void drop_expired();

  const int parties_;
  const std::int64_t most_bytes_;
  std::map<Owner, std::map<Layout, Operand>, std::owner_less<Owner>> operands_;
  std::size_t most_owners_ = 64;  // the number of tensors at which drop_expired() runs
  std::int64_t bytes_ = 0;
  std::int64_t most_unpacked_ = 0;
};

}  // namespace tacit::mpc
