// Dense — x·W + b.
#pragma once

#include "gnn/model/layer.h"
#include "gnn/model/record_gradients.h"

namespace tacit::gnn {

class Dense final : public Layer {
 public:
  // With `of_records`, backward() sets no parameter's gradient, and keeps the factors of each row's own gradient.
  Dense(std::string name, bool bias, Input input, std::optional<RecordLayer> of_records = {});

  Tensor forward(Arithmetic& arithmetic, const Tensor& x, Pass pass) override;
  std::optional<Tensor> backward(Arithmetic& arithmetic, const Tensor& gradient) override;
  std::optional<BackwardProducts> begin_backward(Arithmetic& arithmetic, const Tensor& gradient) override;
  std::vector<Parameter*> parameters() override;
  Tensors data_of(Arithmetic&, const Tensor& x) override { return {x}; }
  void take_data(const DataRows& rows) override { data_ = rows; }
  void forget() override { x_ = {}, records_ = {}; }

  const RecordGradients& records() const { return records_; }

 private:
  BackwardProducts products_of(Arithmetic& arithmetic, const Tensor& gradient);

  std::string name_;
  Input input_;
  Parameter weight_;
  std::optional<Parameter> bias_;
  Tensor x_;
  DataRows data_;
  std::optional<RecordLayer> of_records_;
  RecordGradients records_;
};

// into_view() brings the rows of a product by data into the order of the view. out_of_view() brings the rows of a gradient into
// the order of the data.
Tensor into_view(Arithmetic& arithmetic, const Tensor& product, const DataRows& data);
Tensor out_of_view(Arithmetic& arithmetic, const Tensor& gradient, const DataRows& data);
// Adds the bias to every row.
Tensor plus_bias(Arithmetic& arithmetic, const Tensor& x, const Parameter& bias);
// Sets the gradients of the weights and of the bias. `by_weight` is the product of that name: its right operand was lifted for it
// if its ring was narrow, and is usually what the bias' gradient adds up, so that no other lift is needed.
void set_gradients(Arithmetic& arithmetic, const BackwardProducts& products, const Tensor& by_weight);

}  // namespace tacit::gnn
