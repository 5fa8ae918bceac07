#include "gnn/tensor/tensor.h"

#include <utility>

#include "mpc/session/local.h"

namespace tacit::gnn {

Tensor::Tensor(mpc::Share share, double bound, std::string name)
    : forms_(std::make_shared<Forms>(Forms{std::move(share), {}, {}})), bound_(bound), name_(std::move(name)) {
  TACIT_CHECK(fits(level()));
}

mpc::Share Tensor::share() const { return transposed_ ? mpc::transposed(forms_->share) : forms_->share; }

Tensor Tensor::transposed() const {
  Tensor turned = *this;
  turned.transposed_ = !transposed_;
  return turned;
}

}  // namespace tacit::gnn
