#include "launcher/report/run_account.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>

#include "launcher/job/job_agreement.h"
#include "launcher/job/read_job.h"
#include "launcher/untrusted_file.h"
#include "launcher/untrusted_text.h"
#include "net/error.h"
#include "net/printable.h"

namespace tacit::launcher {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostOfValue = 120;

// The rank of a folder that is named "rank" and a number; runs that were moved aside are "rank0.1".
std::optional<int> rank_of(const fs::path& folder) {
  const std::string name = folder.filename().string();
  if (!name.starts_with("rank")) return std::nullopt;
  int rank = -1;
  const auto [end, error] = std::from_chars(name.data() + 4, name.data() + name.size(), rank);
  const bool all = error == std::errc() && end == name.data() + name.size();
  return all && rank >= 0 && rank < kMostRanks ? std::optional(rank) : std::nullopt;
}

bool is_rank_folder(const fs::path& folder) {
  return fs::is_regular_file(folder / "events.jsonl") || fs::is_regular_file(folder / "summary.json");
}

std::vector<std::pair<int, fs::path>> rank_folders(const fs::path& folder) {
  std::vector<std::pair<int, fs::path>> folders;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::optional<int> rank = rank_of(entry.path());
    if (rank && is_rank_folder(entry.path())) folders.emplace_back(*rank, entry.path());
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

std::string text_of_file(const fs::path& path) {
  UntrustedFile in(path);
  if (!in) throw ConfigError(fmt::format("{}: {}", net::printable(path.string()), in.refusal()));
  std::string text(kMostDocumentBytes + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  return text;
}

// The comment at the end of a line, without the folders of a path.
std::string source_in(const std::string& line) {
  const std::size_t at = line.rfind("  # ");
  if (at == std::string::npos) return "";
  std::string source = line.substr(at + 4);
  if (source.starts_with('/')) source = source.substr(source.rfind('/') + 1);
  return shortened(source, kMostOfValue);
}

void read_job_of(const fs::path& folder, RunAccount& run) {
  if (!run.settings.empty() || !fs::is_regular_file(folder / "job.toml")) return;
  const std::string name = net::printable((folder.filename() / "job.toml").string());
  try {
    run.settings = settings_in(text_of_file(folder / "job.toml"), name);
  } catch (const Error& error) {
    run.complaints.push_back(fmt::format("{}; the settings in it were passed over", error.what()));
  }
}

int badness(const std::string& result) {
  return result == "failed" ? 3 : result == "interrupted" ? 2 : result == "running" ? 1 : 0;
}

bool differ(const std::string& a, const std::string& b) { return !a.empty() && !b.empty() && a != b; }

// How an account differs from every account of the first rank's run; "": both may be from one run.
std::string stranger(const RankAccount& first, const RankAccount& account) {
  if (first.parties > 0 && account.parties > 0 && first.parties != account.parties) {
    return fmt::format("a run of {} parties", account.parties);
  }
  // A job's digest may change between sessions, with settings that reveal the model. The training's digest does not.
  const bool trainings = !first.training_digest.empty() && !account.training_digest.empty();
  const bool other = trainings ? first.training_digest != account.training_digest
                               : differ(first.job_digest, account.job_digest) || differ(first.name, account.name);
  if (other) return "another job";
  const int parties = first.parties;
  const char* role = parties > 0 && account.rank == parties ? "dealer" : "party";
  return parties > 0 && differ(account.role, role) ? fmt::format("another rank, a {}", account.role) : "";
}

// A folder put together by hand may hold ranks of two runs. Numbers over both runs would be wrong.
void leave_out_strangers(RunAccount& run) {
  const RankAccount first = run.ranks.front();
  std::erase_if(run.ranks, [&](const RankAccount& account) {
    const std::string what = account.rank == first.rank ? "" : stranger(first, account);
    if (what.empty()) return false;
    run.strangers.push_back(
        fmt::format("rank {}: the account is of {}, not of the run of rank {}, and is left out: the folder is not one "
                    "run's",
                    account.rank, what, first.rank));
    return true;
  });
  run.complaints.insert(run.complaints.end(), run.strangers.begin(), run.strangers.end());
}

bool has_losses(const RankAccount& account) {
  return std::any_of(account.epochs.begin(), account.epochs.end(),
                     [](const auto& epoch) { return epoch.second.loss || !epoch.second.readings.empty(); });
}

}  // namespace

int RunAccount::parties() const {
  for (const RankAccount& account : ranks) {
    if (account.parties > 0) return account.parties;
  }
  return 0;
}

std::string RunAccount::name() const {
  for (const RankAccount& account : ranks) {
    if (!account.name.empty()) return account.name;
  }
  return label;
}

std::string RunAccount::result() const {
  std::string worst = "finished";
  for (const RankAccount& account : ranks) {
    const std::string its = result_of(account);
    if (badness(its) > badness(worst)) worst = its;
  }
  return worst;
}

std::string RunAccount::setting(const std::string& key) const {
  for (const ToldSetting& one : settings) {
    if (one.key == key) return one.value;
  }
  return "";
}

std::string RunAccount::correlations() const {
  const std::string quoted = setting("correlations");
  return quoted.size() < 2 ? "" : quoted.substr(1, quoted.size() - 2);
}

bool RunAccount::is_pairwise() const { return correlations().starts_with("pairwise"); }

const RankAccount* RunAccount::rank(int number) const {
  const auto found =
      std::find_if(ranks.begin(), ranks.end(), [&](const RankAccount& account) { return account.rank == number; });
  return found == ranks.end() ? nullptr : &*found;
}

const RankAccount& RunAccount::teller() const {
  const auto found = std::find_if(ranks.begin(), ranks.end(), has_losses);
  return found == ranks.end() ? ranks.front() : *found;
}

bool holds_a_run(const fs::path& folder) {
  return fs::is_directory(folder) && (is_rank_folder(folder) || !rank_folders(folder).empty());
}

RunAccount read_run(const fs::path& folder) {
  if (!fs::is_directory(folder)) {
    throw ConfigError(
        fmt::format("{} is no folder; name the output folder of a run, or of a rank", net::printable(folder.string())));
  }
  RunAccount run;
  run.folder = net::printable(folder.string());
  std::vector<std::pair<int, fs::path>> folders = rank_folders(folder);
  if (is_rank_folder(folder)) folders = {{rank_of(fs::absolute(folder).lexically_normal()).value_or(0), folder}};
  if (folders.empty()) {
    throw ConfigError(
        fmt::format("{} holds no run: neither rank0/events.jsonl, or another rank's, nor events.jsonl "
                    "itself; name the folder that --output named",
                    net::printable(folder.string())));
  }
  for (const auto& [rank, path] : folders) {
    run.ranks.push_back(read_rank(path, rank));
    for (const std::string& complaint : run.ranks.back().complaints) run.complaints.push_back(complaint);
  }
  read_job_of(folders.front().second, run);
  // Leave out the ranks of an earlier run with more parties, or with a dealer.
  const int parties = run.parties(), ranks = parties + (run.is_pairwise() ? 0 : 1);
  std::erase_if(run.ranks, [&](const RankAccount& account) { return parties > 0 && account.rank >= ranks; });
  leave_out_strangers(run);
  for (const auto& [rank, path] : folders) {
    if (rank != folders.front().first && run.rank(rank) != nullptr) read_job_of(path, run);
  }
  if (fs::is_regular_file(folder / "plain" / "events.jsonl")) {
    run.plain = read_rank(folder / "plain", 0);
    for (const std::string& complaint : run.plain->complaints) run.complaints.push_back(complaint);
  }
  run.keys_in_one_place = fs::exists(folder / "keys" / "rank0.key") && fs::exists(folder / "keys" / "rank1.key");
  return run;
}

std::vector<ToldSetting> settings_in(const std::string& resolved_job, const std::string& name) {
  const ReadJob read = read_job(parse_document(resolved_job, name));
  std::vector<std::string> lines;
  std::istringstream in(resolved_job);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  std::vector<std::pair<int, ToldSetting>> placed;
  const net::Agreement agreement = agreement_of(read.job);
  for (const auto& [key, value] : agreement.pairs()) {
    const int line = read.sources.of(key).line;
    const bool known = line > 0 && static_cast<std::size_t>(line) <= lines.size();
    placed.push_back({line,
                      {key, shortened(value, kMostOfValue),
                       known ? source_in(lines[static_cast<std::size_t>(line) - 1]) : "default"}});
  }
  std::stable_sort(placed.begin(), placed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<ToldSetting> settings;
  for (auto& [line, setting] : placed) settings.push_back(std::move(setting));
  return settings;
}

}  // namespace tacit::launcher
