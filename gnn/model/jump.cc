#include "gnn/model/jump.h"

#include <fmt/format.h>

#include "gnn/arithmetic/rearranged.h"

namespace tacit::gnn {

Jump::Jump(const ModelSpec& spec, std::size_t layer, const GraphView& view)
    : name_(fmt::format("layer {} jump", layer)), parts_(jump_parts(spec, layer)) {
  const Rows& read = view.inputs(layer);
  for (const JumpPart& part : parts_) {
    const Rows& rows = view.inputs(part.layer);
    picks_.emplace_back();
    if (rows.size() != read.size()) picks_.back() = picking(positions(read, rows), std::ssize(rows));
  }
}

Tensor Jump::forward(Arithmetic& arithmetic, const Tensors& inputs) const {
  Tensors read;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const Tensor& all = inputs[parts_[i].layer];
    read.push_back(picks_[i] ? placed(arithmetic, *picks_[i], all).as_watched_as(all) : all);
  }
  return arithmetic.beside(read, name_);
}

Tensors Jump::backward(Arithmetic& arithmetic, const Tensor& gradient) const {
  Tensors passed;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const Tensor part = columns(gradient, parts_[i].begin, parts_[i].end);
    passed.push_back(picks_[i] ? placed(arithmetic, picks_[i]->transposed(), part).as_watched_as(part) : part);
  }
  return passed;
}

}  // namespace tacit::gnn
