// KeptRequest is a request with its own copies of all masks, for a correlation that is made later.
#pragma once

#include <deque>
#include <variant>

#include "mpc/correlations/correlations.h"
#include "mpc/protocols/cell_table.h"

namespace tacit::mpc {

class KeptRequest {
 public:
  explicit KeptRequest(const WordRequest& request);
  explicit KeptRequest(const BitRequest& request);
  KeptRequest(KeptRequest&&) noexcept = default;
  KeptRequest& operator=(KeptRequest&&) noexcept = default;

  // Refers to this object's copies, which stay in place when it is moved.
  const std::variant<WordRequest, BitRequest>& request() const { return request_; }

 private:
  void keep(RingView& view);
  void keep(std::vector<RingView>& views);
  void keep(const BitTensor*& bits);
  void keep(std::span<const BitTensor>& bits);

  void keep_masks(ProductRequest& of);
  void keep_masks(RowProductRequest& of);
  void keep_masks(MatrixProductRequest& of);
  void keep_masks(WrapRequest& of);
  void keep_masks(LiftedProductRequest& of);
  void keep_masks(LiftedMultipleRequest& of);
  void keep_masks(MaskProductsRequest& of);
  void keep_masks(WideningRequest& of);
  void keep_masks(SelectionRequest& of);
  void keep_masks(LookUpRequest& of);
  void keep_masks(WinnerRequest& of);
  void keep_masks(NoiseRequest& of);
  void keep_masks(RouteRequest& of);
  void keep_masks(GroupProductsRequest& of);
  void keep_masks(CarryProductsRequest& of);

  std::variant<WordRequest, BitRequest> request_;
  std::deque<RingTensor> words_;
  std::deque<std::vector<BitTensor>> bits_;
  std::unique_ptr<const CellTable> table_;
  std::unique_ptr<const Permutation> order_;
};

}  // namespace tacit::mpc
