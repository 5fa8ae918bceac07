// RowMajorWords gives loops the words of a mask row after row: in their place, or in a copy if the view is transposed.
#pragma once

#include <cstdint>

#include "mpc/kernels/workers.h"
#include "mpc/ring/ring_tensor.h"

namespace tacit::mpc {

class RowMajorWords {
 public:
  // The view must outlive this object.
  RowMajorWords(RingView view, Workers& workers);
  RowMajorWords(const RowMajorWords&) = delete;
  RowMajorWords& operator=(const RowMajorWords&) = delete;

  const std::uint64_t* data() const { return view_.words; }
  RingView view() const { return view_; }

 private:
  RingTensor copy_;
  RingView view_;
};

}  // namespace tacit::mpc
