#include "mpc/made/public_part.h"

#include <bit>
#include <concepts>

#include "mpc/protocols/cell_table.h"

namespace tacit::mpc {

namespace {

class PartWriter {
 public:
  explicit PartWriter(std::size_t kind) { add(kind); }

  template <std::integral T>
  PartWriter& add(T number) {
    all_.push_back(static_cast<std::int64_t>(number));
    return *this;
  }
  PartWriter& add(Shape shape) { return add(shape.rows).add(shape.cols); }
  PartWriter& add(const RingView& view) { return add(view.shape); }
  PartWriter& add(const BitTensor& bits) { return add(bits.shape()); }
  template <typename T>
  PartWriter& add(const std::vector<T>& list) {
    add(list.size());
    for (const T& one : list) add(one);
    return *this;
  }
  PartWriter& add(const MaskFactor& factor) { return add(factor.of).add(factor.power).add(factor.sigma); }
  PartWriter& add(const MaskProduct& product) { return add(product.factors).add(product.bits); }
  PartWriter& add(const CellTable& table) {
    add(table.kind()).add(table.cell_bits()).add(table.position_bits()).add(table.entry_bits()).add(table.rate());
    add(table.domain().ring_bits).add(table.fraction_bits()).add(table.terms());
    for (std::int64_t cell = 0; cell < table.cells(); ++cell) {
      for (std::int64_t k = 0; k < table.terms(); ++k) add(std::bit_cast<std::int64_t>(table.coefficient(cell, k)));
    }
    return *this;
  }
  PartWriter& add(CellTable::Kind kind) { return add(static_cast<int>(kind)); }

  std::vector<std::int64_t> take() { return std::move(all_); }

 private:
  std::vector<std::int64_t> all_;
};

void write(const ProductRequest& of, PartWriter& all) { all.add(of.x).add(of.y).add(of.bits); }
void write(const RowProductRequest& of, PartWriter& all) { all.add(of.x).add(of.y).add(of.bits); }
void write(const MatrixProductRequest& of, PartWriter& all) {
  all.add(of.x).add(of.y).add(of.bits).add(static_cast<int>(of.keeping.use)).add(of.keeping.left);
}
void write(const WrapRequest& of, PartWriter& all) { all.add(of.r).add(of.k).add(of.bits); }
void write(const LiftedProductRequest& of, PartWriter& all) {
  all.add(of.x).add(of.y).add(of.k).add(of.l).add(of.bits).add(of.with_wrap_of_x);
}
void write(const LiftedMultipleRequest& of, PartWriter& all) {
  all.add(of.r).add(of.k).add(of.mantissa).add(of.shift).add(of.bits);
}
void write(const MaskProductsRequest& of, PartWriter& all) { all.add(of.r).add(of.k).add(of.of).add(of.products); }
void write(const WideningRequest& of, PartWriter& all) { all.add(*of.mu).add(of.bits); }
void write(const SelectionRequest& of, PartWriter& all) { all.add(of.r).add(of.k).add(of.bits).add(of.with_mu); }
void write(const LookUpRequest& of, PartWriter& all) {
  all.add(of.lambda).add(*of.table).add(of.entries).add(of.bits).add(of.factors).add(of.factor_bits);
}
void write(const WinnerRequest& of, PartWriter& all) { all.add(of.y).add(of.bits).add(of.y_bits); }
void write(const NoiseRequest& of, PartWriter& all) { all.add(of.of).add(of.bits).add(of.sigma); }
void write(const RouteRequest& of, PartWriter& all) {
  all.add(of.lambda).add(of.owner).add(of.outputs).add(of.kappa).add(of.with_kappa).add(of.bits);
}
void write(const GroupProductsRequest& of, PartWriter& all) {
  all.add(of.r).add(of.low).add(of.hi).add(of.groups).add(of.count);
}
void write(const CarryProductsRequest& of, PartWriter& all) {
  all.add(of.shape()).add(of.generate.size()).add(of.propagate.size()).add(of.count);
}

template <typename Request>
std::vector<std::int64_t> numbers_of(const Request& request, std::size_t kinds_before) {
  PartWriter all(kinds_before + request.index());
  std::visit([&all](const auto& one) { write(one, all); }, request);
  return all.take();
}

}  // namespace

std::vector<std::int64_t> public_part(const WordRequest& request) { return numbers_of(request, 0); }
std::vector<std::int64_t> public_part(const BitRequest& request) {
  return numbers_of(request, std::variant_size_v<WordRequest>);
}

}  // namespace tacit::mpc
