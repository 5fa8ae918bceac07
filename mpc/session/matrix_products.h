// MatrixProducts multiplies the matrices of a session's protocols: on the session's device where that pays, otherwise on its
// threads. The words of a result are the same on both.
//
// An operand that belongs to a value of the session (a masked matrix of data, or its mask) crosses to the device once, stays
// there as long as the value lives, and is recognised by its owner, never by its address. Other operands and the result cross
// for each product. Thread: the session's.
#pragma once

#include <memory>
#include <span>

#include "mpc/kernels/into.h"
#include "mpc/kernels/workers.h"
#include "mpc/ring/ring_tensor.h"

namespace tacit::mpc {

namespace device {
class Device;
}

class MatrixProducts {
 public:
  // `view` shows all rows of the tensor `owner`, or some consecutive rows, transposed or not. The tensor's words never change.
  // Without an owner, the words are used for one product.
  struct Operand {
    RingView view;
    std::shared_ptr<const RingTensor> owner = nullptr;
  };
  struct Term {
    Operand a, b;
    Into into;
  };

  // `device` may be null. Both must outlive this object. Throws ConfigError if a product of the device is not the host's.
  MatrixProducts(Workers& workers, device::Device* device);
  ~MatrixProducts();
  MatrixProducts(const MatrixProducts&) = delete;
  MatrixProducts& operator=(const MatrixProducts&) = delete;

  // out = a·b, out += a·b or out -= a·b for each term in turn, in out's ring.
  void multiply(std::span<const Term> terms, RingTensor& out);

 private:
  class OnDevice;

  void on_threads(std::span<const Term> terms, RingTensor& out);
  // Computes known products on device and host, in 1 ms, so that a wrong driver cannot make wrong values unnoticed.
  void expect_equal_products();

  Workers& workers_;
  std::unique_ptr<OnDevice> on_device_;  // null without a device
};

}  // namespace tacit::mpc
