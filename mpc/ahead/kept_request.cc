#include "mpc/ahead/kept_request.h"

#include "net/error.h"

namespace tacit::mpc {

KeptRequest::KeptRequest(const WordRequest& request) : request_(request) {
  std::visit([this](auto& one) { keep_masks(one); }, std::get<WordRequest>(request_));
}

KeptRequest::KeptRequest(const BitRequest& request) : request_(request) {
  std::visit([this](auto& one) { keep_masks(one); }, std::get<BitRequest>(request_));
}

// The copy has the view's order of memory: the rows of a transposed view are its columns.
void KeptRequest::keep(RingView& view) {
  const bool transposed = view.col_stride != 1;
  const RingView rows = transposed ? view.transposed() : view;
  TACIT_CHECK(rows.col_stride == 1 || rows.shape.cols == 1);
  RingTensor& copy = words_.emplace_back(rows.shape, kWordBits);
  for (std::int64_t row = 0; row < rows.shape.rows; ++row) {
    std::copy_n(rows.words + row * rows.row_stride, rows.shape.cols, copy.data() + row * rows.shape.cols);
  }
  view = transposed ? copy.view().transposed() : copy.view();
}

void KeptRequest::keep(std::vector<RingView>& views) {
  for (RingView& view : views) keep(view);
}

void KeptRequest::keep(const BitTensor*& bits) { bits = &bits_.emplace_back(1, *bits).front(); }

void KeptRequest::keep(std::span<const BitTensor>& bits) { bits = bits_.emplace_back(bits.begin(), bits.end()); }

void KeptRequest::keep_masks(ProductRequest& of) { keep(of.x), keep(of.y); }
void KeptRequest::keep_masks(RowProductRequest& of) { keep(of.x), keep(of.y); }
// Masks with an owner are not copied: the request keeps the owner.
void KeptRequest::keep_masks(MatrixProductRequest& of) {
  if (of.owner_of_x == nullptr) keep(of.x);
  if (of.owner_of_y == nullptr) keep(of.y);
}

void KeptRequest::keep_masks(WrapRequest& of) { keep(of.r); }
void KeptRequest::keep_masks(LiftedProductRequest& of) { keep(of.x), keep(of.y); }
void KeptRequest::keep_masks(LiftedMultipleRequest& of) { keep(of.r); }
void KeptRequest::keep_masks(MaskProductsRequest& of) { keep(of.r); }
void KeptRequest::keep_masks(WideningRequest& of) { keep(of.mu); }
void KeptRequest::keep_masks(SelectionRequest& of) { keep(of.mu), keep(of.r); }
void KeptRequest::keep_masks(WinnerRequest& of) { keep(of.pairs), keep(of.y); }
void KeptRequest::keep_masks(NoiseRequest& /*of*/) {}
void KeptRequest::keep_masks(GroupProductsRequest& of) { keep(of.r); }
void KeptRequest::keep_masks(CarryProductsRequest& of) { keep(of.generate), keep(of.propagate); }

void KeptRequest::keep_masks(LookUpRequest& of) {
  keep(of.lambda), keep(of.factors);
  table_ = std::make_unique<const CellTable>(*of.table);
  of.table = table_.get();
}

void KeptRequest::keep_masks(RouteRequest& of) {
  keep(of.lambda);
  if (of.with_kappa) keep(of.kappa);
  if (of.order == nullptr) return;
  order_ = std::make_unique<const Permutation>(*of.order);
  of.order = order_.get();
}

}  // namespace tacit::mpc
