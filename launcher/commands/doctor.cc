#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "gnn/privacy/privacy_ledger.h"
#include "gnn/run/bounded_leakage.h"
#include "launcher/commands/rank_options.h"
#include "launcher/commands/verb.h"
#include "launcher/data/findings.h"
#include "launcher/data/own_part.h"
#include "launcher/data/read_part.h"
#include "launcher/doctor/card.h"
#include "launcher/doctor/machine.h"
#include "launcher/doctor/peers.h"
#include "launcher/plan/memory_need.h"
#include "launcher/plan/planned_data.h"
#include "launcher/processes/console.h"
#include "launcher/run/member.h"
#include "launcher/run/output_folder.h"
#include "launcher/settings/threads.h"

namespace tacit::launcher {

namespace {

using Kind = Finding::Kind;

struct DoctorOptions {
  RankOptions rank;
  bool alone = false;
};

// One line for each finding, then the number of problems, or `if_well` if there are none.
Answer told(const std::vector<Finding>& findings, const std::vector<PeerReport>& peers, Exit if_wrong,
            const char* if_well) {
  const auto is_wrong = [](const Finding& finding) { return finding.kind == Kind::kWrong; };
  const auto wrong = std::count_if(findings.begin(), findings.end(), is_wrong);
  Answer answer;
  answer.text = text_of(findings) + (wrong > 0 ? fmt::format("{} to mend\n", wrong) : if_well);
  answer.exit = wrong == 0 ? Exit::kOk : if_wrong;
  answer.json = {{"ok", wrong == 0}, {"findings", Json::array()}, {"peers", Json::array()}};
  if (wrong > 0) {
    const auto first = std::find_if(findings.begin(), findings.end(), is_wrong);
    answer.json["error"] = fmt::format("{}: {}", first->what, first->text);
    answer.json["exit_code"] = static_cast<int>(answer.exit);
  }
  for (const Finding& finding : findings) {
    const char* kind = finding.kind == Kind::kOk ? "ok" : finding.kind == Kind::kNote ? "note" : "wrong";
    answer.json["findings"].push_back({{"kind", kind}, {"what", finding.what}, {"text", finding.text}});
  }
  for (const PeerReport& peer : peers) {
    answer.json["peers"].push_back({{"rank", peer.rank},
                                    {"round_trip", peer.round_trip},
                                    {"sends", peer.sends},
                                    {"receives", peer.receives},
                                    {"clock_ahead", peer.clock_ahead},
                                    {"about", peer.about}});
  }
  return answer;
}

const char* variable_of_user(const char* name) { return std::getenv(name); }

Finding examine_threads(int flag, int ranks_here) {
  try {
    const Sourced<int> threads = find_threads(flag, variable_of_user, ranks_here);
    return {Kind::kOk, "threads", fmt::format("a rank here computes on {} ({})", threads.value, threads.source.text())};
  } catch (const ConfigError& error) {
    return {Kind::kWrong, "threads", error.what()};
  }
}

Finding examine_card(const std::string& flag, int place) {
  try {
    return examine_card(find_device_choice(flag, variable_of_user), place);
  } catch (const ConfigError& error) {
    return {Kind::kWrong, "GPU", error.what()};
  }
}

// Checks this machine, which needs no job.
Answer examine_without_job(const RankOptions& options) {
  constexpr int kRanks = 2;  // the smallest job
  std::vector<Finding> findings;
  if (!options.output.empty()) findings.push_back(examine_folder(options.output));
  findings.push_back(examine_memory(std::nullopt));
  findings.push_back(examine_threads(options.threads, 1));
  const std::vector<Finding> machine = examine_machine(kRanks);
  findings.insert(findings.end(), machine.begin(), machine.end());
  findings.push_back(examine_card(options.device, 0));
  return told(findings, {}, Exit::kConfig,
              "all is well on this machine; `tacit doctor JOB` checks a job's key, data and links, too\n");
}

class Doctor {
 public:
  explicit Doctor(const DoctorOptions& options) : options_(options), job_(job_of(options.rank)) {}

  Answer answer(Choice& choice) {
    explain_seat(options_.rank, job_, choice);
    add(Kind::kOk, "job",
        fmt::format("{}: {} parties and {} dealer", job_.job.name, job_.job.parties,
                    job_.job.helpers() > 0 ? "a" : "no"));
    if (job_.job.is_pairwise())
      add(Kind::kNote, "trust", trust_without_dealer(word_of(job_.job.training.correlations)));
    find_self();
    if (const std::optional<int> rank = own_rank()) {
      if (*rank < job_.job.parties) add_data(*rank);
      if (*rank < job_.job.parties && !job_.job.ledger.empty()) add_ledger(job_.job.ledger.of(*rank));
      findings_.push_back(examine_folder(OutputFolder(job_.job.output, *rank).path()));
    }
    findings_.push_back(examine_memory(needed_memory(), memory_remedy(job_.job.data)));
    if (job_.job.is_pairwise()) add_leakage();
    findings_.push_back(examine_threads(options_.rank.threads, ranks_here()));
    const std::vector<Finding> machine = examine_machine(static_cast<int>(job_.job.ranks()));
    findings_.insert(findings_.end(), machine.begin(), machine.end());
    findings_.push_back(examine_card(options_.rank.device, ranks_here() > 1 ? own_rank().value_or(0) : 0));
    if (member_ && !options_.alone) meet();
    return told(
        findings_, peers_, exit_,
        options_.alone ? "all is well here; without --alone, doctor checks the other ranks, too\n" : "all is well\n");
  }

 private:
  void add(Kind kind, std::string what, std::string text) {
    findings_.push_back({kind, std::move(what), std::move(text)});
  }

  // A doctor that examines this machine alone needs no address.
  const char* variable(const char* name) const {
    const char* value = std::getenv(name);
    const bool nowhere = (value == nullptr || *value == '\0') && job_.job.master.empty();
    return options_.alone && nowhere && std::string_view(name) == "MASTER_ADDR" ? "localhost" : value;
  }

  void find_self() {
    try {
      member_.emplace(find_member(job_, options_.rank.seat, [this](const char* name) { return variable(name); }));
    } catch (const ConfigError& error) {
      return add(Kind::kWrong, "seat and key", error.what());
    }
    const Seat& seat = member_->seat;
    std::string where;
    if (!options_.alone) {
      where = fmt::format("; rank 0 listens at {}:{} ({})", seat.master_host.value, seat.master_port.value,
                          seat.master_host.source.text());
    }
    add(Kind::kOk, "seat",
        fmt::format("rank {} of {} ({}), a {}{}", member_->rank(), seat.world_size.value, seat.rank.source.text(),
                    net::name(member_->world.role()), where));
    add(Kind::kOk, "key", fmt::format("{}, as in the roster", member_->identity.fingerprint().text()));
  }

  // The rank, even for a user without a key.
  std::optional<int> own_rank() const {
    if (member_) return member_->rank();
    try {
      const int rank = find_rank(options_.rank.seat, [this](const char* name) { return variable(name); }).value;
      return rank >= 0 && rank < job_.job.ranks() ? std::optional(rank) : std::nullopt;
    } catch (const ConfigError&) {
      return std::nullopt;
    }
  }

  void add_data(int rank) {
    const std::string file = part_file(job_.job, rank);
    if (file.empty()) return add(Kind::kWrong, "data", "the job names no file: say --data, or data.files in the job");
    if (is_to_be_aligned(job_.job, file)) {
      return add(Kind::kWrong, "data", fmt::format("{} is not there: {}", file, kAlignFirst));
    }
    try {
      const Findings found = findings(read_part(job_.job, rank, file, nullptr), job_.job, rank, file);
      if (found.wrong.empty()) return add(Kind::kOk, "data", fmt::format("{} is what the job says", file));
      add(Kind::kWrong, "data",
          fmt::format("{}; {} in all: `tacit data check` lists them", found.wrong.front(), found.wrong.size()));
    } catch (const ConfigError& error) {
      add(Kind::kWrong, "data", error.what());
    }
  }

  void add_ledger(const std::string& file) {
    if (!std::filesystem::exists(std::filesystem::symlink_status(file))) {
      return add(Kind::kNote, "ledger",
                 fmt::format(
                     "{} is not there: the job makes it, with no budget and nothing spent; if these data have a ledger "
                     "elsewhere, name that one",
                     file));
    }
    try {
      const gnn::LedgerContent content = gnn::PrivacyLedger::read(file);
      if (::access(file.c_str(), W_OK) != 0) {
        return add(Kind::kWrong, "ledger", fmt::format("{} cannot be written: let this user write there", file));
      }
      const double delta = content.allowed ? content.allowed->delta : gnn::kUsualDelta;
      const double spent = gnn::epsilon_of(content.charged_at_most(delta), delta).told();
      const std::string of =
          content.allowed ? fmt::format(" of {:g}", content.allowed->epsilon) : ", and has no budget";
      add(Kind::kOk, "ledger",
          fmt::format("{}: epsilon {} is spent{} (delta {:g})", file, gnn::epsilon_text(spent), of, delta));
    } catch (const ConfigError& error) {
      add(Kind::kWrong, "ledger", error.what());
    }
  }

  // Planned from the parts of the data on this machine. nullopt if they cannot be read.
  std::optional<NeededMemory> needed_memory() const {
    const std::optional<int> rank = own_rank();
    const bool party = rank.value_or(0) < job_.job.parties;
    try {
      const MemoryNeed need = memory_need(job_.job, data_for_memory(job_.job, rank.value_or(0)).agreement);
      const int parties = static_cast<int>(job_.job.parties);
      return need.here(parties, ranks_here() > 1, party);
    } catch (const Error&) {
      return std::nullopt;  // add_data() reports the error
    }
  }

  void add_leakage() {
    const gnn::Plans plans = job_.job;
    try {
      const gnn::DataAgreement sizes = data_for_memory(job_.job, own_rank().value_or(0)).agreement;
      const int parties = static_cast<int>(job_.job.parties);
      const std::int64_t leakage = gnn::planned_leakage(plans.data, plans.training, sizes, parties);
      const std::string excess = gnn::excess_leakage(plans.data, plans.training, sizes, parties, leakage);
      if (!excess.empty()) return add(Kind::kWrong, "leakage", excess);
      add(Kind::kOk, "leakage",
          fmt::format("lattice answers tell at most {} about a party's masks in {} epochs", gnn::leakage_text(leakage),
                      plans.training.epochs));
    } catch (const Error&) {  // add_data() reports it
    }
  }

  // Rank 0's host if a flag, the environment or the job names it; "" otherwise, as --alone allows.
  std::string master_host() const {
    if (options_.rank.seat.master) return net::Endpoint::parse(*options_.rank.seat.master).host;
    const char* value = std::getenv("MASTER_ADDR");
    if (value != nullptr && *value != '\0') return value;
    return job_.job.master.empty() ? "" : net::Endpoint::parse(job_.job.master).host;
  }

  // The number of the job's ranks on this machine: all if rank 0 has a loopback address, otherwise 1.
  int ranks_here() const {
    try {
      return is_this_machine(master_host()) ? static_cast<int>(job_.job.ranks()) : 1;
    } catch (const ConfigError&) {
      return 1;  // find_self() reports the error
    }
  }

  void meet() {
    std::vector<int> missing;
    try {
      const auto deadline = std::chrono::milliseconds(std::llround(1e3 * options_.rank.deadline));
      examine("doctor", deadline, &missing);
    } catch (const Error& error) {
      exit_ = error.exit();
      add(Kind::kWrong, "others", error.what());
      if (error.exit() == Exit::kNet) meet_those_who_came(missing);
    }
  }

  void examine(const std::string& command, std::chrono::milliseconds deadline, std::vector<int>* missing) {
    net::RendezvousOptions rendezvous;
    rendezvous.deadline = deadline;
    if (missing != nullptr) rendezvous.missing = [missing](const std::vector<int>& ranks) { *missing = ranks; };
    Console console(STDERR_FILENO);
    if (!options_.rank.quiet) {
      rendezvous.log = [&console](const std::string& line) {
        if (!console.full()) console.say(line);
        console.flush(std::chrono::milliseconds(0));
      };
    }
    const std::string about = fmt::format("tacit {}, {}", TACIT_VERSION, machine_in_words());
    const std::unique_ptr<net::Mesh> mesh = join(*member_, job_.job, command, std::nullopt, rendezvous);
    peers_ = examine_peers(*mesh, about);
    mesh->close();
    for (PeerReport& peer : peers_) name_as_in_job(peer);
    const std::vector<Finding> peers = findings_of(peers_, about);
    findings_.insert(findings_.end(), peers.begin(), peers.end());
  }

  // Measures between the ranks that came. This needs rank 0, which introduces the ranks to each
  // other. The ranks that came form a roster of their own, in the same order.
  void meet_those_who_came(const std::vector<int>& missing) {
    constexpr std::chrono::seconds kAgain{10};
    constexpr std::chrono::milliseconds kPause{300};
    if (missing.empty()) return;
    std::vector<net::RosterEntry> came;
    int own = -1;
    for (int rank = 0; rank < member_->roster.size(); ++rank) {
      if (std::find(missing.begin(), missing.end(), rank) != missing.end()) {
        add(Kind::kWrong, fmt::format("rank {}", rank),
            "did not come: start `tacit doctor` there, and read its output");
        continue;
      }
      if (rank == member_->rank()) own = static_cast<int>(came.size());
      came.push_back(member_->roster.at(rank));
    }
    if (own < 0 || came.size() < 2) return;
    job_roster_ = std::exchange(member_->roster, net::Roster(came));
    member_->world = member_->roster.world(own, member_->roster.size());
    const auto until = std::chrono::steady_clock::now() + kAgain;
    while (true) {
      try {
        return examine(fmt::format("doctor without {}", fmt::join(missing, ", ")), kAgain, nullptr);
      } catch (const Error& error) {
        if (std::chrono::steady_clock::now() + kPause > until) {
          return add(Kind::kNote, "links",
                     fmt::format("the links between the ranks that came could not be measured: {}", error.what()));
        }
        std::this_thread::sleep_for(kPause);  // rank 0 may still be reporting the first meeting's failure
      }
    }
  }

  // Restores the peer's number in the job, which differs from its number in the smaller roster.
  void name_as_in_job(PeerReport& peer) const {
    if (!job_roster_) return;
    const int rank = job_roster_->rank_of(member_->roster.at(peer.rank).fingerprint);
    const std::string name = fmt::format("rank {} ", peer.rank);
    if (peer.where.starts_with(name)) peer.where = fmt::format("rank {} {}", rank, peer.where.substr(name.size()));
    peer.rank = rank;
  }

  const DoctorOptions& options_;
  const ReadJob job_;
  std::optional<Member> member_;
  std::optional<net::Roster> job_roster_;  // set while member_ has the smaller roster
  std::vector<Finding> findings_;
  std::vector<PeerReport> peers_;
  Exit exit_ = Exit::kConfig;
};

}  // namespace

void add_doctor(CLI::App& tacit, Choice& choice) {
  const auto options = std::make_shared<DoctorOptions>();
  options->rank.deadline = 60;
  CLI::App* verb = add_verb(
      tacit, choice, "doctor",
      "check that this machine, and the links between all ranks that run this, are ready for a job; without a "
      "job, this machine only",
      "RANK=1 MASTER_ADDR=node0 tacit doctor sensors.toml --key mine.key\n  tacit doctor "
      "sensors.toml --rank 1 --alone\n  tacit doctor",
      [options, &choice] {
        return options->rank.job.given() ? Doctor(*options).answer(choice) : examine_without_job(options->rank);
      });
  add_rank_options(*verb, options->rank);
  add_device_option(*verb, options->rank.device);
  verb->add_flag("--alone", options->alone, "check this machine only, without waiting for other ranks");
  CLI::Option* const job = verb->get_option("JOB")->required(false);
  for (const char* of_job :
       {"--rank", "--world-size", "--master", "--key", "--data", "--deadline", kOverrideFlag, "--explain", "--alone"}) {
    verb->get_option(of_job)->needs(job);
  }
}

}  // namespace tacit::launcher
