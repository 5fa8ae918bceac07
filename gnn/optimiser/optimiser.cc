#include "gnn/optimiser/optimiser.h"

#include <algorithm>

#include "gnn/arithmetic/clipping.h"

namespace tacit::gnn {

namespace {

// Divides a state into equally long lists, with a value for each parameter; all lists are empty if the state is empty.
template <typename Value, typename ShapeOf, typename Lists>
void divide(std::vector<Value> all, std::span<const Shape> shapes, const ShapeOf& shape_of, const Lists& lists) {
  const std::size_t count = all.empty() ? 0 : shapes.size();
  bool fits = all.size() == lists.size() * count;
  for (std::size_t i = 0; fits && i < all.size(); ++i) fits = shape_of(all[i]) == shapes[i % count];
  if (!fits) {
    throw ConfigError("the state belongs to another optimiser or model; resume with the job that saved it");
  }
  auto next = all.begin();
  for (std::vector<Value>* list : lists) {
    list->assign(next, next + static_cast<std::ptrdiff_t>(count));
    next += static_cast<std::ptrdiff_t>(count);
  }
}

}  // namespace

Tensors in_ring_of_parameters(Arithmetic& arithmetic, Tensors values) {
  const int ring = arithmetic.format_of(Precision::kParameter).ring_bits;
  const bool wide =
      std::all_of(values.begin(), values.end(), [&](const Tensor& x) { return x.format().ring_bits >= ring; });
  if (!wide) values = arithmetic.refreshed(values);
  for (Tensor& value : values) {
    value = arithmetic.in_ring_of(Precision::kParameter, value).as_watched_as(value);
  }
  return values;
}

Tensors decays(Arithmetic& arithmetic, Parameters parameters, double factor, double most) {
  constexpr int kLeastBits = 6;  // a decay that is wrong by a hundredth
  Tensors values;
  for (const Parameter* parameter : parameters) values.push_back(parameter->value);
  const int ring = arithmetic.ring_to_watch(most);
  return arithmetic.scaled(values, factor, {.most = most, .least_bits = kLeastBits, .least_ring = ring});
}

void MasterCopies::begin(Arithmetic& arithmetic, Parameters parameters) {
  if (!tensors.empty()) return;
  for (const Parameter* parameter : parameters) {
    tensors.push_back(arithmetic.rounded(parameter->value, Precision::kMaster));
  }
}

void MasterCopies::add(Arithmetic& arithmetic, std::span<const Tensor> steps, Parameters parameters, bool clamps) {
  const double most = arithmetic.ranges().weights;
  double moved = 0;  // the longest step, if weights are clamped afterwards
  for (const Tensor& step : steps) moved = std::max(moved, clamps ? step.bound() : 0);
  tensors = arithmetic.sums(tensors, steps, most + moved);
  Tensors values;
  for (const Tensor& copy : tensors) {
    values.push_back(arithmetic.rounded(copy, Precision::kValue).watched_as(Watched::kWeights));
  }
  if (clamps) {
    Clamped within = clamped(arithmetic, values, most);
    // A copy and its value differ by less than a unit of the value, before and after.
    tensors = arithmetic.sums(tensors, within.changes, most);
    values = std::move(within.values);
  } else {
    values = in_ring_of_parameters(arithmetic, values);
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) parameters[i]->set(values[i]);
}

OptimiserState state_of(std::initializer_list<const Tensors*> lists, std::int64_t steps) {
  OptimiserState state{{}, steps};
  for (const Tensors* list : lists) state.tensors.insert(state.tensors.end(), list->begin(), list->end());
  return state;
}

void restore_lists(OptimiserState state, Parameters parameters, std::initializer_list<Tensors*> lists) {
  std::vector<Shape> shapes;
  for (const Parameter* parameter : parameters) shapes.push_back(parameter->value.shape());
  divide(
      std::move(state.tensors), shapes, [](const Tensor& one) { return one.shape(); }, lists);
}

PlainOptimiserState plain_state_of(std::initializer_list<const Matrices*> lists, std::int64_t steps) {
  PlainOptimiserState state{{}, steps};
  for (const Matrices* list : lists) state.matrices.insert(state.matrices.end(), list->begin(), list->end());
  return state;
}

void restore_plain_lists(PlainOptimiserState state, std::span<const NamedMatrix> parameters,
                         std::initializer_list<Matrices*> lists) {
  std::vector<Shape> shapes;
  for (const NamedMatrix& parameter : parameters) shapes.push_back(mpc::shape_of(parameter.values));
  divide(
      std::move(state.matrices), shapes, [](const Matrix& one) { return mpc::shape_of(one); }, lists);
}

}  // namespace tacit::gnn
