#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "gnn/data/graph_file.h"
#include "launcher/commands/rank_options.h"
#include "launcher/commands/verb.h"
#include "launcher/data/findings.h"
#include "launcher/doctor/machine.h"
#include "launcher/doctor/peers.h"
#include "launcher/run/member.h"
#include "launcher/run/output_folder.h"

namespace tacit::launcher {

namespace {

using Kind = Finding::Kind;

struct DoctorOptions {
  RankOptions rank;
  bool alone = false;
};

class Doctor {
 public:
  explicit Doctor(const DoctorOptions& options) : options_(options), job_(job_of(options.rank)) {}

  Answer answer() {
    add(Kind::kOk, "job", fmt::format("{}: {} parties and a dealer", job_.job.name, job_.job.parties));
    if (find_self()) {
      if (member_->is_party()) add_data();
      findings_.push_back(examine_folder(OutputFolder(job_.job.output, member_->rank()).path()));
    }
    const std::vector<Finding> machine = examine_machine(static_cast<int>(job_.job.processes()));
    findings_.insert(findings_.end(), machine.begin(), machine.end());
    if (member_ && !options_.alone) meet();
    return told();
  }

 private:
  void add(Kind kind, std::string what, std::string text) {
    findings_.push_back({kind, std::move(what), std::move(text)});
  }

  bool find_self() {
    try {
      member_.emplace(find_member(job_, options_.rank.seat, [](const char* name) { return std::getenv(name); }));
    } catch (const ConfigError& error) {
      add(Kind::kWrong, "seat and key", error.what());
      return false;
    }
    const Seat& seat = member_->seat;
    add(Kind::kOk, "seat",
        fmt::format("rank {} of {} ({}), a {}; rank 0 listens at {}:{} ({})", member_->rank(), seat.world_size.value,
                    seat.rank.source.text(), net::name(member_->world.role()), seat.master_host.value,
                    seat.master_port.value, seat.master_host.source.text()));
    add(Kind::kOk, "key", fmt::format("{}, as in the roster", member_->identity.fingerprint().text()));
    return true;
  }

  void add_data() {
    const std::string file = job_.job.data.files.of(member_->rank());
    if (file.empty()) return add(Kind::kWrong, "data", "the job names no file: say --data, or data.files in the job");
    try {
      const Findings found = findings(gnn::read_graph(file, nullptr), job_.job, member_->rank(), file);
      if (found.wrong.empty()) return add(Kind::kOk, "data", fmt::format("{} is what the job says", file));
      add(Kind::kWrong, "data",
          fmt::format("{}; {} in all: `tacit data check` says them", found.wrong.front(), found.wrong.size()));
    } catch (const ConfigError& error) {
      add(Kind::kWrong, "data", error.what());
    }
  }

  void meet() {
    net::RendezvousOptions rendezvous;
    rendezvous.deadline = std::chrono::milliseconds(std::llround(1e3 * options_.rank.deadline));
    if (!options_.rank.quiet) rendezvous.log = [](const std::string& line) { std::cerr << line << std::endl; };
    const std::string about = fmt::format("tacit {}, {}", TACIT_VERSION, machine_in_words());
    try {
      const std::unique_ptr<net::Mesh> mesh = join(*member_, job_.job, "doctor", rendezvous);
      peers_ = examine_peers(*mesh, about);
      mesh->close();
      const std::vector<Finding> peers = findings_of(peers_, about);
      findings_.insert(findings_.end(), peers.begin(), peers.end());
    } catch (const Error& error) {
      exit_ = error.exit();
      add(Kind::kWrong, "others", error.what());
    }
  }

  Answer told() {
    const auto wrong = std::count_if(findings_.begin(), findings_.end(),
                                     [](const Finding& finding) { return finding.kind == Kind::kWrong; });
    Answer answer;
    answer.text = text_of(findings_);
    answer.text += wrong > 0        ? fmt::format("{} to mend\n", wrong)
                   : options_.alone ? "all is well here; without --alone the others are looked at, too\n"
                                    : "all is well\n";
    answer.exit = wrong == 0 ? Exit::kOk : exit_;
    answer.json = {{"ok", wrong == 0}, {"findings", Json::array()}, {"peers", Json::array()}};
    for (const Finding& finding : findings_) {
      const char* kind = finding.kind == Kind::kOk ? "ok" : finding.kind == Kind::kNote ? "note" : "wrong";
      answer.json["findings"].push_back({{"kind", kind}, {"what", finding.what}, {"text", finding.text}});
    }
    for (const PeerReport& peer : peers_) {
      answer.json["peers"].push_back({{"rank", peer.rank},
                                      {"round_trip", peer.round_trip},
                                      {"sends", peer.sends},
                                      {"receives", peer.receives},
                                      {"clock_ahead", peer.clock_ahead},
                                      {"about", peer.about}});
    }
    explain(options_.rank.job, job_, answer);
    return answer;
  }

  const DoctorOptions& options_;
  const ReadJob job_;
  std::optional<Member> member_;
  std::vector<Finding> findings_;
  std::vector<PeerReport> peers_;
  Exit exit_ = Exit::kConfig;
};

}  // namespace

void add_doctor(CLI::App& tacit, Choice& choice) {
  const auto options = std::make_shared<DoctorOptions>();
  options->rank.deadline = 60;
  CLI::App* verb =
      add_verb(tacit, choice, "doctor", "is all ready for a job: here, and between all ranks, each of which runs this?",
               "RANK=1 MASTER_ADDR=node0 tacit doctor sensors.toml --key mine.key\n  tacit doctor "
               "sensors.toml --rank 1 --alone",
               [options] { return Doctor(*options).answer(); });
  add_rank_options(*verb, options->rank);
  verb->add_flag("--alone", options->alone, "look at this machine only; nobody else is waited for");
}

}  // namespace tacit::launcher
