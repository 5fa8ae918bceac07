#include "launcher/report/run_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "launcher/job/job.h"
#include "launcher/report/page.h"
#include "launcher/report/predictions.h"
#include "launcher/report/run_figures.h"

namespace tacit::launcher {

namespace {

using Row = Page::Row;

std::string text_or_none(Quantity quantity, const std::optional<double>& value) {
  return value ? text_of(quantity, *value) : kNoFigure;
}

std::string count_text(double count) { return text_of(Quantity::kCount, count); }

// "2026-11-21 23:43 UTC" of "2026-11-21T23:43:35.688Z".
std::string minute_of(const std::string& time) {
  if (time.size() < 16 || time[10] != 'T') return time;
  return fmt::format("{} {} UTC", time.substr(0, 10), time.substr(11, 5));
}

const EpochMeasure& measure(const std::string& name) {
  return *std::find_if(epoch_measures().begin(), epoch_measures().end(),
                       [&](const EpochMeasure& one) { return one.name == name; });
}

std::vector<ToldReading> last_readings(const RankAccount& account) {
  if (account.result == "finished" && !account.readings.empty()) return account.readings;
  std::vector<ToldReading> last;
  for (const std::string& what : kinds_of_readings(account)) {
    for (auto it = account.epochs.rbegin(); it != account.epochs.rend(); ++it) {
      const auto& readings = it->second.readings;
      const auto found =
          std::find_if(readings.begin(), readings.end(), [&](const ToldReading& one) { return one.what == what; });
      if (found == readings.end()) continue;
      last.push_back(*found);
      break;
    }
  }
  return last.empty() ? account.readings : last;
}

class RunPage {
 public:
  explicit RunPage(const RunAccount& run)
      : run_(run), teller_(run.teller()), figures_(figures_of(run)), page_(run.name() + " — Tacit") {}

  std::string take() {
    page_.heading(run_.name(), in_a_sentence(run_));
    page_.paragraph(threat_model(run_), "note");
    tell_failure();
    tell_facts();
    tell_learning();
    tell_model_and_data();
    if (has_epochs()) {
      tell_epochs();
      tell_protocols();
      tell_predictions();
    }
    tell_pairs();
    tell_phases();
    tell_reveals();
    tell_account();
    return page_.take();
  }

 private:
  bool has_epochs() const {
    return std::any_of(run_.ranks.begin(), run_.ranks.end(),
                       [](const RankAccount& account) { return !account.epochs.empty(); });
  }

  // Ranks that say the same are named together.
  void tell_failure() {
    for (const std::string& stranger : run_.strangers) page_.paragraph(stranger, "warning");
    std::vector<std::pair<std::string, std::string>> told;  // how it ended, and who
    for (const RankAccount& account : run_.ranks) {
      const std::string how = end_of(account);
      if (how.empty()) continue;
      const auto same = std::find_if(told.begin(), told.end(), [&](const auto& one) { return one.first == how; });
      if (same != told.end()) {
        same->second += ", " + name_of_rank(account);
      } else {
        told.emplace_back(how, name_of_rank(account));
      }
    }
    for (const auto& [how, who] : told) page_.paragraph(who + ": " + how, "warning");
  }

  // "": well, or it may still run.
  std::string end_of(const RankAccount& account) const {
    const std::string result = result_of(account);
    if (result == "interrupted") return "interrupted by its user, or by what started it";
    if (result == "running") {
      return run_.result() == "running" ? "" : "its account ends without a word: it was killed, or still runs";
    }
    if (result != "failed") return "";
    std::string error = account.error;
    if (error.empty() && !account.sessions.empty()) error = account.sessions.back().error;
    return "failed: " + (error.empty() ? "it said not why" : error);
  }

  void tell_facts() {
    std::vector<Page::Fact> facts;
    if (const auto loss = last(losses_of(teller_))) {
      const auto plain = run_.plain ? last(losses_of(*run_.plain)) : std::nullopt;
      facts.push_back({"training loss", number_text(*loss), plain ? number_text(*plain) + " on plain data" : ""});
    }
    for (const ToldReading& reading : last_readings(teller_)) {
      const auto plain = run_.plain ? last(readings_of(*run_.plain, reading.what)) : std::nullopt;
      facts.push_back({reading.what, number_text(reading.value), plain ? number_text(*plain) + " on plain data" : ""});
    }
    if (has_epochs()) {
      facts.push_back({"time per epoch", text_or_none(Quantity::kSeconds, median_of(run_, measure("time"))), "median"});
      facts.push_back(
          {"sent per epoch", text_or_none(Quantity::kBytes, median_of(run_, measure("bytes"))), "all ranks, median"});
      facts.push_back(
          {"rounds per epoch", text_or_none(Quantity::kCount, median_of(run_, measure("rounds"))), "median"});
    }
    double seconds = 0;
    for (const RankAccount& account : run_.ranks) seconds = std::max(seconds, account.seconds);
    if (seconds > 0)
      facts.push_back({"time of the last session", text_of(Quantity::kSeconds, seconds), "start to end"});
    if (!facts.empty()) page_.facts(facts);
  }

  void tell_model_and_data() {
    page_.begin_section("The model and the data");
    const auto told = std::find_if(run_.ranks.begin(), run_.ranks.end(),
                                   [](const RankAccount& account) { return account.sizes.has_value(); });
    if (told != run_.ranks.end()) tell_sizes(*told->sizes);
    if (run_.settings.empty()) {
      page_.paragraph("No job.toml of a rank is here, or none that can be read.");
    } else {
      tell_owners();
      tell_settings();
    }
    page_.end_section();
  }

  void tell_sizes(const ToldSizes& sizes) {
    std::vector<Page::Fact> facts = {{"nodes", grouped(sizes.nodes), ""},
                                     {"features", grouped(sizes.features), "of each node"},
                                     {"edges", grouped(sizes.edges), "as the files list them"},
                                     {"parameters", grouped(sizes.parameters), "of the model"}};
    if (sizes.targets > 0) facts.push_back({sizes.classes ? "classes" : "targets", grouped(sizes.targets), ""});
    for (const auto& [name, count] :
         {std::pair{"train", sizes.train}, {"validation", sizes.validation}, {"test", sizes.test}}) {
      if (count > 0) facts.push_back({fmt::format("{} nodes", name), grouped(count), ""});
    }
    page_.facts(facts);
  }

  void tell_owners() {
    std::vector<Row> rows;
    for (const char* part : {"features", "edges", "labels", "masks"}) {
      const std::string owner = run_.setting(fmt::format("data.{}", part));
      if (!owner.empty()) rows.push_back({part, in_words(unquoted(owner))});
    }
    if (!rows.empty()) page_.table({"part", "held by"}, rows, 2);
    const auto trusting = std::find_if(run_.ranks.begin(), run_.ranks.end(),
                                       [](const RankAccount& account) { return !account.row_order.empty(); });
    if (trusting == run_.ranks.end()) return;
    page_.paragraph(fmt::format("Which row is which node: {}.", trusting->row_order), "warning");
  }

  // What a reader compares first stands open, the rest folded.
  void tell_settings() {
    constexpr std::string_view kFirst[] = {"model", "training", "preprocessing", "ring"};
    std::vector<Row> rows, all;
    for (const ToldSetting& one : run_.settings) {
      const std::string_view table = std::string_view(one.key).substr(0, one.key.find_first_of(".["));
      if (std::find(std::begin(kFirst), std::end(kFirst), table) != std::end(kFirst))
        rows.push_back({one.key, one.value});
      all.push_back({one.key, one.value, one.source});
    }
    if (!rows.empty()) page_.table({"hyper-parameter", "value"}, rows, 2);
    page_.begin_details("every setting that all ranks have alike, and where it came from");
    page_.table({"setting", "value", "from"}, all, 3);
    page_.end_details();
  }

  void tell_learning() {
    page_.begin_section("What was learnt",
                        has_epochs() ? "The loss is that of the training nodes before each epoch’s steps." : "");
    const std::vector<ToldReading> readings = last_readings(teller_);
    if (is_empty(figures_.learning.front()) && readings.empty()) {
      page_.paragraph(has_epochs() ? "No loss and no metric was revealed to a rank whose account is here."
                                   : "No epoch has ended, so there is nothing to tell of learning and its cost.");
    }
    page_.figures(figures_.learning);
    if (!readings.empty()) tell_readings(readings);
    page_.end_section();
  }

  void tell_readings(const std::vector<ToldReading>& readings) {
    Row header = {"after the last epoch", "seen by", "on shares"};
    if (run_.plain) header.insert(header.end(), {"on plain data", "difference"});
    std::vector<Row> rows;
    for (const ToldReading& reading : readings) {
      Row row = {reading.what, reading.to, number_text(reading.value)};
      if (run_.plain) {
        const auto plain = last(readings_of(*run_.plain, reading.what));
        row.push_back(plain ? number_text(*plain) : kNoFigure);
        row.push_back(plain ? number_text(reading.value - *plain) : kNoFigure);
      }
      rows.push_back(std::move(row));
    }
    page_.table(header, rows, 2);
  }

  void tell_epochs() {
    page_.begin_section("What an epoch costs each rank",
                        "As measured: bytes are payload, as in every table here, without what TLS adds; packets as the "
                        "kernel counts them; memory is the process’ peak so far.");
    page_.figures(figures_.epochs);
    std::vector<Row> rows;
    for (const RankAccount& account : run_.ranks) {
      if (account.epochs.empty()) continue;
      Row row = {name_of_rank(account), grouped(std::ssize(account.epochs))};
      for (const EpochMeasure& one : epoch_measures()) {
        row.push_back(
            text_or_none(one.quantity, one.name == "memory" ? last(points_of(account, one)) : median_of(account, one)));
      }
      row.push_back(text_or_none(Quantity::kBytes, sum_of(account, measure("bytes"))));
      row.push_back(text_or_none(Quantity::kSeconds, sum_of(account, measure("time"))));
      rows.push_back(std::move(row));
    }
    page_.table({"median; dealer: mean", "epochs", "bytes sent", "packets", "rounds", "time", "CPU time", "peak memory",
                 "sent in epochs", "time in epochs"},
                rows);
    page_.end_section();
  }

  void tell_protocols() {
    page_.begin_section("Cost by protocol",
                        "What the protocols state of the last session, from shapes alone, with its sharing of data. "
                        "Bytes and messages are those of all parties together; rounds are shared by them.");
    if (is_empty(figures_.protocols.front())) {
      page_.paragraph("No party has told of it: they do when they end well.");
      return page_.end_section();
    }
    page_.figures(figures_.protocols);
    std::vector<ToldCost> all;
    for (const RankAccount& account : run_.ranks) {
      for (const ToldCost& one : account.stated_by_protocol) add_protocol(one, all);
    }
    std::vector<Row> rows;
    for (const ToldCost& one : all) {
      rows.push_back({one.protocol, grouped(one.calls), grouped(one.cost.rounds), grouped(one.cost.bytes),
                      grouped(one.cost.messages), grouped(one.cost.dealt_bytes), grouped(one.cost.dealt_messages)});
    }
    page_.table({"protocol", "calls", "rounds", "bytes between parties", "messages", "bytes dealt", "messages dealt"},
                rows);
    page_.end_section();
  }

  static void add_protocol(const ToldCost& one, std::vector<ToldCost>& all) {
    auto known =
        std::find_if(all.begin(), all.end(), [&](const ToldCost& its) { return its.protocol == one.protocol; });
    if (known == all.end()) {
      all.push_back(one);
      return;
    }
    mpc::Cost& cost = known->cost;
    known->calls = std::max(known->calls, one.calls);
    cost.bytes = std::min(cost.bytes + one.cost.bytes, std::int64_t{1} << 60);
    cost.messages = std::min(cost.messages + one.cost.messages, std::int64_t{1} << 60);
    cost.rounds = std::max(cost.rounds, one.cost.rounds);
    cost.dealt_bytes = std::max(cost.dealt_bytes, one.cost.dealt_bytes);
    cost.dealt_messages = std::max(cost.dealt_messages, one.cost.dealt_messages);
  }

  void tell_predictions() {
    const std::vector<Prediction> all = predictions_of(run_);
    page_.begin_section(
        "Predicted against measured",
        "Every protocol states its cost before it runs. Over all epochs, the payload that each rank sent "
        "is held against that, epoch by epoch.");
    if (all.empty()) {
      page_.paragraph("No epoch told both.");
      return page_.end_section();
    }
    const bool equal = std::all_of(all.begin(), all.end(), [](const Prediction& one) { return one.equal(); });
    page_.paragraph(
        equal ? "All are equal." : "Some differ: one of the ranks does not run what the others do, or Tacit has a bug.",
        equal ? "" : "warning");
    std::vector<Row> rows;
    for (const Prediction& one : all) {
      rows.push_back({one.who, one.what, count_text(one.stated), count_text(one.measured),
                      one.equal()         ? "equal"
                      : one.differing > 0 ? fmt::format("differ in {} epochs", one.differing)
                                          : "differ"});
    }
    page_.table({"rank", "what", "predicted", "measured", ""}, rows, 2);
    page_.end_section();
  }

  void tell_pairs() {
    std::size_t peers = 0;
    for (const RankAccount& account : run_.ranks) peers = std::max(peers, account.sent_to.size());
    if (peers == 0) return;
    page_.begin_section(
        "Between the ranks",
        "Payload that the rank of each row sent to that of each column, in all phases and sessions whose "
        "end it told of.");
    constexpr std::size_t kMostShown = 17;
    Row header = {"from \\ to"};
    std::vector<Row> rows;
    const bool as_matrix = peers <= kMostShown;
    for (std::size_t peer = 0; as_matrix && peer < peers; ++peer) header.push_back(name_of(peer));
    header.insert(header.end(), {"sent", "received"});
    for (const RankAccount& account : run_.ranks) {
      Row row = {name_of_rank(account)};
      double sent = 0, received = 0;
      for (std::size_t peer = 0; peer < peers; ++peer) {
        const bool known = peer < account.sent_to.size();
        if (known) sent += account.sent_to[peer];
        if (known) received += account.received_from[peer];
        const bool self = static_cast<int>(peer) == account.rank;
        if (as_matrix) row.push_back(self ? "" : known ? text_of(Quantity::kBytes, account.sent_to[peer]) : kNoFigure);
      }
      row.insert(row.end(), {text_of(Quantity::kBytes, sent), text_of(Quantity::kBytes, received)});
      rows.push_back(std::move(row));
    }
    page_.table(header, rows);
    page_.end_section();
  }

  std::string name_of(std::size_t rank) const {
    return run_.parties() > 0 && static_cast<int>(rank) == run_.parties() ? "dealer" : fmt::format("rank {}", rank);
  }

  void tell_phases() {
    if (std::all_of(figures_.phases.begin(), figures_.phases.end(), [](const Figure& one) { return is_empty(one); })) {
      return;
    }
    page_.begin_section("Phases", "Of all sessions. A rank waits within them for the others.");
    page_.figures(figures_.phases);
    page_.end_section();
  }

  void tell_reveals() {
    page_.begin_section("What was revealed",
                        "Everything that became known beyond the sizes, in all sessions; nothing else was opened but "
                        "masked.");
    const auto ended = std::find_if(run_.ranks.begin(), run_.ranks.end(),
                                    [](const RankAccount& account) { return !account.reveals.empty(); });
    if (ended == run_.ranks.end()) {
      tell_reveals_so_far();
    } else {
      std::vector<Row> rows;
      for (const ToldReveal& one : ended->reveals) {
        rows.push_back({one.what, one.to, grouped(one.count), grouped(one.elements)});
      }
      page_.table({"what", "to", "times", "numbers in all"}, rows, 2);
      for (const std::string& sentence : ended->implied) page_.paragraph("Besides, " + sentence + ".");
    }
    tell_decisions();
    if (run_.setting("audit.every") == "\"off\"") {
      page_.paragraph(fmt::format("Ranges: {}.", kWatchIsOff), "warning");
    }
    page_.end_section();
  }

  // Where no rank has ended well, what its epochs told.
  void tell_reveals_so_far() {
    std::vector<Row> rows;
    if (const std::int64_t losses = std::ssize(losses_of(teller_)); losses > 0) {
      rows.push_back({"training loss",
                      run_.setting("reveal.loss").empty() ? kNoFigure : unquoted(run_.setting("reveal.loss")),
                      grouped(losses)});
    }
    for (const ToldReading& reading : last_readings(teller_)) {
      rows.push_back({reading.what, reading.to, grouped(std::ssize(readings_of(teller_, reading.what)))});
    }
    if (rows.empty()) return page_.paragraph("Nothing, as far as the accounts here tell.");
    page_.paragraph(
        fmt::format("No rank has told the whole of it, as it does when it ends well. As far as {} tells of "
                    "its epochs, of which the one at the end may lack:",
                    name_of_rank(teller_)));
    page_.table({"what", "to", "epochs"}, rows, 2);
  }

  static std::string unquoted(std::string text) {
    std::erase(text, '"');
    return text;
  }

  void tell_decisions() {
    const auto decided = std::find_if(run_.ranks.begin(), run_.ranks.end(),
                                      [](const RankAccount& account) { return !account.decisions.empty(); });
    if (decided == run_.ranks.end()) return;
    page_.paragraph("Known to every rank and the dealer, since the run goes on or ends by it:");
    std::vector<Row> rows;
    for (const ToldDecision& one : decided->decisions) rows.push_back({one.what, grouped(one.count)});
    page_.table({"decision", "times"}, rows);
  }

  static std::string in_words(const std::string& owner) {
    if (owner == "columns") return "every party, some columns";
    if (owner == "rows") return "every party, the rows of its own nodes";
    if (owner == "public") return "public";
    if (owner.starts_with("columns ")) return fmt::format("the parties, in rank order {} columns", owner.substr(8));
    return owner;
  }

  void tell_account() {
    page_.begin_section("About this account");
    std::vector<Row> rows;
    for (const RankAccount& account : run_.ranks) {
      for (const ToldSession& session : account.sessions) {
        if (rows.size() == 200) break;
        rows.push_back({name_of_rank(account), session.started, session.command,
                        session.resumed_from ? fmt::format("after epoch {}", *session.resumed_from) : "afresh",
                        session.ended.empty() ? "it does not say" : session.ended, grouped(session.epochs)});
      }
    }
    if (!rows.empty()) page_.table({"session of", "began", "command", "started", "end", "epochs"}, rows, 5);
    if (teller_.epochs_again > 0) {
      page_.paragraph(
          fmt::format("{} epochs were trained again after a session was lost: figures show each as it was "
                      "told last; what the lost ones moved is in the traffic between the ranks.",
                      teller_.epochs_again));
    }
    std::vector<int> missing;
    for (int rank = 0; run_.parties() > 0 && rank <= run_.parties() && run_.ranks.size() > 1; ++rank) {
      if (run_.rank(rank) == nullptr) missing.push_back(rank);
    }
    if (!missing.empty()) {
      page_.paragraph(
          fmt::format("The accounts of {} {} are not here.", missing.size(), missing.size() == 1 ? "rank" : "ranks"));
    }
    for (const std::string& complaint : run_.complaints) page_.paragraph(complaint, "warning");
    if (!teller_.job_digest.empty()) page_.paragraph(fmt::format("Job digest: {}", teller_.job_digest), "about");
    page_.paragraph(fmt::format("Read from {}; the last event is of {}. Written by tacit {}, the run by tacit {}.",
                                run_.folder, teller_.last_time.empty() ? "no time" : teller_.last_time, TACIT_VERSION,
                                teller_.tacit_version.empty() ? "of an unknown version" : teller_.tacit_version),
                    "about");
    page_.end_section();
  }

  const RunAccount& run_;
  const RankAccount& teller_;
  const RunFigures figures_;
  Page page_;
};

}  // namespace

std::string page_of(const RunAccount& run) { return RunPage(run).take(); }

std::string threat_model(const RunAccount& run) {
  const int parties = run.parties();
  std::string text = fmt::format(
      "Protects each party’s data from {} that follow the protocol but look at all they see, as long as none of them "
      "works together with the dealer: the dealer and any one party could learn everything. Not hidden: sizes, timing, "
      "and what is listed here as revealed.",
      parties == 0   ? "all other parties together"
      : parties == 1 ? "nobody, for there is one party"
      : parties == 2 ? "the other party"
                     : fmt::format("the other {} parties together", parties - 1));
  if (run.keys_in_one_place) {
    text +=
        " The keys of all ranks were made in this run’s folder, so this run protected nobody: it was for trying the "
        "job.";
  }
  return text;
}

std::string in_a_sentence(const RunAccount& run) {
  const RankAccount& teller = run.teller();
  std::string text;
  if (run.parties() > 0)
    text = fmt::format("{} {} and a dealer · ", run.parties(), run.parties() == 1 ? "party" : "parties");
  const std::string result = run.result();
  const std::int64_t epochs = teller.epochs.empty() ? 0 : teller.epochs.rbegin()->first;
  text += result == "running" ? "running, or ended without a word" : result;
  text += fmt::format(" · {}{} {}", grouped(epochs),
                      teller.epochs_planned > epochs ? " of " + grouped(teller.epochs_planned) : "",
                      epochs == 1 && teller.epochs_planned <= 1 ? "epoch" : "epochs");
  const std::string bits = run.setting("ring.bits"), fraction = run.setting("ring.fraction_bits");
  if (!bits.empty()) text += fmt::format(" · ring of 2^{}, {} fraction bits", bits, fraction);
  if (!teller.sessions.empty() && !teller.sessions.front().started.empty()) {
    text += " · " + minute_of(teller.sessions.front().started);
  }
  return text;
}

}  // namespace tacit::launcher
