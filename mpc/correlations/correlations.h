// Correlations is a party's source of correlated randomness (preprocessing): a dealer, or another
// source.
//
// Protocols send their requests in the same order at every party. A mask is the party's additive
// share of a uniform value that no party knows. A correlation is an additive sharing of a function
// of masks. Each kind of correlation has a request type, which holds this party's shares of the
// masks and every public parameter of the function. The requests of all parties therefore suffice
// to make the correlation, and a source need not know the protocols.
//
// The dealer's side of a protocol states the same requests (mpc/session/dealer.h): with the sums of all parties' masks at a dealer,
// with the party's own masks at a party's maker.
//
// PartySession accepts a CorrelationSource from outside.
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "mpc/kernels/workers.h"
#include "mpc/lattice/keeping.h"
#include "mpc/random/nonce.h"
#include "mpc/random/permutation.h"
#include "mpc/ring/bit_tensor.h"
#include "mpc/ring/ring_tensor.h"
#include "net/mesh.h"

namespace tacit::mpc {

class CellTable;

// The kind in the tag of a dealt message.
enum class Correlation : std::uint8_t {
  kProduct = 1,
  kMatrixProduct = 2,
  kWrap = 3,
  kBitProducts = 4,
  kSelection = 5,
  kLookUp = 7,
  kWinner = 8,
  kRowProduct = 9,
  kNoise = 10,
  kLiftedProduct = 11,
  kLiftedMultiple = 12,
  kMaskProducts = 13,
  kRoute = 14,
};

// Shares of words. Masks are views of this party's shares, and may have more bits than the correlation uses. For the cost of a
// request, shapes suffice: see without_contents().
struct ProductRequest {  // lx·ly in Z_2^bits, element by element
  RingView x, y;
  int bits = 0;

  Correlation kind() const { return Correlation::kProduct; }
  Shape shape() const { return x.shape; }
  std::vector<int> widths() const { return {bits}; }
};

struct RowProductRequest {  // the sum of lx·ly over each row, a column in Z_2^bits
  RingView x, y;
  int bits = 0;

  Correlation kind() const { return Correlation::kRowProduct; }
  Shape shape() const { return {x.shape.rows, 1}; }
  std::vector<int> widths() const { return {bits}; }
};

// Which rows of the tensor that holds them a mask has: from `first` on, and then transposed or not.
struct RowsOfOwner {
  std::int64_t first = 0;
  bool transposed = false;

  auto operator<=>(const RowsOfOwner&) const = default;
};

struct MatrixProductRequest {  // the matrix product of lx and ly in Z_2^bits
  RingView x, y;
  int bits = 0;
  // The tensors that hold the rows of x and y, or null. Their words never change, so a device may keep the words for later
  // requests that name the same tensor, and the parties may keep ciphertexts (mpc/made/kept_products.h). A plan names tensors
  // without words.
  std::shared_ptr<const RingTensor> owner_of_x = nullptr, owner_of_y = nullptr;
  RowsOfOwner rows_of_x = {}, rows_of_y = {};
  Keeping keeping = {};  // set by a maker

  Correlation kind() const { return Correlation::kMatrixProduct; }
  Shape shape() const { return {x.shape.rows, y.shape.cols}; }
  std::vector<int> widths() const { return {bits}; }
};

struct WrapRequest {  // r >> k, then bit k-1 of r: each in Z_2^bits
  RingView r;
  int k = 0;
  int bits = 0;

  Correlation kind() const { return Correlation::kWrap; }
  Shape shape() const { return r.shape; }
  std::vector<int> widths() const { return {bits, bits}; }
};

// For r and s, masks of values in rings of k and l bits: the terms of the wraps of both (see WrapRequest), then the products
// of the masks and of the terms that a product of the lifted values needs (see lifted_product.h). Without the terms of r if
// they have a request of their own.
struct LiftedProductRequest {
  RingView x, y;
  int k = 0, l = 0;
  int bits = 0;
  bool with_wrap_of_x = true;

  Correlation kind() const { return Correlation::kLiftedProduct; }
  Shape shape() const { return y.shape; }
  bool has_both() const { return bits > k + l; }  // the product of the two sigmas has a place in the ring
  std::vector<int> widths() const;
};

// For rho, the k low bits of r: rho · mantissa / 2^shift, rounded to the next whole number, a half up; then bit k-1 of r. Each in
// Z_2^bits (see lifted_multiple.h).
struct LiftedMultipleRequest {
  RingView r;
  int k = 0;
  std::int64_t mantissa = 1;
  int shift = 0;
  int bits = 0;

  Correlation kind() const { return Correlation::kLiftedMultiple; }
  Shape shape() const { return r.shape; }
  std::vector<int> widths() const { return {bits, bits}; }
};

// A power of rho, the k low bits of the mask r of value `of`; times sigma, bit k-1 of r, if `sigma`.
struct MaskFactor {
  int of = 0;
  int power = 0;
  bool sigma = false;

  auto operator<=>(const MaskFactor&) const = default;
};

// The product of such factors, needed in Z_2^bits.
struct MaskProduct {
  std::vector<MaskFactor> factors;
  int bits = 0;

  // rho itself: the parties have shares of r, so that only r >> k is dealt.
  bool is_mask() const { return factors.size() == 1 && factors.front() == MaskFactor{factors.front().of, 1, false}; }
};

// For masks r of values in rings of k bits: products of their rho and sigma (see lifted_polynomial.h).
struct MaskProductsRequest {
  std::vector<RingView> r;
  std::vector<int> k;
  Shape of;
  std::vector<MaskProduct> products;

  Correlation kind() const { return Correlation::kMaskProducts; }
  Shape shape() const { return of; }
  // The bits of a dealt word; no word is dealt for 0 bits or less.
  int dealt_bits(const MaskProduct& product) const {
    return product.is_mask() ? product.bits - k[static_cast<std::size_t>(product.factors.front().of)] : product.bits;
  }
  std::vector<int> widths() const;
};

struct WideningRequest {  // the mask bits mu as words of Z_2^bits
  const BitTensor* mu = nullptr;
  int bits = 0;

  Correlation kind() const { return Correlation::kSelection; }
  Shape shape() const { return mu->shape(); }
  std::vector<int> widths() const { return {bits}; }
};

// mu·r in Z_2^bits; mu itself if `with_mu`; and if bits > k, the two terms of the wrap (see
// WrapRequest) and mu times each, in Z_2^(bits-k).
struct SelectionRequest {
  const BitTensor* mu = nullptr;
  RingView r;
  int k = 0;
  int bits = 0;
  bool with_mu = false;

  Correlation kind() const { return Correlation::kSelection; }
  Shape shape() const { return r.shape; }
  std::vector<int> widths() const;
};

// The entries of the table for lambda (see cell_table.h), then ly times those entries for each
// factor y. A row holds all entries of one element.
struct LookUpRequest {
  RingView lambda;
  const CellTable* table = nullptr;
  std::int64_t entries = 0;  // entries of a row: the table's cells times its terms
  int bits = 0;
  std::vector<RingView> factors;
  std::vector<int> factor_bits;

  Correlation kind() const { return Correlation::kLookUp; }
  Shape shape() const { return {lambda.shape.size(), entries}; }
  std::vector<int> widths() const;
};

// For each element of y, a table over all patterns of the mask bits of its column's pairs: 1 at the
// pattern with which the column wins, in Z_2^bits; then ly at the same place, in Z_2^y_bits (see
// winner.h).
struct WinnerRequest {
  const BitTensor* pairs = nullptr;
  RingView y;
  int bits = 0;
  int y_bits = 0;

  Correlation kind() const { return Correlation::kWinner; }
  Shape shape() const { return {y.shape.size(), std::int64_t{1} << (y.shape.cols - 1)}; }
  std::vector<int> widths() const { return {bits, y_bits}; }
};

// Discrete Gaussian noise of this sigma, which no party knows (see noise.h).
struct NoiseRequest {
  Shape of;
  int bits = 0;
  std::int64_t sigma = 0;

  Correlation kind() const { return Correlation::kNoise; }
  Shape shape() const { return of; }
  std::vector<int> widths() const { return {bits}; }
};

// Shares of bits. Their sum is modulo 2.
struct GroupProductsRequest {  // products of all subsets of r's bits within each group, then bit hi-1 of r
  RingView r;
  int low = 0;  // the first bit of the first group
  int hi = 0;
  std::vector<int> groups;  // sizes, low to high, with the sum hi-1-low
  int count = 0;            // number of tensors

  Correlation kind() const { return Correlation::kBitProducts; }
  Shape shape() const { return r.shape; }
};

// The products of generate and propagate masks that a borrow needs (subset_products.h).
struct CarryProductsRequest {
  std::span<const BitTensor> generate, propagate;
  int count = 0;  // number of tensors

  Correlation kind() const { return Correlation::kBitProducts; }
  Shape shape() const { return generate.front().shape(); }
};

// Rows of masks in an order that the owner alone knows, besides a dealer (Correlations::order): row order[i] is row i of lambda.
// The first `outputs` rows of this, and, `with_kappa`, each of these rows times kappa of the row; in Z_2^bits (see own_matrix.h).
struct RouteRequest {
  RingView lambda;
  int owner = 0;
  const Permutation* order = nullptr;  // null at all parties but the owner
  std::int64_t outputs = 0;
  RingView kappa;  // a column, if with_kappa
  bool with_kappa = false;
  int bits = 0;

  Correlation kind() const { return Correlation::kRoute; }
  Shape shape() const { return {outputs, lambda.shape.cols}; }
  std::vector<int> widths() const { return std::vector<int>(with_kappa ? 2 : 1, bits); }
};

using WordRequest = std::variant<ProductRequest, RowProductRequest, MatrixProductRequest, WrapRequest,
                                 LiftedProductRequest, LiftedMultipleRequest, MaskProductsRequest, WideningRequest,
                                 SelectionRequest, LookUpRequest, WinnerRequest, NoiseRequest, RouteRequest>;
using BitRequest = std::variant<GroupProductsRequest, CarryProductsRequest>;

// A mask of this shape in a request whose cost alone is asked for.
inline RingView without_contents(Shape shape) { return {nullptr, shape, shape.cols, 1}; }

// A mask of words. A source without a dealer uses another method if later requests need the bits of
// the sum.
struct MaskRequest {
  Shape shape;
  int bits = 0;  // bits of a word
  // > 0: requests for wraps and bit products may follow, for the sum in Z_2^64 under a ring of this
  // many bits.
  int ring_bits = 0;
};

// The source of a session's correlations.
enum class CorrelationsFrom : unsigned char {
  kDealer,
  kParties,  // the parties among themselves, in the course of each request
  // The same, ahead of the requests, in a thread of its own (mpc/ahead/making_ahead.h): with the transfers of mpc/ot/ferret.h, or of
  // mpc/ot/soft_spoken.h, which has one assumption less and sends more bytes.
  kAheadByFerret,
  kAheadBySoftSpoken,
};
constexpr bool is_ahead(CorrelationsFrom from) { return from > CorrelationsFrom::kParties; }

class Correlations {
 public:
  virtual ~Correlations() = default;

  // Every request until the next call belongs to this operation.
  virtual void begin(std::int64_t operation) = 0;

  virtual RingTensor mask(const MaskRequest& request) = 0;
  // mask(request); besides, sum = x + constant + the mask in the sum's ring. Shapes are equal. A source may do both in one pass.
  virtual RingTensor add_mask(const MaskRequest& request, const RingTensor& x, std::uint64_t constant, RingTensor& sum);
  virtual BitTensor mask_bits(Shape shape) = 0;
  // A uniform order of `count` rows that only this party, the owner, and the source know. Empty at the other parties.
  virtual Permutation order(int owner, std::int64_t count) = 0;

  // One tensor for each width.
  virtual std::vector<RingTensor> words(const WordRequest& request) = 0;
  virtual std::vector<BitTensor> bits(const BitRequest& request) = 0;

  // The outcome of a decide(), which a source that works ahead may wait for.
  virtual void decided(bool /*outcome*/) {}

  virtual CorrelationsFrom made_by() const { return CorrelationsFrom::kDealer; }

  // Total time of waiting for correlations so far.
  virtual std::chrono::nanoseconds waited() const = 0;
};

// Makes a party's source, once the ranks of a session have agreed on its nonce. The mesh and the workers outlive the
// source.
using CorrelationSource =
    std::function<std::unique_ptr<Correlations>(net::Mesh& mesh, const Nonce& nonce, Workers& workers)>;

}  // namespace tacit::mpc
