#include <fmt/format.h>

#include <cstdlib>

#include "launcher/commands/job_options.h"
#include "launcher/commands/verb.h"
#include "launcher/data/contents.h"
#include "launcher/data/findings.h"
#include "launcher/data/own_part.h"
#include "launcher/data/read_part.h"
#include "launcher/settings/seat.h"
#include "net/printable.h"

namespace tacit::launcher {

namespace {

struct CheckOptions {
  JobOptions job;
  std::string file;
  std::optional<int> rank;
};

Sourced<int> rank_of(const CheckOptions& options, const Job& job) {
  const Sourced<int> rank = find_rank({.rank = options.rank}, [](const char* name) { return std::getenv(name); });
  if (rank.value >= 0 && rank.value < job.parties) return rank;
  throw ConfigError(fmt::format("this is rank {} ({}); expected a party's, {}{}", rank.value, rank.source.text(),
                                job.parties == 1 ? "0" : fmt::format("0 ... {}", job.parties - 1),
                                rank.value == job.parties && job.helpers() > 0 ? ": the dealer has no data" : ""));
}

std::string file_of(const CheckOptions& options, const Job& job, int rank) {
  if (!options.file.empty()) return options.file;
  const std::string file = part_file(job, rank);
  if (file.empty()) throw ConfigError("no file is named, and the job has no data.files; name the file to check");
  return file;
}

Answer check_file(const CheckOptions& options, Choice& choice) {
  const ReadJob job = options.job.load();
  explain(options.job, job, choice);
  const Sourced<int> rank = rank_of(options, job.job);
  std::string file = file_of(options, job.job, rank.value);
  const bool to_be_aligned = options.file.empty() && is_to_be_aligned(job.job, file);
  if (to_be_aligned) file = job.job.files.of(rank.value);
  std::vector<std::string> ignored;
  const gnn::GraphData part = read_part(job.job, rank.value, file, &ignored);
  Findings found = findings(part, job.job, rank.value, file);
  for (const std::string& name : ignored) {
    constexpr std::size_t kMostNotes = 50;
    if (found.notes.size() < kMostNotes) {
      found.notes.push_back(fmt::format("\"{}\" is not part of a graph, and ignored", net::printable(name, 60)));
    }
  }
  if (to_be_aligned) found.notes.push_back(fmt::format("the file is not aligned: {}", kAlignFirst));
  if (job.job.is_pairwise())
    found.notes.push_back(fmt::format("trust: {}", trust_without_dealer(word_of(job.job.training.correlations))));
  Answer answer;
  answer.exit = found.wrong.empty() ? Exit::kOk : Exit::kConfig;
  answer.text = fmt::format("{}, rank {} ({}) of \"{}\": {}\n", file, rank.value, rank.source.text(), job.job.name,
                            contents(part));
  for (const std::string& what : found.wrong) answer.text += fmt::format("  wrong: {}\n", what);
  for (const std::string& what : found.notes) answer.text += fmt::format("  note: {}\n", what);
  answer.text += found.wrong.empty()
                     ? "the file fits the job; the ranks check that the others' files fit when they meet\n"
                     : fmt::format("{} to mend\n", found.wrong.size());
  answer.json = {{"file", file},         {"rank", rank.value},   {"ok", found.wrong.empty()},
                 {"wrong", found.wrong}, {"notes", found.notes}, {"contents", contents_json(part)}};
  return answer;
}

}  // namespace

void add_data_check(CLI::App& data, Choice& choice) {
  const auto options = std::make_shared<CheckOptions>();
  CLI::App* verb = add_verb(data, choice, "check", "check that a party's file fits the job",
                            "tacit data check sensors.toml rank0.npz --rank 0",
                            [options, &choice] { return check_file(*options, choice); });
  verb->add_option("JOB", options->job.file, "the job")->required();
  verb->add_option("FILE", options->file, "the party's file; otherwise the one in the job's data.files");
  verb->add_option("--rank", options->rank, "the rank that the file belongs to; otherwise from RANK or the scheduler");
  add_job_options(*verb, options->job);
}

}  // namespace tacit::launcher
