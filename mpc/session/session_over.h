// SessionOver — a Session whose every call is a protocol's side for one kind of context: Party, Dealer or Clear.
#pragma once

#include "mpc/kernels/elementwise.h"
#include "mpc/protocols/compare.h"
#include "mpc/protocols/compare_transcripts.h"
#include "mpc/protocols/drop.h"
#include "mpc/protocols/indicator.h"
#include "mpc/protocols/input.h"
#include "mpc/protocols/lift.h"
#include "mpc/protocols/look_up.h"
#include "mpc/protocols/mask.h"
#include "mpc/protocols/permute.h"
#include "mpc/protocols/product.h"
#include "mpc/protocols/restore.h"
#include "mpc/protocols/reveal.h"
#include "mpc/protocols/select.h"
#include "mpc/protocols/show.h"
#include "mpc/protocols/winner.h"
#include "mpc/session/local.h"
#include "mpc/session/session.h"

namespace tacit::mpc {

template <typename Context>
class SessionOver : public Session {
 protected:
  using Session::Session;
  virtual Context& context() = 0;

  void begin(std::int64_t operation) override { context().begin(operation); }
  Waited waited() override { return context().waited(); }

  Share do_input(int owner, Shape shape, Format format, const Matrix* mine, std::string_view name) override {
    return mpc::input(context(), owner, shape, format, mine, name);
  }
  Share do_constant(Shape shape, const std::function<Matrix()>& value, Format format, std::string_view name) override {
    return mpc::constant(context(), shape, value, format, name);
  }
  std::vector<Masked> do_mask(std::span<const Share> shares) override { return mpc::mask(context(), shares); }
  Share do_product(const Masked& x, const Masked& y) override { return mpc::product(context(), x, y); }
  Share do_matmul(const Masked& x, const Masked& y) override { return mpc::matmul(context(), x, y); }
  Share do_drop(const Share& share, int bits) override { return mpc::drop(context(), share, bits); }
  std::vector<Shown> do_show(std::span<const Share> shares) override { return mpc::show(context(), shares); }
  Masked do_masked(const Shown& shown) override { return mpc::masked(context(), shown); }
  Share do_lift(const Shown& shown, int ring_bits) override { return mpc::lift(context(), shown, ring_bits); }
  std::vector<Bits> do_non_negative(std::span<const Comparison> comparisons) override {
    return mpc::non_negative(context(), comparisons);
  }
  Share do_select(const Bits& bits, const Shown& shown, int ring_bits) override {
    return mpc::select(context(), bits, shown, ring_bits);
  }
  Share do_indicator(const Bits& bits, int ring_bits) override { return mpc::indicator(context(), bits, ring_bits); }
  std::vector<Share> do_look_up(const Masked& x, const CellTable& table, int ring_bits,
                                std::span<const Masked> factors) override {
    return mpc::look_up(context(), x, table, ring_bits, factors);
  }
  Winner do_winner(const Bits& pairs, const Masked& y, int ring_bits) override {
    return mpc::winner(context(), pairs, y, ring_bits);
  }
  Permutation do_permutation(int owner, std::int64_t size, const std::vector<std::int64_t>* order) override {
    return mpc::permutation(context(), owner, size, order);
  }
  Share do_permute(const Masked& x, const Permutation& permutation) override {
    return mpc::permute(context(), x, permutation);
  }
  Share do_unpermute(const Share& x, const Permutation& permutation) override {
    return mpc::unpermute(context(), x, permutation);
  }
  Public do_reveal(const Share& share, To to) override { return mpc::reveal(context(), share, to); }
  void do_compare_transcripts() override { mpc::compare_transcripts(context()); }
  bool do_decide(const std::function<bool()>& at_rank_0) override { return mpc::decide(context(), at_rank_0); }
  Share do_restore(const SavedShare& saved) override { return mpc::restore(context(), saved); }
  Share do_add_public(const Share& share, std::uint64_t units) override {
    return mpc::add_public(context(), share, units);
  }
};

}  // namespace tacit::mpc
