#include "gnn/train/common_data.h"

#include <algorithm>

#include "gnn/arithmetic/rearranged.h"

namespace tacit::gnn {

namespace {

// The places in `first`, then the other places of 0 ... count - 1, ascending.
Rows first_then_others(Rows first, std::int64_t count) {
  std::vector<bool> taken(static_cast<std::size_t>(count));
  for (const std::int64_t place : first) {
    TACIT_CHECK(!taken[static_cast<std::size_t>(place)]);
    taken[static_cast<std::size_t>(place)] = true;
  }
  for (std::int64_t place = 0; place < count; ++place) {
    if (!taken[static_cast<std::size_t>(place)]) first.push_back(place);
  }
  return first;
}

Tensors in_order(Arithmetic& arithmetic, const Tensors& data, const mpc::SparseMatrix& order) {
  Tensors ordered;
  for (const Tensor& one : data) ordered.push_back(placed(arithmetic, order, one).as_watched_as(one));
  return ordered;
}

Tensors parts_of(const Tensors& data, std::int64_t begin, std::int64_t end) {
  Tensors parts;
  for (const Tensor& one : data) parts.push_back(one.part(begin, end));
  return parts;
}

}  // namespace

void share_rows_of_data(Arithmetic& arithmetic, const ModelSpec& spec, const DataReader& whole,
                        std::span<const DataReader> batches, bool apart) {
  const std::optional<std::size_t> place = place_of_data(spec);
  const auto is_whole = [&](const DataReader& batch) { return batch.model == whole.model; };
  if (!place || batches.empty() || std::any_of(batches.begin(), batches.end(), is_whole)) return;
  const auto rows_of = [&](const DataReader& reader) -> const Rows& { return reader.view->inputs(*place); };
  std::span<const DataReader> takers = batches;
  if (!apart) {
    const auto fewer = [&](const auto& a, const auto& b) { return rows_of(a).size() < rows_of(b).size(); };
    takers = std::span(&*std::max_element(batches.begin(), batches.end(), fewer), 1);
  }
  const std::int64_t count = std::ssize(rows_of(whole));
  Rows order;
  for (const DataReader& taker : takers) {
    const Rows places = positions(rows_of(taker), rows_of(whole));
    order.insert(order.end(), places.begin(), places.end());
  }
  order = first_then_others(std::move(order), count);
  Tensors data = whole.model->data_of(arithmetic, *whole.x);
  DataRows of_whole;
  if (!std::is_sorted(order.begin(), order.end())) {
    const mpc::SparseMatrix matrix = picking(order, count);
    data = in_order(arithmetic, data, matrix);
    of_whole.into_view = matrix.transposed();
  }
  std::int64_t begin = 0;
  for (const DataReader& taker : takers) {
    const std::int64_t end = begin + std::ssize(rows_of(taker));
    taker.model->take_data({parts_of(data, begin, end), std::nullopt});
    *taker.x = {};
    begin = end;
  }
  of_whole.factors = std::move(data);
  whole.model->take_data(of_whole);
  *whole.x = {};
}

}  // namespace tacit::gnn
