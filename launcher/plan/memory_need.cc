#include "launcher/plan/memory_need.h"

#include <fmt/format.h>

#include <algorithm>

#include "gnn/run/openings.h"
#include "launcher/job/job.h"
#include "launcher/plan/other_adjacency.h"
#include "launcher/unit_text.h"
#include "mpc/session/party_session.h"
#include "net/tcp/inbox.h"

namespace tacit::launcher {

namespace {

constexpr std::int64_t kWordBytes = 8;
// The program, its libraries and the network's buffers.
constexpr std::int64_t kProgramBytes = 22 << 20, kDealerBytes = 18 << 20;
constexpr std::int64_t kLinkBytes = 384 << 10;  // for each other rank: a TLS session, buffers, queued messages
// Words in memory for each word of the data, as read and as a share.
constexpr std::int64_t kCopiesOfData = 2;
// Dealt messages in the queue of a party take 5/2 of their payload, with the overhead of the allocator and TLS, and so does one
// message that is whole at the dealer. In the queue of the dealer, before TLS, a full one took 1.12 times its payload: 3/2.
constexpr std::int64_t kHalvesOfDealt = 5, kHalvesAtDealer = 3;
// The memory of a batch besides its data: view, model, loss.
constexpr std::int64_t kBatchBytes = 4 << 10;

// The words of the largest step, the words that the first epoch masks for the whole run, and the words that the largest
// operation frees at its end.
struct NeededWords {
  std::int64_t step = 0, kept = 0, passing = 0;
};

std::int64_t held_words(const mpc::Work& work) { return work.words - work.passing; }

NeededWords words_of(const gnn::PlannedRun& run) {
  const std::int64_t usual = held_words(run.usual_epoch().work);
  std::int64_t evaluation = 0;  // words of a later epoch: the first evaluation reads the masked data of the training
  for (std::size_t i = 1; i < run.epochs.size(); ++i) {
    evaluation = std::max(evaluation, held_words(run.epochs[i].work) - usual);
  }
  // One epoch alone cannot show the difference, so this assumes Delta and lambda of all data.
  const std::int64_t data = run.sharing.work.words - run.normalising.all + run.normalising.left;
  const std::int64_t kept =
      run.epochs.size() > 1 ? std::max<std::int64_t>(held_words(run.epochs.front().work) - usual, 0) : 2 * data;
  return {std::max({usual / std::max<std::int64_t>(run.batches, 1), evaluation / run.measured_blocks,
                    held_words(run.results.work) / run.predicted_blocks}),
          kept, run.total.work.most_passing};
}

struct Needed {
  gnn::PassingBytes before;
  NeededWords words;
  std::int64_t shared = 0;  // words of the data
  gnn::PassingWords normalising = {};
  std::int64_t batches = 0, blocks = 1;
  std::int64_t dealt = 0;       // bytes
  std::int64_t most_dealt = 0;  // bytes of one operation: its message is taken as a whole
  std::int64_t maker = 0;       // bytes, beside its masks; 0: no maker
};

MemoryNeed need_of(const Needed& run, int parties, bool dealer) {
  const std::int64_t links = parties * kLinkBytes;
  // Few of a step's values live when its largest operation runs, so the two do not add up.
  const auto steps = [&](std::int64_t passing) {
    return std::max(run.words.step, passing) * kWordBytes + run.batches * kBatchBytes;
  };
  // Dealt messages queue at the parties up to a limit, then at the dealer. A message beyond the limit is whole at both. The words
  // that an operation frees have its own message already.
  const auto dealt = [&](std::int64_t halves, std::int64_t queued, std::int64_t passing) {
    return std::max(halves * queued / 2, kHalvesOfDealt * run.most_dealt / 2 - passing * kWordBytes);
  };
  MemoryNeed need;
  const std::int64_t at_party =
      kCopiesOfData * run.shared * kWordBytes +
      std::max(run.normalising.at_once * kWordBytes,
               (run.normalising.left + run.words.kept) * kWordBytes + steps(run.words.passing)) +
      dealt(kHalvesOfDealt, std::min(net::kMaxEarlyBytes, run.dealt / parties), run.words.passing);
  // Blocks of predictions keep their own masks and lists of rows.
  const std::int64_t of_blocks = run.blocks > 1 ? run.shared + run.shared / 2 : 0;
  // At a dealer, and in the thread that makes correlations at a party without one.
  const std::int64_t masks = (run.words.kept / 2 + of_blocks) * kWordBytes + steps(run.words.passing / 2);
  const std::int64_t maker = run.maker > 0 ? masks + run.maker : 0;
  // Freed memory is kept, and the session uses it.
  need.party = kProgramBytes + links + std::max({run.before.links, run.before.account, at_party + maker});
  const std::int64_t kept = run.words.kept * kWordBytes, step = run.words.step * kWordBytes;
  need.party_on_device = {kept, kept + step};
  if (!dealer) return need;
  const std::int64_t at_dealer =
      masks + dealt(kHalvesAtDealer, std::min(mpc::SessionOptions().ahead_bytes, run.dealt), run.words.passing / 2);
  need.dealer = kDealerBytes + links + std::max(run.before.account, at_dealer);
  need.dealer_on_device = {kept / 2, kept / 2 + step};
  return need;
}

}  // namespace

NeededMemory MemoryNeed::here(int parties, bool all_here, bool is_party) const {
  const std::int64_t own = is_party ? party : dealer;
  const int ranks = parties + (dealer > 0 ? 1 : 0);
  return all_here ? NeededMemory{own, parties * party + dealer, ranks} : NeededMemory{own, own, 1};
}

MemoryNeed memory_need(const gnn::PlannedRun& run, int parties, bool dealer) {
  return need_of({.before = run.before,
                  .words = words_of(run),
                  .shared = run.sharing.work.words - run.normalising.all,
                  .normalising = run.normalising,
                  .batches = run.batches,
                  .blocks = std::max(run.measured_blocks, run.predicted_blocks),
                  .dealt = run.total.cost.dealt_bytes,
                  .most_dealt = run.most_dealt,
                  .maker = run.making.memory},
                 parties, dealer);
}

MemoryNeed memory_need(const gnn::PlannedPrediction& prediction, int parties, bool dealer) {
  const std::int64_t shared = prediction.sharing.work.words - prediction.normalising.all,
                     blocks = std::max<std::int64_t>(prediction.blocks, 1);
  return need_of({.before = prediction.before,
                  .words = {held_words(prediction.predicting.work) / blocks, 2 * (shared + prediction.normalising.left),
                            prediction.predicting.work.most_passing},
                  .shared = shared,
                  .normalising = prediction.normalising,
                  .batches = 0,
                  .blocks = blocks,
                  .dealt = prediction.total().cost.dealt_bytes,
                  .most_dealt = prediction.most_dealt,
                  .maker = prediction.memory_of_maker},
                 parties, dealer);
}

MemoryNeed memory_need(const Job& job, const gnn::DataAgreement& sizes) {
  constexpr std::int64_t kSteps = 500;
  const gnn::Plans plans = job;
  const int parties = static_cast<int>(job.parties);
  const auto openings = gnn::plan_of(job.training.openings, parties).value_or(net::AllReducePlan::unmeasured(parties));
  return memory_need(gnn::planned_run(plans.data, plans.training, sizes, {parties, 0, openings, kSteps}), parties,
                     job.helpers() > 0);
}

std::string_view memory_remedy(const gnn::DataPlan& data) {
  return may_be_sparse(data) && !data.sparse_graph() ? "set data.adjacency = \"sparse\" or a smaller training.batch"
                                                     : kSmallerBatch;
}

std::string lack_of_memory(const NeededMemory& need, const MemoryAtHand& have, std::string_view remedy) {
  const auto text = [](std::int64_t bytes) { return bytes_text(static_cast<double>(bytes)); };
  const auto lacking = [&](const std::string& who, std::int64_t needed, const std::string& limit, std::int64_t left) {
    return fmt::format("{} about {} of memory here, and {} leaves {}: {}, or take a machine with more memory", who,
                       text(needed), limit, text(left), remedy);
  };
  if (have.of_a_process >= 0 && need.rank > have.of_a_process) {
    return lacking("this rank needs", need.rank, "ulimit -v", have.of_a_process);
  }
  if (have.bytes < 0 || need.here <= have.bytes) return "";
  return lacking(need.ranks > 1 ? fmt::format("the job's {} ranks need", need.ranks) : "this rank needs", need.here,
                 have.limit, have.bytes);
}

}  // namespace tacit::launcher
