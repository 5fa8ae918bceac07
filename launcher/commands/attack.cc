#include "launcher/attack/attack_answer.h"
#include "launcher/commands/job_options.h"
#include "launcher/commands/verb.h"

namespace tacit::launcher {

namespace {

struct AttackOptions {
  JobOptions job;
  std::string data, model;
  int shadows = 32;
  std::int64_t pairs = 10'000;
  std::uint64_t seed = 1;
};

AttackedJob attacked(const AttackOptions& options, Choice& choice) {
  const ReadJob job = options.job.load();
  explain(options.job, job, choice);
  return attacked_job(job.job, options.job.file, options.job.overrides, options.data, options.model);
}

void add_common(CLI::App& verb, AttackOptions& options) {
  verb.add_option("JOB", options.job.file, "the job with the model to attack; the data.files of all ranks must be here")
      ->required();
  verb.add_option("--model", options.model,
                  "a rank's output folder, the folder of all ranks, or a model.npz; by default the job's output");
  verb.add_option("--data", options.data, "the whole data in one file, instead of the job's files");
  verb.add_option("--seed", options.seed, "the source of the attacker's random choices")
      ->capture_default_str()
      ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{1} << 40));
  add_job_options(verb, options.job);
}

}  // namespace

void add_attack(CLI::App& tacit, Choice& choice) {
  CLI::App* attack = add_group(tacit, "attack", "how much a revealed model tells of the records it was trained on",
                               "tacit attack membership census.toml");
  const auto options = std::make_shared<AttackOptions>();
  CLI::App* membership = add_verb(
      *attack, choice, "membership", "was a record trained on: by the model's fit, and by shadow models",
      "tacit attack membership census.toml --shadows 32\n  tacit attack membership census.toml --model "
      "runs/try/rank0/model.npz --data whole.npz",
      [options, &choice] {
        const AttackedJob job = attacked(*options, choice);
        return answer_of(job, gnn::attack_membership(job.rehearsal, job.model, options->shadows, options->seed));
      });
  add_common(*membership, *options);
  membership
      ->add_option("--shadows", options->shadows,
                   "models that the attacker trains by the job's recipe, in the clear; 0: none")
      ->capture_default_str()
      ->check(CLI::Range(0, 10'000));

  CLI::App* inversion =
      add_verb(*attack, choice, "inversion", "a record's value in one column, from all others and its label",
               "tacit attack inversion census.toml", [options, &choice] {
                 const AttackedJob job = attacked(*options, choice);
                 return answer_of(job, gnn::attack_inversion(job.rehearsal, job.model, options->seed));
               });
  add_common(*inversion, *options);

  CLI::App* links =
      add_verb(*attack, choice, "links", "which nodes have an edge, by how alike their predictions are",
               "tacit attack links papers.toml", [options, &choice] {
                 const AttackedJob job = attacked(*options, choice);
                 return answer_of(job, gnn::attack_links(job.rehearsal, job.model, options->pairs, options->seed));
               });
  add_common(*links, *options);
  links->add_option("--pairs", options->pairs, "at most so many pairs with an edge")
      ->capture_default_str()
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{10'000'000}));
}

}  // namespace tacit::launcher
