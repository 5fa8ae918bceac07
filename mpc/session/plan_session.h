// PlanSession — the interpreter that computes nothing: a program that runs on it says what it will cost, with no data
// and no peers.
//
// Its profile has costs and no times. Values have shapes and formats and nothing in them. What is decided is always
// yes; outputs are not used. Costs are those of one rank among so many parties, which need not be as many as the
// program knows of: what inputs belong to whom costs nothing.
#pragma once

#include "mpc/session/session.h"

namespace tacit::mpc {

// What a party computes, about: for guesses of time and memory, never for anything exact.
struct Work {
  std::int64_t multiplications = 0;  // of elements, in products of matrices that are both secret
  std::int64_t words = 0;            // of values that were made

  Work& operator+=(const Work& other);
  Work& operator-=(const Work& other);
  friend Work operator+(Work a, const Work& b) { return a += b; }
  friend Work operator-(Work a, const Work& b) { return a -= b; }
};

class PlanSession final : public Session {
 public:
  // `owners`: how many the program may name. `openings` is copied.
  PlanSession(int owners, int parties, int rank, net::AllReducePlan openings);

  int parties() const override { return owners_; }
  bool computes() const override { return false; }
  void set_step(std::string) override {}
  void output(const std::function<void(const PublicReader&)>&) override {}

  const Work& work() const { return work_; }

 protected:
  void begin(std::int64_t) override {}
  Waited waited() override { return {}; }
  const CostSetting* cost_setting() const override { return &setting_; }

  Share do_input(int owner, Shape shape, Format format, const Matrix* mine, std::string_view name) override;
  Share do_constant(Shape shape, const std::function<Matrix()>& value, Format format, std::string_view name) override;
  std::vector<Masked> do_mask(std::span<const Share> shares) override;
  Share do_product(const Masked& x, const Masked& y) override;
  Share do_matmul(const Masked& x, const Masked& y) override;
  Share do_drop(const Share& share, int bits) override;
  std::vector<Shown> do_show(std::span<const Share> shares) override;
  Masked do_masked(const Shown& shown) override;
  Share do_lift(const Shown& shown, int ring_bits) override;
  std::vector<Bits> do_non_negative(std::span<const Comparison> comparisons) override;
  Share do_select(const Bits& bits, const Shown& shown, int ring_bits) override;
  Share do_indicator(const Bits& bits, int ring_bits) override;
  std::vector<Share> do_look_up(const Masked& x, const CellTable& table, int ring_bits,
                                std::span<const Masked> factors) override;
  Winner do_winner(const Bits& pairs, const Masked& y, int ring_bits) override;
  Permutation do_permutation(int owner, std::int64_t size, const std::vector<std::int64_t>* order) override;
  Share do_permute(const Masked& x, const Permutation& permutation) override;
  Share do_unpermute(const Share& x, const Permutation& permutation) override;
  Public do_reveal(const Share& share, To to) override;
  void do_compare_transcripts() override {}
  bool do_decide(const std::function<bool()>& at_rank_0) override;
  Share do_restore(const SavedShare& saved) override;
  Share do_add_public(const Share& share, std::uint64_t units) override;

 private:
  Share made(Shape shape, Format format);

  int owners_;
  net::AllReducePlan openings_;
  CostSetting setting_;
  Workers serial_;
  Work work_;
};

}  // namespace tacit::mpc
