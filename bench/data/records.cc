#include "bench/data/records.h"

#include "bench/data/random_source.h"

namespace tacit::gnn {

GraphData make_records(const RecordsOptions& options) {
  RandomSource random(options.seed);
  GraphData data;
  data.nodes = options.rows;
  data.x = Matrix(options.rows, options.columns);
  data.classes.emplace();
  for (auto* mask : {&data.train_mask, &data.val_mask, &data.test_mask}) {
    mask->emplace(static_cast<std::size_t>(options.rows), false);
  }
  const std::int64_t telling = options.columns - 1;
  std::vector<double> weights;
  for (std::int64_t column = 0; column < telling; ++column)
    weights.push_back(column % 2 == 0 ? random.uniform(-1, 1) : 0);
  for (std::int64_t row = 0; row < options.rows; ++row) {
    double score = 1.5 * random.normal();
    for (std::int64_t column = 0; column < options.columns; ++column) {
      const bool bit = random.chance(0.5);
      (*data.x)(row, column) = bit ? 1 : 0;
      if (column < telling) score += weights[static_cast<std::size_t>(column)] * (bit ? 0.5 : -0.5);
    }
    data.classes->push_back(score > 0 ? 1 : 0);  // the score has noise, so that the best possible answer is often wrong
    const double part = random.uniform();
    NodeMask& mask = part < options.train                             ? *data.train_mask
                     : part < options.train + (1 - options.train) / 2 ? *data.val_mask
                                                                      : *data.test_mask;
    mask[static_cast<std::size_t>(row)] = true;
  }
  return data;
}

}  // namespace tacit::gnn
