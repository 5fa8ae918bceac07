#include <fmt/format.h>

#include "gnn/privacy/privacy_ledger.h"
#include "launcher/commands/verb.h"
#include "launcher/privacy/account_question.h"
#include "launcher/privacy/ledger_summary.h"

namespace tacit::launcher {

namespace {

struct LedgerOptions {
  std::string file;
  std::optional<double> delta;
  gnn::Budget budget;
};

struct AccountOptions {
  AccountQuestion question;
  std::string rate, noise_from = "both";
};

const auto kDeltaRange = number_below(gnn::kLeastDelta, 1);

Answer show_ledger(const LedgerOptions& options) {
  const gnn::LedgerContent content = gnn::PrivacyLedger::read(options.file);
  const double usual = content.allowed ? content.allowed->delta : gnn::kUsualDelta;
  const LedgerSummary summary = summarise(content, options.delta.value_or(usual));
  Answer answer{fmt::format("{}: {}", options.file, to_text(summary)), to_json(summary)};
  answer.json["file"] = options.file;
  return answer;
}

Answer allow(const LedgerOptions& options) {
  gnn::PrivacyLedger ledger(options.file);
  ledger.allow(options.budget);
  const double delta = options.budget.delta;
  const double spent = gnn::epsilon_of(ledger.content().charged_at_most(delta), delta).told();
  Answer answer;
  answer.text = fmt::format("{} allows epsilon {:g} (delta {:g}); {} is spent{}\n", options.file,
                            options.budget.epsilon, delta, gnn::epsilon_text(spent, options.budget.epsilon),
                            spent > options.budget.epsilon ? ", so further jobs are refused" : "");
  answer.json = {{"file", options.file}, {"epsilon", options.budget.epsilon}, {"delta", delta}, {"spent", spent}};
  return answer;
}

Answer end(const LedgerOptions& options) {
  gnn::PrivacyLedger::read(options.file);  // `end` makes no new ledger
  gnn::PrivacyLedger ledger(options.file);
  const std::optional<std::size_t> open = ledger.content().open;
  if (!open)
    return {fmt::format("{}: no reservation is open\n", options.file), {{"file", options.file}, {"job", nullptr}}};
  const std::string job = ledger.content().sessions[*open].job;
  ledger.ended();
  return {fmt::format("{}: the reservation of job {} has ended; steps in revealed values stay charged\n", options.file,
                      job.substr(0, 8)),
          {{"file", options.file}, {"job", job}}};
}

Answer account(AccountOptions& options) {
  options.question.rate = rate_of(options.rate);
  for (const auto& [source, word] : gnn::kNoiseSources) {
    if (options.noise_from == word) options.question.noise_from = source;
  }
  return answer_of(options.question);
}

void add_account(CLI::App& privacy, Choice& choice) {
  const auto options = std::make_shared<AccountOptions>();
  CLI::App* verb = add_verb(
      privacy, choice, "account", "the epsilon of a training, or the noise or the number of steps for an epsilon",
      "tacit privacy account --noise 0.9 --rate 256/980000 --steps 38280 --delta 1e-6\n"
      "  tacit privacy account --epsilon 1 --rate 256/980000 --steps 38280 --delta 1e-6 --parties 2",
      [options] { return account(*options); });
  AccountQuestion& question = options->question;
  verb->add_option("--noise", question.noise, "standard deviation of the noise, divided by the clipping norm")
      ->check(number_between(gnn::kLeastNoise, gnn::kMostNoise));
  verb->add_option("--rate", options->rate, "probability that a record takes part in a step: 0.01, or BATCH/ROWS")
      ->required();
  verb->add_option("--steps", question.steps, "of the training")->check(CLI::Range(std::int64_t{1}, gnn::kMostSteps));
  verb->add_option("--delta", question.delta, "less than one divided by the number of rows")
      ->required()
      ->check(kDeltaRange);
  verb->add_option("--epsilon", question.epsilon, "solve for the noise or for the number of steps")
      ->check(number_between(1e-4, 1e6));
  verb->add_option("--parties", question.parties, "show the epsilon of each adversary of a job with so many parties")
      ->check(CLI::Range(1, 1'000'000));
  verb->add_option("--colluding", question.colluding,
                   "number of parties that pool their views; by default all but one");
  CLI::Option* const from = verb->add_option("--noise-from", options->noise_from,
                                             "source of the noise: both (dealer and parties), parties, dealt");
  from->capture_default_str()->check(CLI::IsMember({"both", "parties", "dealt"}));
  verb->add_flag("!--no-dealer", question.dealer, "of a job without a dealer: all noise is from the parties")
      ->excludes(from);
}

}  // namespace

void add_privacy(CLI::App& tacit, Choice& choice) {
  CLI::App* privacy = add_group(tacit, "privacy", "differential privacy: ledgers of a party's data, and the accountant",
                                "tacit privacy show privacy/0");
  const auto options = std::make_shared<LedgerOptions>();
  CLI::App* show = add_verb(*privacy, choice, "show", "how much privacy the jobs on a party's data have spent",
                            "tacit privacy show privacy/0", [options] { return show_ledger(*options); });
  show->add_option("LEDGER", options->file, "the ledger of the data")->required();
  show->add_option("--delta", options->delta,
                   "the probability that the bound fails; by default the budget's delta, or 1e-06")
      ->check(kDeltaRange);

  CLI::App* budget =
      add_verb(*privacy, choice, "allow",
               "set the budget of all jobs on a party's data; makes the ledger if "
               "it does not exist",
               "tacit privacy allow privacy/0 --epsilon 2 --delta 1e-6", [options] { return allow(*options); });
  budget->add_option("LEDGER", options->file, "the ledger of the data")->required();
  budget->add_option("--epsilon", options->budget.epsilon, "for all jobs together")
      ->required()
      ->check(number_between(0, 1e6));
  budget->add_option("--delta", options->budget.delta, "less than one divided by the number of rows")
      ->required()
      ->check(kDeltaRange);

  CLI::App* over = add_verb(*privacy, choice, "end", "end the reservation of a job that will not be resumed",
                            "tacit privacy end privacy/0", [options] { return end(*options); });
  over->add_option("LEDGER", options->file, "the ledger of the data")->required();
  add_account(*privacy, choice);
}

}  // namespace tacit::launcher
