// Tensor — a secret matrix of a model: its share, its declared range, and its opened forms, so that no form is opened
// twice.
//
// A Tensor is a handle: copies are the same tensor, and an opened form of one copy serves all. Thread: its session's.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gnn/arithmetic/watched.h"
#include "mpc/levels/level_planner.h"
#include "mpc/session/values.h"

namespace tacit::gnn {

using mpc::Matrix;
using mpc::Shape;

class Tensor {
 public:
  Tensor() = default;
  // |x| <= bound, in real terms.
  Tensor(mpc::Share share, double bound, std::string name);

  Shape shape() const { return transposed_ ? forms_->share.shape().transposed() : forms_->share.shape(); }
  mpc::Share share() const;
  double bound() const { return bound_; }
  const std::string& name() const { return name_; }
  mpc::Format format() const { return forms_->share.format(); }
  mpc::Level level() const { return {name_, format(), bound_}; }

  // The same tensor, read the other way by products.
  Tensor transposed() const;

  // A new tensor of the same values with another declared range. No opened form of this one serves it.
  Tensor within(double bound) const { return {share(), bound, name_}; }

  // The rows begin … end - 1 as a tensor of their own. To mask the part masks this whole tensor, once for all parts. The dealer
  // knows the mask of each row, so every rank must name the same rows.
  Tensor part(std::int64_t begin, std::int64_t end) const;

  // Handles to this tensor, marked. In its range by how it was made: the range watch leaves it out.
  Tensor certain() const;
  // The same, if x is certain; in the group of x.
  Tensor as_watched_as(const Tensor& x) const;
  // Watched as a value of this group, regardless of the group that is current when it is opened.
  Tensor watched_as(Watched group) const;

 private:
  friend class Arithmetic;
  struct Forms {
    mpc::Share share;
    std::optional<mpc::Shown> shown;
    std::optional<mpc::Masked> masked;
    std::optional<mpc::Share> before;  // the share before the ring was narrowed
    std::optional<Watched> group;
    bool certain = false;                 // in its range, or watched already
    std::shared_ptr<const Tensor> whole;  // set in a part: the tensor that has its rows
    std::int64_t begin = 0;               // the first row of the part in it
  };

  std::shared_ptr<Forms> forms_;
  double bound_ = 0;
  std::string name_;
  bool transposed_ = false;
};

using Tensors = std::vector<Tensor>;

}  // namespace tacit::gnn
