// Session — what a program may do with secrets. One program, three interpreters: parties compute on shares, the dealer
// runs the same calls knowing only masks, and the clear session runs them on plain values.
//
// A program calls a Session in an order that depends on the job alone, or on what decide() said. Every rank makes the
// same calls with the same shapes and formats. A call that takes a list shares its rounds among all of it.
// Values belong to the session that made them. Thread: one.
#pragma once

#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mpc/kernels/sparse.h"
#include "mpc/kernels/workers.h"
#include "mpc/protocols/cell_table.h"
#include "mpc/sealed/saved_share.h"
#include "mpc/session/profile.h"
#include "mpc/session/values.h"

namespace tacit::mpc {

// Who sees what is revealed.
struct To {
  static constexpr To everyone() { return {-1}; }
  static constexpr To rank(int party) { return {party}; }
  int party = -1;  // -1: all parties

  bool operator==(const To&) const = default;
};

// One line of the account of what was revealed.
struct Reveal {
  std::string reason;
  To to;
  std::int64_t count = 0;     // calls
  std::int64_t elements = 0;  // in all
};

// One line of the account of what was decided: its outcomes are known to all parties and to the dealer.
struct Decision {
  std::string reason;
  std::int64_t count = 0;
};

struct Winner {
  Share which;
  Share times;
};

// Reads what was revealed, where the session lets a program do so.
class PublicReader {
 public:
  bool seen(const Public& value) const;  // whether it was revealed to this rank
  const Matrix& operator()(const Public& value) const;

 private:
  friend class Session;
  PublicReader() = default;
};

class Session {
 public:
  virtual ~Session() = default;
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  virtual int parties() const = 0;
  // Whether anything looks into values. Where nothing does, what only their contents need may be left undone.
  virtual bool computes() const { return true; }

  // What the program is doing now, for errors and progress: "epoch 12, layer 1 forward". Public: it may reach all
  // ranks.
  virtual void set_step(std::string step) = 0;

  // A step that profile() books to its name until the next part begins: "layer 1 forward". What is repeated keeps its
  // name; which of the repetitions it is, "epoch 12", only errors say. "": none. Both are public as a step is.
  void begin_part(std::string_view part);
  void end_part() { profile_.end_part(); }  // and none begins
  void set_turn(std::string turn) { turn_ = std::move(turn); }

  // The owner's matrix, shared; `mine` is read at the owner alone (in the clear session: always). `name` is for errors.
  Share input(int owner, Shape shape, Format format, const Matrix* mine, std::string_view name);
  // A matrix that all parties know, as a share. The dealer need not know it.
  Share constant(const Matrix& value, Format format, std::string_view name);
  // The same, of one that is made only where it is looked at: not at the dealer, nor where nothing is computed.
  Share constant(Shape shape, const std::function<Matrix()>& value, Format format, std::string_view name);

  // One round.
  std::vector<Masked> mask(std::span<const Share> shares);
  Masked mask(const Share& share) { return mask(std::span(&share, 1)).front(); }

  // No rounds: in the narrower ring of the two, with the fraction bits of both.
  Share product(const Masked& x, const Masked& y);  // element by element
  Share matmul(const Masked& x, const Masked& y);

  // Drops so many low bits and fraction bits, rounding without bias: the ring falls by as many bits. No rounds.
  Share drop(const Share& share, int bits);

  // One round. |x| < 2^(k-2) units.
  std::vector<Shown> show(std::span<const Share> shares);
  Shown show(const Share& share) { return show(std::span(&share, 1)).front(); }

  // No rounds: the masked form of what was shown, in its own ring.
  Masked masked(const Shown& shown);
  // No rounds: the same value in a ring at least as wide.
  Share lift(const Shown& shown, int ring_bits);

  // Two rounds: x >= at (in units), exact for |x - at| < 2^(hi-1), hi <= k-1. Comparisons of one shown value with many
  // thresholds, in one call and with the same hi, share most of what is dealt for them.
  struct Comparison {
    Shown shown;
    int hi = 0;
    std::int64_t at = 0;
  };
  std::vector<Bits> non_negative(std::span<const Comparison> comparisons);
  Bits non_negative(const Shown& shown, int hi) {
    const Comparison one{shown, hi};
    return non_negative(std::span(&one, 1)).front();
  }
  // No rounds: x where the bit is set, 0 elsewhere; in the ring that was shown or lifted to a wider one.
  Share select(const Bits& bits, const Shown& shown, int ring_bits);

  // No rounds: each bit as a share of 0 or 1, without fraction bits.
  Share indicator(const Bits& bits, int ring_bits);

  // Declares begin <= x <= end, in real terms, before bits above that range are given up. The clear session notes what
  // is outside; to the others it is nothing.
  virtual void expect_between(const Share& /*x*/, double /*begin*/, double /*end*/, std::string_view /*what*/) {}

  // No rounds: f(x) for a function that is cut into cells, in a ring of so many bits; then f(x)·y for each factor y.
  std::vector<Share> look_up(const Masked& x, const CellTable& table, int ring_bits,
                             std::span<const Masked> factors = {});

  // No rounds: of comparisons of all pairs of up to 7 columns (see pair_differences), 1 for the column of each row that
  // wins them all and 0 for the others, without fraction bits; and that times y.
  Winner winner(const Bits& pairs, const Masked& y, int ring_bits);

  // The rows in the order that the owner knows: row t of the result is row order[t]. `order` is read at the owner.
  Permutation permutation(int owner, std::int64_t size, const std::vector<std::int64_t>* order);
  Share permute(const Masked& x, const Permutation& permutation);   // no rounds
  Share unpermute(const Share& x, const Permutation& permutation);  // one round

  // One round. Counted, with its reason, in reveals(). Compares the transcripts of all parties beside it.
  Public reveal(const Share& share, To to, std::string_view reason);
  const std::vector<Reveal>& reveals() const { return reveals_; }
  // Called with the account before every reveal, which is in it already: an account on disk that never lacks one.
  void before_reveals(std::function<void(const std::vector<Reveal>&)> note) { note_ = std::move(note); }

  // One round: have all parties seen the same openings and decisions? Throws ProtocolError where they have not. Before
  // anything is kept, and at the end of a run: reveals compare by themselves, before they open anything.
  void compare_transcripts();

  // Rank 0 evaluates it (it may read what was revealed); every rank and the dealer learn the outcome, nothing else.
  bool decide(const std::function<bool()>& at_rank_0, std::string_view reason);
  bool decide(const std::function<bool(const PublicReader&)>& at_rank_0, std::string_view reason) {
    return decide([&] { return at_rank_0(PublicReader()); }, reason);
  }
  // Counts a fact that all ranks and the dealer learn without a message, since the run ends where it is so.
  void note_decision(std::string_view reason);
  // What a program does with results that were revealed to this rank: it must not steer the calls that follow. Runs at
  // parties and in the clear, not at the dealer.
  virtual void output(const std::function<void(const PublicReader&)>& use) { use(PublicReader()); }
  const std::vector<Decision>& decisions() const { return decisions_; }

  // This rank's part of a share, to be sealed and taken back in a later session, with fresh masks for everything. No
  // rounds.
  SavedShare save(const Share& share) const;
  Share restore(const SavedShare& saved);

  // Adds a public constant to every element; the same in units, modulo the ring.
  Share add_public(const Share& share, double constant);
  Share add_public_units(const Share& share, std::int64_t units);

  // What was asked for so far, as stated by the protocols; zero in the clear session.
  const Cost& stated() const { return stated_; }
  // The same by protocol; empty in the clear session.
  std::vector<ProtocolCost> stated_by_protocol() const;
  // The same by part and protocol, with times; calls that cost nothing are in it too. The part that goes on now has its
  // calls, and its time when it ends.
  const Profile& profile() const { return profile_.so_far(); }
  Workers& workers() { return workers_; }

 protected:
  using Times = RunningProfile::Times;
  explicit Session(Workers& workers, Times times = Times::kTaken) : workers_(workers), profile_(times) {}

  virtual void begin(std::int64_t operation) = 0;
  virtual Waited waited() = 0;                          // for other ranks, so far
  virtual const CostSetting* cost_setting() const = 0;  // null: nothing costs anything

  virtual Share do_input(int owner, Shape shape, Format format, const Matrix* mine, std::string_view name) = 0;
  virtual Share do_constant(Shape shape, const std::function<Matrix()>& value, Format format,
                            std::string_view name) = 0;
  virtual std::vector<Masked> do_mask(std::span<const Share> shares) = 0;
  virtual Share do_product(const Masked& x, const Masked& y) = 0;
  virtual Share do_matmul(const Masked& x, const Masked& y) = 0;
  virtual Share do_drop(const Share& share, int bits) = 0;
  virtual std::vector<Shown> do_show(std::span<const Share> shares) = 0;
  virtual Masked do_masked(const Shown& shown) = 0;
  virtual Share do_lift(const Shown& shown, int ring_bits) = 0;
  virtual std::vector<Bits> do_non_negative(std::span<const Comparison> comparisons) = 0;
  virtual Share do_select(const Bits& bits, const Shown& shown, int ring_bits) = 0;
  virtual Share do_indicator(const Bits& bits, int ring_bits) = 0;
  virtual std::vector<Share> do_look_up(const Masked& x, const CellTable& table, int ring_bits,
                                        std::span<const Masked> factors) = 0;
  virtual Winner do_winner(const Bits& pairs, const Masked& y, int ring_bits) = 0;
  virtual Permutation do_permutation(int owner, std::int64_t size, const std::vector<std::int64_t>* order) = 0;
  virtual Share do_permute(const Masked& x, const Permutation& permutation) = 0;
  virtual Share do_unpermute(const Share& x, const Permutation& permutation) = 0;
  virtual Public do_reveal(const Share& share, To to) = 0;
  virtual void do_compare_transcripts() = 0;
  virtual bool do_decide(const std::function<bool()>& at_rank_0) = 0;
  virtual Share do_restore(const SavedShare& saved) = 0;
  virtual Share do_add_public(const Share& share, std::uint64_t units) = 0;

 private:
  class Call;
  template <typename CostOf>
  [[nodiscard]] Call next(std::string_view protocol, const CostOf& cost_of);  // what begins, and what it will cost

  Workers& workers_;
  std::int64_t operation_ = 0;
  Cost stated_;
  RunningProfile profile_;
  std::string turn_;
  std::vector<Reveal> reveals_;
  std::function<void(const std::vector<Reveal>&)> note_;
  std::vector<Decision> decisions_;
};

}  // namespace tacit::mpc
