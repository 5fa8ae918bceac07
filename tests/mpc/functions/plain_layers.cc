#include "tests/mpc/functions/plain_layers.h"

#include <array>
#include <cmath>
#include <random>

#include "mpc/protocols/input.h"
#include "mpc/protocols/mask.h"

namespace tacit::mpc {

Matrix rows_of_all_lengths(Shape shape, double most, unsigned seed) {
  Matrix values(shape.rows, shape.cols);
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(-most, most);
  for (Eigen::Index r = 0; r < values.rows(); ++r) {
    const double scale = std::exp2(-static_cast<double>(random() % 8));
    for (Eigen::Index c = 0; c < values.cols(); ++c) values(r, c) = std::round(512 * scale * uniform(random)) / 512;
  }
  return values;
}

std::vector<LayerRecords> masked_layers(Session& session, const Layers& layers, Format format) {
  std::vector<LayerRecords> all;
  for (const LayerReals& layer : layers) {
    const std::array shares{
        input(session, 0, shape_of(layer.inputs), format, &layer.inputs, "a"),
        input(session, session.parties() - 1, shape_of(layer.gradients), format, &layer.gradients, "d")};
    const std::vector<Masked> both = mask(session, shares);
    all.push_back({both[0], both[1], layer.bias});
  }
  return all;
}

Matrix squared_gradients(const Layers& layers) {
  Matrix squared = Matrix::Zero(layers[0].inputs.rows(), 1);
  for (const LayerReals& layer : layers) {
    const Matrix a = (layer.inputs.rowwise().squaredNorm().array() + (layer.bias ? 1 : 0)).matrix();
    squared += a.cwiseProduct(layer.gradients.rowwise().squaredNorm());
  }
  return squared;
}

}  // namespace tacit::mpc
