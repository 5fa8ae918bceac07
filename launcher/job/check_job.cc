#include "launcher/job/check_job.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "gnn/train/prediction_agreement.h"
#include "net/error.h"
#include "net/rendezvous/endpoint.h"

namespace tacit::launcher {

namespace {

class Check {
 public:
  Check(const Job& job, const JobSources& sources) : job_(job), sources_(sources) {}

  void all() const {
    parties();
    files("data.files", job_.files, job_.parties);
    files("predict.files", job_.predict_files, job_.parties);
    files("serve.socket", job_.service.socket, job_.parties);
    files("serve.folder", job_.service.folder, job_.parties);
    files("privacy.ledger", job_.ledger, job_.parties);
    service();
    files("keys.identity", job_.keys.identity, job_.ranks());
    files("keys.storage", job_.keys.storage, job_.ranks());
    try {
      gnn::check(job_, static_cast<int>(job_.parties));
    } catch (const gnn::SettingError& error) {
      sources_.wrong(error.path(), error.problem());
    }
    correlations();
    nodes();
    predicted_rows();
    targets();
  }

 private:
  template <typename... Arguments>
  [[noreturn]] void wrong(std::string_view path, fmt::format_string<Arguments...> what,
                          Arguments&&... arguments) const {
    sources_.wrong(path, fmt::format(what, std::forward<Arguments>(arguments)...));
  }

  void correlations() const {
    const bool none = job_.training.correlations == Job::Correlations::kNone;
    if (none && !job_.training.aggregates()) {
      wrong("correlations",
            "a training on shares needs a source of correlated randomness; take \"dealer\" or \"pairwise\"");
    }
    if (!none && job_.training.aggregates()) {
      wrong("correlations",
            "in the mode \"aggregate\" nothing is computed on shares, and correlations would have no use; take "
            "\"none\"");
    }
  }

  void parties() const {
    if (job_.parties == 0) wrong("parties", "it is missing; expected the number of parties, or roster = \"FILE\"");
    if (job_.master.empty()) return;
    try {
      net::Endpoint::parse(job_.master);
    } catch (const ConfigError& error) {
      wrong("master", "{}", error.what());
    }
  }

  // HTTP requests and answers have no encryption, so the address must be on the loopback.
  void service() const {
    constexpr const char* kExpected = "expected an address of this machine's loopback, as 127.0.0.1:8080";
    if (job_.service.http.empty()) return;
    net::Endpoint where;
    try {
      where = net::Endpoint::parse(job_.service.http);
    } catch (const ConfigError& error) {
      wrong("serve.http", "{}; {}", error.what(), kExpected);
    }
    if (where.host == "127.0.0.1" || where.host == "::1") return;
    wrong("serve.http", "{} is not the loopback; {}", where.host, kExpected);
  }

  void nodes() const {
    if (job_.join != Job::Join::kIntersection || !gnn::splits_nodes(job_.data.ownership)) return;
    wrong("data.join",
          "the job splits nodes by rows, so that each node has one owner, and no node is in two files; take join out");
  }

  void predicted_rows() const {
    const std::vector<std::int64_t>& rows = job_.predict_rows;
    if (rows.empty()) return;
    if (!gnn::splits_nodes(gnn::ownership_of_prediction(job_.data.ownership))) {
      wrong("predict.rows", "the job splits neither features nor edges by nodes; take it out");
    }
    if (std::ssize(rows) != job_.parties) {
      wrong("predict.rows", "{} numbers for {} parties; give one for each", rows.size(), job_.parties);
    }
    if (std::all_of(rows.begin(), rows.end(), [](std::int64_t count) { return count == 0; })) {
      wrong("predict.rows", "no rank has a node to predict");
    }
  }

  // A user of the library may leave the default. A job that names the setting expects an effect.
  void targets() const {
    if (!job_.data.standardise_targets || job_.data.classes == 0) return;
    wrong("preprocessing.targets", "classes are not standardised; take it out, or say \"none\"");
  }

  void files(std::string_view path, const RankFiles& files, std::int64_t ranks) const {
    if (files.each.empty() || std::ssize(files.each) == ranks) return;
    wrong(path, "{} files for {} ranks; name one for each, or one path with {{rank}} in it", files.each.size(), ranks);
  }

  const Job& job_;
  const JobSources& sources_;
};

}  // namespace

void check(const Job& job, const JobSources& sources) { Check(job, sources).all(); }

void expect_named(const Job& job, const JobSources& sources) {
  std::vector<std::string_view> unnamed;
  std::vector<std::string_view> needed = {"correlations", "preprocessing.features"};
  if (job.data.classes == 0) needed.push_back("preprocessing.targets");
  std::copy_if(needed.begin(), needed.end(), std::back_inserter(unnamed),
               [&](std::string_view path) { return sources.is_default(path); });
  if (unnamed.empty()) return;
  throw ConfigError(
      fmt::format("{}: the job does not say {}, and a job for ranks on different machines must: all owners "
                  "should know how their data are used and which ranks they trust",
                  job.name, fmt::join(unnamed, ", ")));
}

}  // namespace tacit::launcher
