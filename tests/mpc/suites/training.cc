#include "tests/mpc/suites/training.h"

#include <cmath>
#include <random>

#include "mpc/protocols/compare.h"
#include "mpc/protocols/drop.h"
#include "mpc/protocols/input.h"
#include "mpc/protocols/lift.h"
#include "mpc/protocols/mask.h"
#include "mpc/protocols/product.h"
#include "mpc/protocols/select.h"
#include "mpc/protocols/show.h"
#include "mpc/session/local.h"

namespace tacit::mpc {

namespace {

constexpr int kNodes = 24, kFeatures = 4, kHidden = 6;
constexpr double kRate = 0.25;
constexpr int kStepBits = 20;

struct Data {
  Matrix a, x, y, w1, w2;
};

Matrix normal(Eigen::Index rows, Eigen::Index cols, double scale, std::mt19937_64& random) {
  std::normal_distribution<double> draw(0, scale);
  return Matrix::NullaryExpr(rows, cols, [&] { return draw(random); });
}

// A graph normalised on both sides, and targets that two convolutions can learn.
Data made_up() {
  std::mt19937_64 random(7);
  std::bernoulli_distribution edge(0.1);
  Matrix a = Matrix::Identity(kNodes, kNodes);
  for (int i = 0; i < kNodes; ++i) {
    for (int j = 0; j < i; ++j) a(i, j) = a(j, i) = edge(random) ? 1 : 0;
  }
  const Eigen::VectorXd degrees = a.rowwise().sum().cwiseSqrt().cwiseInverse();
  a = degrees.asDiagonal() * a * degrees.asDiagonal();
  const Matrix x = normal(kNodes, kFeatures, 1, random);
  const Matrix y = (a * a * x * normal(kFeatures, 1, 1, random)).array().tanh();
  return {a, x, y, normal(kFeatures, kHidden, 0.5, random), normal(kHidden, 1, 0.5, random)};
}

class Steps {
 public:
  Steps(Session& session, Format format) : s_(session), top_(format.ring_bits), f_(format.fraction_bits) {}

  Share lifted(const Share& x) { return x.ring_bits() == top_ ? x : lift(s_, show(s_, x), top_); }
  Share dropped(const Share& x) { return drop(s_, x, f_); }
  // Lifted only if the next product would not fit.
  Share settled(const Share& x) {
    const Share fallen = dropped(x);
    return fallen.ring_bits() >= 2 * f_ + 10 ? fallen : lifted(fallen);
  }
  Share updated(const Share& weight, const Share& gradient) {
    const auto step = static_cast<std::int64_t>(std::lround(2 * kRate / kNodes * (1 << kStepBits)));
    const Share change = drop(s_, scale(lifted(dropped(gradient)), step, kStepBits), kStepBits);
    return lifted(weight - change);
  }

 private:
  Session& s_;
  const int top_;
  const int f_;
};

}  // namespace

std::vector<double> losses_of_training(const Interpreter& interpreter, const Training& training) {
  const Data data = made_up();
  const Format format = training.format;
  const std::vector<Total> predictions = totals(interpreter, [&](Session& s, int) {
    Steps steps(s, format);
    const auto shared = [&](const Matrix& m, int owner) { return input(s, owner, shape_of(m), format, &m, "data"); };
    const int last = s.parties() - 1;
    const std::vector<Share> given{shared(data.a, 0), shared(data.x, last)};
    const std::vector<Masked> graph = mask(s, given);
    const Masked a = graph[0], ax = mask(s, steps.lifted(steps.dropped(matmul(s, a, graph[1]))));
    const Share y = shared(data.y, last);
    Share w1 = shared(data.w1, 0), w2 = shared(data.w2, 0);
    std::vector<Share> seen;
    for (int epoch = 0; epoch < training.epochs; ++epoch) {
      const std::vector<Share> weights{w1, w2};
      const std::vector<Masked> w = mask(s, weights);
      const Shown wide = show(s, steps.dropped(matmul(s, ax, w[0])));
      const Bits positive = non_negative(s, wide, std::min(format.fraction_bits + 13, wide.ring_bits() - 1));
      const Masked h = mask(s, select(s, positive, wide, wide.ring_bits()));
      const Share z = steps.lifted(steps.dropped(matmul(s, a, mask(s, steps.settled(matmul(s, h, w[1]))))));
      seen.push_back(z);

      const Masked d2 = mask(s, steps.settled(matmul(s, a.transposed(), mask(s, z - y))));
      const Shown back = show(s, steps.dropped(matmul(s, d2, w[1].transposed())));
      const int fits = back.ring_bits() >= 2 * format.fraction_bits + 10 ? back.ring_bits() : format.ring_bits;
      const Masked d1 = mask(s, select(s, positive, back, fits));
      w1 = steps.updated(w1, matmul(s, ax.transposed(), d1));
      w2 = steps.updated(w2, matmul(s, h.transposed(), d2));
    }
    return seen;
  });
  std::vector<double> losses;
  for (const Total& z : predictions) {
    losses.push_back((decode(z.words, z.fraction_bits) - data.y).array().square().mean());
  }
  return losses;
}

std::vector<double> losses_of_training_in_floating_point(const Training& training) {
  Data d = made_up();
  const Matrix ax = d.a * d.x;
  std::vector<double> losses;
  for (int epoch = 0; epoch < training.epochs; ++epoch) {
    const Matrix z1 = ax * d.w1, h = z1.cwiseMax(0), z2 = d.a * (h * d.w2);
    losses.push_back((z2 - d.y).array().square().mean());
    const Matrix d2 = d.a.transpose() * (z2 - d.y);
    const Matrix d1 = (d2 * d.w2.transpose()).cwiseProduct((z1.array() >= 0).cast<double>().matrix());
    d.w2 -= 2 * kRate / kNodes * h.transpose() * d2;
    d.w1 -= 2 * kRate / kNodes * ax.transpose() * d1;
  }
  return losses;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]) / b.front());
  return worst;
}

}  // namespace tacit::mpc
