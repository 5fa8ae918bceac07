#include "mpc/session/matrix_products.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <vector>

#include "mpc/device/placed_words.h"
#include "mpc/kernels/matmul.h"

namespace tacit::mpc {

namespace {

std::int64_t multiplications(const MatrixProducts::Term& term) {
  return term.a.view.shape.size() * term.b.view.shape.cols;
}

// The words of the view lie side by side, so that they cross as one block.
bool without_gaps(RingView view) {
  const auto [rows, cols] = view.shape;
  return (view.col_stride == 1 && view.row_stride == cols) || (view.row_stride == 1 && view.col_stride == rows);
}

// All rows of the tensor, or some that follow one another, transposed or not.
bool shows_rows_of(RingView view, const RingTensor& tensor) {
  const std::int64_t before = view.words - tensor.data();
  return before >= 0 && before + view.shape.size() <= tensor.size() && without_gaps(view);
}

}  // namespace

// The session's words on its device, and the choice of the products that run there.
class MatrixProducts::OnDevice {
 public:
  explicit OnDevice(device::Device& device) : device_(device) {}

  device::Device& device() { return device_; }

  // True if the terms take less time on the device than on `threads` threads. Count the products with the words of an operand
  // that has an owner. Once the threads have spent as much time on these products as the words need to cross to the device,
  // the crossing counts as free: if the owner lives on, the words will be used again; if not, at most half of the time is lost.
  bool pays(std::span<const Term> terms, const RingTensor& out, int threads) {
    const device::Device::Price price = device_.price();
    std::int64_t all = 0, crossing = terms.front().into == Into::kSet ? out.size() : 2 * out.size();
    for (const Term& term : terms) {
      const std::int64_t count = multiplications(term);
      all += count;
      for (const Operand* operand : {&term.a, &term.b}) {
        if (operand->owner == nullptr) {
          if (!without_gaps(operand->view)) return false;
          crossing += operand->view.shape.size();
          continue;
        }
        const std::int64_t size = operand->owner->size();
        Known& known = known_[operand->owner];
        known.multiplied += count;
        if (!known.placed && known.multiplied < price.word * threads * size) crossing += size;
      }
    }
    return all >= threads * (price.call + price.word * crossing);
  }

  void multiply(std::span<const Term> terms, RingTensor& out) {
    next_ = 0;
    std::uint64_t* const result = passing(out.size());
    if (terms.front().into != Into::kSet) device_.put(out.words(), result);
    for (const Term& term : terms) {
      const device::DeviceView a = placed(term.a), b = placed(term.b);
      device_.matmul(a, b, term.into, result, out.bits());
    }
    device_.get(result, out.words());
  }

  // Frees the device's memory of words without a living owner.
  void forget_the_gone() {
    std::erase_if(known_, [](const auto& one) { return one.first.expired(); });
  }

 private:
  using Owner = std::weak_ptr<const RingTensor>;
  struct Known {
    std::int64_t multiplied = 0;  // by these words, on the threads
    std::optional<device::PlacedWords> placed;
  };

  device::DeviceView placed(const Operand& operand) {
    const RingView& view = operand.view;
    return {operand.owner == nullptr ? passed(view) : kept(operand), view.shape.rows, view.shape.cols, view.row_stride,
            view.col_stride};
  }

  const std::uint64_t* kept(const Operand& operand) {
    TACIT_CHECK(shows_rows_of(operand.view, *operand.owner));
    std::optional<device::PlacedWords>& placed = known_[operand.owner].placed;
    if (!placed) {
      device::PlacedWords made(device_, operand.owner->size());
      device_.put(operand.owner->words(), made.words());
      placed.emplace(std::move(made));
    }
    return placed->words() + (operand.view.words - operand.owner->data());
  }

  const std::uint64_t* passed(RingView view) {
    const std::int64_t size = view.shape.size();
    std::uint64_t* const words = passing(size);
    device_.put({view.words, static_cast<std::size_t>(size)}, words);
    return words;
  }

  // Memory for the operands and the result of one product; later products use it again.
  std::uint64_t* passing(std::int64_t size) {
    if (next_ == passing_.size()) {
      passing_.emplace_back(device_, size);
    } else if (passing_[next_].count() < size) {
      passing_.erase(passing_.begin() +
                     static_cast<std::ptrdiff_t>(next_));  // first, so that the larger one has its room
      passing_.emplace(passing_.begin() + static_cast<std::ptrdiff_t>(next_), device_, size);
    }
    return passing_[next_++].words();
  }

  device::Device& device_;
  // By owner. A weak_ptr keeps the place of its owner's count, so a later owner never equals it.
  std::map<Owner, Known, std::owner_less<>> known_;
  std::vector<device::PlacedWords> passing_;
  std::size_t next_ = 0;  // place of the current product
};

MatrixProducts::MatrixProducts(Workers& workers, device::Device* device) : workers_(workers) {
  if (device == nullptr) return;
  on_device_ = std::make_unique<OnDevice>(*device);
  expect_equal_products();
}

MatrixProducts::~MatrixProducts() = default;

void MatrixProducts::multiply(std::span<const Term> terms, RingTensor& out) {
  if (on_device_ == nullptr || out.size() == 0) return on_threads(terms, out);
  on_device_->forget_the_gone();
  if (on_device_->pays(terms, out, workers_.threads())) return on_device_->multiply(terms, out);
  on_threads(terms, out);
}

void MatrixProducts::on_threads(std::span<const Term> terms, RingTensor& out) {
  for (const Term& term : terms) matmul(term.a.view, term.b.view, term.into, out, workers_);
}

void MatrixProducts::expect_equal_products() {
  constexpr Shape kSquare{64, 64};
  std::uint64_t state = 1;
  const auto fill = [&](int bits) {
    RingTensor tensor(kSquare, bits);
    for (std::uint64_t& word : tensor.words()) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      word = (state ^ state >> 29) & low_bits(bits);
    }
    return tensor;
  };
  const RingTensor a = fill(kWordBits), b = fill(kWordBits);
  for (const int bits : {kWordBits, 51}) {
    const std::array terms{Term{{a.view()}, {b.view()}, Into::kAdd},
                           Term{{b.view().transposed()}, {a.view()}, Into::kSubtract}};
    RingTensor expected = fill(bits), found = expected;
    on_threads(terms, expected);
    on_device_->multiply(terms, found);
    if (!std::equal(found.words().begin(), found.words().end(), expected.words().begin())) {
      throw ConfigError(
          "the device (" + on_device_->device().about() + ") multiplies wrongly: its product of two known " +
          "matrices is not the processor's; go on with --device none, and check the card with " + "tools/gpu-check");
    }
  }
}

}  // namespace tacit::mpc
