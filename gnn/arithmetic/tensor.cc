#include "gnn/arithmetic/tensor.h"

#include <utility>

#include "mpc/session/local.h"

namespace tacit::gnn {

Tensor::Tensor(mpc::Share share, double bound, std::string name)
    : forms_(std::make_shared<Forms>(Forms{std::move(share), {}, {}, {}, {}, false, {}, 0})),
      bound_(bound),
      name_(std::move(name)) {
  TACIT_CHECK(fits(level()));
}

mpc::Share Tensor::share() const { return transposed_ ? mpc::transposed(forms_->share) : forms_->share; }

Tensor Tensor::transposed() const {
  Tensor turned = *this;
  turned.transposed_ = !transposed_;
  return turned;
}

Tensor Tensor::part(std::int64_t begin, std::int64_t end) const {
  TACIT_CHECK(!transposed_ && forms_->whole == nullptr);
  const Tensor some(mpc::rows(forms_->share, begin, end), bound_, name_);
  some.forms_->whole = std::make_shared<const Tensor>(*this);
  some.forms_->begin = begin;
  return some.as_watched_as(*this);
}

Tensor Tensor::certain() const {
  forms_->certain = true;
  return *this;
}

Tensor Tensor::as_watched_as(const Tensor& x) const {
  forms_->certain = x.forms_->certain;
  forms_->group = x.forms_->group;
  return *this;
}

Tensor Tensor::watched_as(Watched group) const {
  forms_->group = group;
  return *this;
}

}  // namespace tacit::gnn
