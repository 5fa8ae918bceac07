#include "launcher/job/load_job.h"

#include <fmt/format.h>

#include "launcher/job/check_job.h"
#include "net/rendezvous/roster.h"

namespace tacit::launcher {

namespace {

namespace fs = std::filesystem;

class Paths {
 public:
  Paths(const fs::path& file, const JobSources& sources)
      : folder_(fs::absolute(file).parent_path()), sources_(sources) {}

  void make_absolute(std::string_view setting, std::string& path) const {
    if (path.empty()) return;
    path = (base_of(setting) / path).lexically_normal().string();
  }

  void make_absolute(std::string_view setting, RankFiles& files) const {
    if (fs::path(files.pattern).is_relative() && !files.pattern.empty()) expect_no_rank_in(base_of(setting));
    make_absolute(setting, files.pattern);
    for (std::string& path : files.each) make_absolute(setting, path);
  }

 private:
  fs::path base_of(std::string_view setting) const {
    return sources_.of(setting).kind == Source::Kind::kFile ? folder_ : fs::current_path();
  }

  fs::path folder_;
  const JobSources& sources_;
};

void complete_from_roster(ReadJob& read) {
  Job& job = read.job;
  if (job.roster.empty()) return;
  const net::Roster roster = net::Roster::load(job.roster);
  if (job.parties > 0 && job.parties != roster.parties()) {
    read.sources.wrong("parties", fmt::format("{} parties, but the roster {} has {}; take one of the two out",
                                              job.parties, job.roster, roster.parties()));
  }
  if (roster.size() != roster.parties() + job.helpers()) {
    read.sources.wrong(
        "roster",
        job.helpers() == 0
            ? fmt::format("{} has a dealer, and correlations = \"{}\" has no use for it: take it out of the "
                          "roster",
                          job.roster, word_of(job.training.correlations))
            : fmt::format("{} has {} dealers; correlations = \"dealer\" needs one: add it to the roster, or take "
                          "correlations = \"pairwise\"",
                          job.roster, roster.size() - roster.parties()));
  }
  if (job.parties > 0) return;
  job.parties = roster.parties();
  read.sources.set("parties", {Source::Kind::kFile, job.roster});
}

}  // namespace

ReadJob load_job(const fs::path& file, const std::vector<std::string>& overrides) {
  DocumentValue document = load_document(file);
  for (const std::string& text : overrides) apply(document, parse_override(text, kOverrideFlag));
  ReadJob read = read_job(document);
  const Paths paths(file, read.sources);
  paths.make_absolute("roster", read.job.roster);
  paths.make_absolute("output", read.job.output);
  paths.make_absolute("data.files", read.job.files);
  paths.make_absolute("predict.files", read.job.predict_files);
  paths.make_absolute("predict.nodes", read.job.predict_nodes);
  paths.make_absolute("serve.socket", read.job.service.socket);
  paths.make_absolute("serve.folder", read.job.service.folder);
  paths.make_absolute("privacy.ledger", read.job.ledger);
  paths.make_absolute("keys.identity", read.job.keys.identity);
  paths.make_absolute("keys.storage", read.job.keys.storage);
  complete_from_roster(read);
  check(read.job, read.sources);
  return read;
}

}  // namespace tacit::launcher
