#include "launcher/report/rank_account.h"

#include <fmt/format.h>

#include <algorithm>

#include "launcher/event_json.h"
#include "launcher/line_reader.h"
#include "launcher/untrusted_file.h"
#include "net/error.h"
#include "net/printable.h"

namespace tacit::launcher {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostSummary = 16 << 20, kMostSessions = 10'000;
constexpr const char* kTraining = "training";

void complain(RankAccount& account, const std::string& what) {
  if (account.complaints.size() < kMostComplaints) account.complaints.push_back(what);
  if (account.complaints.size() == kMostComplaints) account.complaints.push_back("and so on: no more are listed");
}

EpochTraffic epoch_traffic_of(const net::Traffic& traffic, int parties) {
  EpochTraffic told;
  told.rounds = traffic.rounds;
  for (std::size_t peer = 0; peer < traffic.peers.size(); ++peer) {
    const net::PeerTraffic& one = traffic.peers[peer];
    told.total += one;
    if (static_cast<int>(peer) < parties) told.parties += one;
  }
  return told;
}

// One rank's events, one after the other.
class Events {
 public:
  explicit Events(RankAccount& account) : account_(account) {}

  void take(const Json& event) {
    const std::string what = text_in(event, "event");
    if (std::string time = text_in(event, "time"); !time.empty()) account_.last_time = std::move(time);
    if (what == "started") return started(event);
    if (what == "epoch") return epoch(event);
    if (what == "phase") return phase(event);
    if (what == "agreed") return agreed(event);
    if (what == "privacy") return privacy(event);
    if (what == "revealed") return revealed(event);
    if (what == "stopped") account_.stopped = text_in(event, "why");
    if (what == "resumed") resumed(count_in(event, "epoch"));
    if (what == "afresh") go_back_to(0);
    if (what == "finished") session().ended = what;
    if (what != "failed") return;
    session().ended = what;
    session().error = text_in(event, "error");
  }

 private:
  ToldSession& session() {
    if (account_.sessions.empty()) account_.sessions.emplace_back();
    return account_.sessions.back();
  }

  void started(const Json& event) {
    if (account_.sessions.size() < kMostSessions) account_.sessions.emplace_back();
    ToldSession& one = session();
    one.started = text_in(event, "time");
    one.command = text_in(event, "command");
    account_.name = text_in(event, "name");
    account_.role = text_in(event, "role");
    account_.job_digest = text_in(event, "job_digest");
    account_.training_digest = text_in(event, "training_digest");
    account_.epochs_planned = count_in(event, "epochs_planned");
    if (const std::int64_t parties = count_in(event, "parties"); parties > 0 && parties < kMostRanks) {
      account_.parties = static_cast<int>(parties);
    }
    if (const Json* versions = find(event, "versions")) account_.tacit_version = text_in(*versions, "tacit");
  }

  void agreed(const Json& event) {
    if (count_in(event, "nodes") > 0) account_.sizes = struct_in<ToldSizes>(event);
  }

  void privacy(const Json& event) {
    account_.privacy = struct_in<ToldPrivacy>(event);
    for (const Json& one : list_in(event, "not_covered")) {
      std::vector<std::string>& sentences = account_.privacy->not_covered;
      if (one.is_string() && sentences.size() < kMostItems) sentences.push_back(one.get<std::string>());
    }
  }

  void resumed(std::int64_t epoch) {
    session().resumed_from = epoch;
    const std::string& command = session().command;
    if (command != "predict" && command != "serve") go_back_to(epoch);
  }

  // Drops the later epochs of an earlier session: the resumed session does them again.
  void go_back_to(std::int64_t epoch) {
    const auto first = account_.epochs.upper_bound(epoch);
    account_.epochs_again += std::distance(first, account_.epochs.end());
    account_.epochs.erase(first, account_.epochs.end());
  }

  // Reads an event's traffic, and adds it to the account of traffic between ranks.
  std::optional<EpochTraffic> measured_in(const Json& event) {
    const Json* measured = find(event, "measured");
    if (measured == nullptr) return std::nullopt;
    const net::Traffic traffic = traffic_in(*measured, kMostRanks);
    if (account_.sent_to.size() < traffic.peers.size()) {
      account_.sent_to.resize(traffic.peers.size());
      account_.received_from.resize(traffic.peers.size());
    }
    for (std::size_t peer = 0; peer < traffic.peers.size(); ++peer) {
      account_.sent_to[peer] += static_cast<double>(traffic.peers[peer].payload_sent);
      account_.received_from[peer] += static_cast<double>(traffic.peers[peer].payload_received);
    }
    return epoch_traffic_of(traffic, account_.parties);
  }

  void phase(const Json& event) {
    ToldPhase told = {text_in(event, "phase"), number_in(event, "seconds").value_or(0),
                      number_in(event, "cpu_seconds").value_or(0), 0, 0};
    const bool training = told.name == kTraining;  // the epochs have counted its traffic already
    const std::optional<EpochTraffic> measured = training ? std::nullopt : measured_in(event);
    if (training) {
      told.bytes_sent = session().training.bytes_sent;
      told.bytes_received = session().training.bytes_received;
    } else if (measured) {
      told.bytes_sent = measured->total.payload_sent;
      told.bytes_received = measured->total.payload_received;
    }
    if (session().phases.size() < kMostItems) session().phases.push_back(std::move(told));
  }

  void epoch(const Json& event) {
    auto told = struct_in<ToldEpoch>(event);
    told.measured = measured_in(event);
    const auto known = account_.epochs.find(told.epoch);
    // A session with no epochs left to train writes the last readings again.
    const bool only_readings = told.rate == 0.0 && !told.loss && known != account_.epochs.end();
    if (only_readings) {
      if (!told.readings.empty()) known->second.readings = std::move(told.readings);
      return;
    }
    add_to_training(told);
    account_.stopped.clear();  // an earlier session had stopped early, and this one trains on
    account_.best.reset();
    read_field(event, "best", account_.best);
    account_.epochs[told.epoch] = std::move(told);
  }

  void add_to_training(const ToldEpoch& told) {
    ToldPhase& training = session().training;
    ++session().epochs;
    training.name = kTraining;
    training.seconds += told.usage.seconds;
    training.cpu_seconds += told.usage.cpu_seconds;
    if (!told.measured) return;
    training.bytes_sent = std::min(kMostCount, training.bytes_sent + told.measured->total.payload_sent);
    training.bytes_received = std::min(kMostCount, training.bytes_received + told.measured->total.payload_received);
  }

  void revealed(const Json& event) {
    read_field(event, "reveals", account_.reveals);
    read_field(event, "decisions", account_.decisions);
    account_.implied.clear();
    for (const Json& one : list_in(event, "implied")) {
      if (one.is_string() && account_.implied.size() < kMostItems) account_.implied.push_back(one.get<std::string>());
    }
  }

  RankAccount& account_;
};

}  // namespace

void read_events(std::istream& lines, const std::string& name, RankAccount& account) {
  Events events(account);
  bool left_out = false;
  for (LineReader reader(lines, kMostEventLine); reader.next();) {
    if (reader.line().empty()) continue;  // a new session ends the half line of a lost one
    if (reader.too_long()) {
      complain(account, fmt::format("{}:{}: a line of more than {} bytes, which was passed over", name, reader.number(),
                                    kMostEventLine));
      continue;
    }
    // Skip epochs that are not shown: parsing them could take the launcher minutes.
    const bool full = account.epochs.size() >= kMostEpochsTold;
    if (full && reader.line().find("\"event\":\"epoch\"") != std::string::npos) {
      left_out = true;
      continue;
    }
    const Json event = json_from_outside(reader.line());
    if (event.is_object()) {
      events.take(event);
    } else if (reader.whole()) {
      complain(account,
               fmt::format("{}:{}: expected an object of JSON; the line was passed over", name, reader.number()));
    }
  }
  if (left_out) {
    complain(account, fmt::format("{}: only the first {} epochs are shown", name, kMostEpochsTold));
  }
}

void read_summary(std::istream& text, const std::string& name, RankAccount& account) {
  std::string bytes(kMostSummary + 1, '\0');
  text.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(text.gcount()));
  const Json summary = bytes.size() > kMostSummary ? Json() : json_from_outside(bytes);
  if (!summary.is_object()) {
    return complain(account,
                    fmt::format("{}: expected an object of JSON, of {} bytes at most; the file was passed over", name,
                                kMostSummary));
  }
  account.result = text_in(summary, "result");
  account.error = text_in(summary, "error");
  account.usage = struct_in<gnn::Usage>(summary);
  if (const Json* order = find(summary, "row_order"); order != nullptr && order->is_object()) {
    account.row_order = text_in(*order, "note");
  }
  if (account.name.empty()) account.name = text_in(summary, "name");
  if (account.role.empty()) account.role = text_in(summary, "role");
  if (const Json* measured = find(summary, "measured")) {
    account.measured = epoch_traffic_of(traffic_in(*measured, kMostRanks), account.parties);
  }
  read_field(summary, "readings", account.readings);
  read_field(summary, "without_edges", account.without_edges);
  read_field(summary, "stated", account.stated);
  read_field(summary, "stated_by_protocol", account.stated_by_protocol);
  if (const Json* profile = find(summary, "profile"); profile != nullptr && profile->is_object()) {
    account.profile = struct_in<ToldProfile>(*profile);
  }
}

RankAccount read_rank(const fs::path& folder, int rank) {
  RankAccount account;
  account.rank = rank;
  const auto read = [&](const char* name, const auto& reader) {
    const fs::path path = folder / name;
    UntrustedFile in(path);
    if (in.missing()) return;
    const std::string shown = net::printable((folder.filename() / name).string());
    if (in) {
      reader(in, shown, account);
    } else {
      complain(account, fmt::format("{} cannot be read: {}", shown, in.refusal()));
    }
  };
  read("events.jsonl", read_events);
  read("summary.json", read_summary);
  return account;
}

std::string result_of(const RankAccount& account) {
  for (const char* known : {"finished", "failed", "interrupted"}) {
    if (account.result == known) return known;
  }
  if (!account.sessions.empty() && !account.sessions.back().ended.empty()) return account.sessions.back().ended;
  return "running";
}

Json json_of(const RankAccount& account) {
  return {{"rank", account.rank},
          {"role", account.role},
          {"result", result_of(account)},
          {"error", json_of(account.error)},
          {"job_digest", json_of(account.job_digest)},
          {"tacit", json_of(account.tacit_version)},
          {"epochs", account.epochs.size()},
          {"epochs_again", account.epochs_again},
          {"seconds", account.usage.seconds},
          {"cpu_seconds", account.usage.cpu_seconds},
          {"peak_memory", account.usage.peak_memory},
          {"sizes", json_of(account.sizes)},
          {"privacy", json_of(account.privacy)},
          {"sent_to", account.sent_to},
          {"received_from", account.received_from},
          {"stated", json_of(account.stated)},
          {"stated_by_protocol", json_of(account.stated_by_protocol)},
          {"sessions", json_of(account.sessions)},
          {"reveals", json_of(account.reveals)},
          {"decisions", json_of(account.decisions)},
          {"stopped", json_of(account.stopped)},
          {"best", json_of(account.best)}};
}

}  // namespace tacit::launcher
