#include "gnn/loss/class_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gnn/arithmetic/quotients.h"
#include "gnn/arithmetic/sharing.h"
#include "gnn/settings/setting_field.h"
#include "mpc/protocols/add_public.h"
#include "mpc/protocols/drop.h"
#include "mpc/session/local.h"
#include "net/error.h"

namespace tacit::gnn {

namespace {

constexpr std::size_t kMostClasses = 1024;
constexpr std::string_view kBalanced = "balanced";

// "balanced", or a list of numbers.
class ClassWeightsField final : public SettingField {
 public:
  explicit ClassWeightsField(ClassWeights& value) : value_(value) {}

  void read(const SettingValue& value) override {
    const std::string* text = value.text();
    if (text != nullptr && *text == kBalanced) {
      value_ = {.balanced = true, .of = {}};
      return;
    }
    const auto* list = std::get_if<SettingValue::List>(&value.content);
    if (list == nullptr || list->empty() || list->size() > kMostClasses) expected(allowed(), value);
    ClassWeights read;
    for (const SettingValue& one : *list) {
      const auto* whole = std::get_if<std::int64_t>(&one.content);
      const auto* real = std::get_if<double>(&one.content);
      if (whole == nullptr && real == nullptr) expected(allowed(), one);
      const double weight = whole != nullptr ? static_cast<double>(*whole) : *real;
      if (!(weight >= ClassWeights::kLeast && weight <= ClassWeights::kLargest)) expected(allowed(), one);
      read.of.push_back(weight);
    }
    value_ = read;
  }

  SettingValue value() const override {
    if (value_.balanced) return {std::string(kBalanced)};
    SettingValue::List list;
    for (const double weight : value_.of) list.emplace_back().content = weight;
    return {list};
  }

  std::string allowed() const override {
    return fmt::format("\"{}\", or a list with a number from 1/1024 to {:g} for each class", kBalanced,
                       ClassWeights::kLargest);
  }

 private:
  ClassWeights& value_;
};

// The least count of a class for which its weight is within the limit.
std::int64_t least_count(std::int64_t nodes, std::int64_t classes) {
  const double limit = ClassWeights::kLargest * static_cast<double>(classes);
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(static_cast<double>(nodes) / limit)));
}

}  // namespace

double ClassWeights::largest() const {
  if (balanced) return kLargest;
  return of.empty() ? 1 : *std::max_element(of.begin(), of.end());
}

void ClassWeights::describe(SettingVisitor& visitor) {
  if (!visitor.has("class_weights", any())) return;
  if (!any()) balanced = true;
  ClassWeightsField field(*this);
  visitor.field({"class_weights",
                 "how much each class counts in the loss: a list with a weight for each, or balanced, which gives all "
                 "classes the same part of the loss by counts that nobody learns"},
                field);
}

std::optional<Tensor> shared_class_weights(Arithmetic& arithmetic, const ClassWeights& weights, const Tensor& y) {
  if (!weights.any()) return std::nullopt;
  const std::int64_t nodes = y.shape().rows, classes = y.shape().cols;
  if (!weights.balanced) {
    const Matrix row = Eigen::Map<const Matrix>(weights.of.data(), 1, classes);
    return share_known(arithmetic, row, weights.largest(), "class weights").certain();
  }
  constexpr std::int64_t kMostNodes = 1 << 20;
  if (nodes > kMostNodes) {
    throw ConfigError(
        fmt::format("class_weights = \"balanced\" counts at most {} training nodes, and there are {}; list the weights",
                    kMostNodes, nodes));
  }
  mpc::Session& session = arithmetic.session();
  const auto least = static_cast<double>(least_count(nodes, classes));
  const auto most = static_cast<double>(nodes);
  const Tensor counts = arithmetic.column_sums(y, most, "nodes of each class");
  const Tensor above(mpc::add_public(session, counts.share(), -least), most, "nodes above the least");
  const Tensor more = arithmetic.select(arithmetic.non_negative(above), above, most, "nodes above the least");
  const mpc::Share raised = mpc::add_public(session, more.share(), least);
  const mpc::Share wide = in_words(session, {mpc::narrow(raised, mpc::room_for(raised.fraction_bits(), most))}).front();
  const int halvings = halvings_of(most);
  const mpc::Share inverted = inverse(session, mpc::scale(wide, 1, halvings));
  // The weight is this inverse, at most 2^8, times a public factor. With few nodes the factor is small, and gets more
  // fraction bits: 14 significant ones. With one more, the exact product could leave the ring of 64 bits.
  constexpr int kFactorBits = 14, kMostFactorBits = mpc::kWordBits - kInverseBits - 2;
  const double factor = most / static_cast<double>(classes) / std::ldexp(1.0, halvings);
  const int bits = std::clamp(kFactorBits - 1 - std::ilogb(factor), kFactorBits, kMostFactorBits);
  const mpc::Share exact = mpc::scale(inverted, std::llround(std::ldexp(factor, bits)), bits);
  const mpc::Share rounded = mpc::drop(session, exact, exact.fraction_bits() - arithmetic.top().fraction_bits);
  const double largest = std::min(ClassWeights::kLargest, most / static_cast<double>(classes) / least);
  return arithmetic.lifted(Tensor(rounded, largest, "class weights").certain());
}

Matrix plain_class_weights(const ClassWeights& weights, const Matrix& y, const Rows& train) {
  if (!weights.any()) return {};
  if (!weights.balanced) return Eigen::Map<const Matrix>(weights.of.data(), 1, std::ssize(weights.of));
  const auto classes = static_cast<double>(y.cols()), nodes = static_cast<double>(std::ssize(train));
  const auto least = static_cast<double>(least_count(std::ssize(train), y.cols()));
  const Matrix counts = y(train, Eigen::all).colwise().sum();
  return counts.unaryExpr([&](double count) { return nodes / classes / std::max(count, least); });
}

}  // namespace tacit::gnn
