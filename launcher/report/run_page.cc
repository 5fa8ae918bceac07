#include "launcher/report/run_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "launcher/job/job.h"
#include "launcher/plan/privacy_account.h"
#include "launcher/reading_name.h"
#include "launcher/report/page.h"
#include "launcher/report/predictions.h"
#include "launcher/report/run_figures.h"
#include "launcher/report/run_in_words.h"

namespace tacit::launcher {

namespace {

using Rows = std::vector<TextRow>;

std::string text_or_none(Quantity quantity, const std::optional<double>& value) {
  return value ? text_of(quantity, *value) : kNoFigure;
}

constexpr std::size_t kMostClassesShown = 50;  // in a confusion matrix

std::string number_or_none(const std::optional<double>& value) { return text_or_none(Quantity::kNumber, value); }
std::string bytes_text(double bytes) { return text_of(Quantity::kBytes, bytes); }

std::string unquoted(std::string text) {
  std::erase(text, '"');
  return text;
}

const EpochMeasure& measure(const std::string& name) {
  return *std::find_if(epoch_measures().begin(), epoch_measures().end(),
                       [&](const EpochMeasure& one) { return one.name == name; });
}

// The first rank that satisfies a condition; null: none does.
template <typename Condition>
const RankAccount* first_rank(const RunAccount& run, const Condition& condition) {
  const auto found = std::find_if(run.ranks.begin(), run.ranks.end(), condition);
  return found == run.ranks.end() ? nullptr : &*found;
}

// "Training stopped early, after epoch 17."
std::string as_sentence(std::string text) {
  if (text.front() >= 'a' && text.front() <= 'z') text.front() = static_cast<char>(text.front() - 'a' + 'A');
  return text + ".";
}

std::vector<ToldReading> last_readings(const RankAccount& account) {
  if (account.result == "finished" && !account.readings.empty()) return account.readings;
  std::vector<ToldReading> last;
  for (const std::string& what : kinds_of_readings(account)) {
    for (auto epoch = account.epochs.rbegin(); epoch != account.epochs.rend(); ++epoch) {
      const auto& readings = epoch->second.readings;
      const auto found =
          std::find_if(readings.begin(), readings.end(), [&](const ToldReading& one) { return one.what == what; });
      if (found == readings.end()) continue;
      last.push_back(*found);
      break;
    }
  }
  return last.empty() ? account.readings : last;
}

// The reason why a rank's account does not end with "finished"; "": finished, or the rank still runs.
std::string end_of(const RunAccount& run, const RankAccount& account) {
  const std::string result = result_of(account);
  if (result == "interrupted") return "interrupted, by its user or by the program that started it";
  if (result == "running") {
    return run.result() == "running" ? "" : "the account has no end: the rank was killed, or still runs";
  }
  if (result != "failed") return "";
  const bool in_session = account.error.empty() && !account.sessions.empty();
  const std::string& error = in_session ? account.sessions.back().error : account.error;
  return "failed: " + (error.empty() ? "the account gives no error message; see the rank's log" : error);
}

// The owner of a part of the data, as the job names it.
std::string owner_in_words(const std::string& owner) {
  if (owner == "columns") return "every party, some columns";
  if (owner == "rows") return "every party, the rows of its own nodes";
  if (owner.starts_with("columns ")) return fmt::format("the parties, in rank order {} columns", owner.substr(8));
  return owner;
}

void add_up(const ToldCost& one, std::vector<ToldCost>& all) {
  constexpr std::int64_t kMost = std::int64_t{1} << 60;
  auto known = std::find_if(all.begin(), all.end(), [&](const ToldCost& its) { return its.protocol == one.protocol; });
  if (known == all.end()) {
    all.push_back(one);
    return;
  }
  mpc::Cost& cost = known->cost;
  known->calls = std::max(known->calls, one.calls);
  cost.bytes = std::min(cost.bytes + one.cost.bytes, kMost);
  cost.messages = std::min(cost.messages + one.cost.messages, kMost);
  cost.rounds = std::max(cost.rounds, one.cost.rounds);
  cost.dealt_bytes = std::max(cost.dealt_bytes, one.cost.dealt_bytes);
  cost.made_bytes = std::min(cost.made_bytes + one.cost.made_bytes, kMost);
  cost.made_rounds = std::max(cost.made_rounds, one.cost.made_rounds);
  cost.dealt_messages = std::max(cost.dealt_messages, one.cost.dealt_messages);
  cost.made_leakage = std::max(cost.made_leakage, one.cost.made_leakage);
}

class RunPage {
 public:
  explicit RunPage(const RunAccount& run)
      : run_(run), teller_(run.teller()), figures_(figures_of(run)), page_(run.name() + " — Tacit") {}

  std::string take() {
    page_.heading(run_.name(), in_a_sentence(run_), run_.result());
    tell_failure();
    page_.paragraph(threat_model(run_), "note");
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
    tell_privacy();
    tell_reveals();
    tell_account();
    return page_.take();
  }

 private:
  bool has_epochs() const {
    return first_rank(run_, [](const RankAccount& account) { return !account.epochs.empty(); }) != nullptr;
  }

  const ToldSizes* told_sizes() const {
    const auto* told = first_rank(run_, [](const RankAccount& account) { return account.sizes.has_value(); });
    return told != nullptr ? &*told->sizes : nullptr;
  }
  bool has_graphs() const { return told_sizes() != nullptr && told_sizes()->graphs > 0; }
  bool has_links() const { return told_sizes() != nullptr && told_sizes()->links; }

  // Ranks with the same end are named together.
  void tell_failure() {
    for (const std::string& stranger : run_.strangers) page_.paragraph(stranger, "warning");
    std::vector<std::pair<std::string, std::string>> ends;  // and the ranks that had each
    for (const RankAccount& account : run_.ranks) {
      const std::string end = end_of(run_, account);
      if (end.empty()) continue;
      const auto same = std::find_if(ends.begin(), ends.end(), [&](const auto& one) { return one.first == end; });
      if (same != ends.end()) {
        same->second += ", " + name_of_rank(account);
      } else {
        ends.emplace_back(end, name_of_rank(account));
      }
    }
    for (const auto& [end, ranks] : ends) page_.paragraph(ranks + ": " + end, "warning");
  }

  static Page::Fact fact_on_shares(const std::string& name, double value, const std::optional<double>& plain) {
    return {name, number_text(value), plain ? number_text(*plain) + " on plain data" : ""};
  }

  std::optional<double> plain_reading(const std::string& what) const {
    return run_.plain ? result_of_reading(*run_.plain, what) : std::nullopt;
  }

  void tell_facts() {
    std::vector<Page::Fact> facts;
    if (const auto loss = last(losses_of(teller_))) {
      facts.push_back(fact_on_shares("training loss", *loss, run_.plain ? last(losses_of(*run_.plain)) : std::nullopt));
    }
    for (const ToldReading& reading : last_readings(teller_)) {
      facts.push_back(fact_on_shares(shown_name(reading), reading.value, plain_reading(reading.what)));
    }
    if (has_epochs()) {
      const auto median_text = [&](const char* name) {
        return text_or_none(measure(name).quantity, median_of(run_, measure(name)));
      };
      facts.push_back({"time per epoch", median_text("time"), "median"});
      facts.push_back({"sent per epoch", median_text("bytes"), "all ranks, median"});
      facts.push_back({"rounds per epoch", median_text("rounds"), "median"});
    }
    double seconds = 0;
    for (const RankAccount& account : run_.ranks) seconds = std::max(seconds, account.usage.seconds);
    if (seconds > 0) facts.push_back({"last session", text_of(Quantity::kSeconds, seconds), "start to end"});
    if (!facts.empty()) page_.facts(facts);
  }

  void tell_learning() {
    const std::string_view subject = gnn::subject_name(has_graphs(), has_links());
    page_.begin_section(
        "Learning",
        has_epochs() ? fmt::format("The loss of an epoch is the training {}s’ loss before the epoch’s steps.", subject)
                     : std::string());
    const std::vector<ToldReading> readings = last_readings(teller_);
    if (is_empty(figures_.learning.front()) && readings.empty()) {
      page_.paragraph(has_epochs() ? "No rank with an account here learned a loss or a metric."
                                   : "No epoch has ended, so there is no loss, no metric and no cost of an epoch.");
    }
    if (!teller_.stopped.empty()) page_.paragraph(as_sentence(teller_.stopped));
    page_.figures(figures_.learning);
    TextRow header = {
        teller_.best ? fmt::format("after epoch {}", grouped(teller_.best->epoch)) : "after the last epoch",
        "revealed to", "on shares"};
    if (run_.plain) header.insert(header.end(), {"on plain data", "difference"});
    const std::vector<ToldReading>& without_edges = teller_.without_edges;
    if (!without_edges.empty()) header.emplace_back("without edges");
    Rows rows;
    for (const ToldReading& reading : readings) {
      TextRow& row = rows.emplace_back(TextRow{shown_name(reading), reading.to, number_text(reading.value)});
      if (run_.plain) {
        const auto plain = plain_reading(reading.what);
        row.push_back(number_or_none(plain));
        row.push_back(plain ? number_text(reading.value - *plain) : kNoFigure);
      }
      if (without_edges.empty()) continue;
      const auto same = std::find_if(without_edges.begin(), without_edges.end(),
                                     [&](const ToldReading& one) { return one.what == reading.what; });
      row.push_back(same != without_edges.end() ? number_text(same->value) : kNoFigure);
    }
    page_.table(header, rows, 2);
    for (const ToldReading& reading : readings) tell_counts(reading);
    page_.end_section();
  }

  // A confusion matrix; with the twin, its counts in brackets.
  void tell_counts(const ToldReading& reading) {
    const std::size_t classes = reading.counts.rows.size();
    if (classes == 0 || classes > kMostClassesShown) return;
    ToldCounts plain;
    if (run_.plain) {
      for (const ToldReading& one : last_readings(*run_.plain)) {
        if (one.what == reading.what && one.counts.rows.size() == classes) plain = one.counts;
      }
    }
    page_.paragraph(fmt::format("{}: how many {}s of each class were predicted as each class{}", reading.what,
                                gnn::subject_name(has_graphs(), has_links()),
                                plain.rows.empty() ? "." : "; in brackets on plain data."));
    TextRow header = {""};
    const std::vector<std::string>& names = reading.class_names.of;
    const auto name = [&](std::size_t number) { return gnn::name_of_class(names, static_cast<std::int64_t>(number)); };
    for (std::size_t c = 0; c < classes; ++c) header.push_back(fmt::format("predicted {}", name(c)));
    Rows rows;
    for (std::size_t r = 0; r < classes; ++r) {
      rows.push_back({names.size() == classes ? name(r) : fmt::format("class {}", r)});
      for (std::size_t c = 0; c < classes; ++c) {
        const std::string twin = plain.rows.empty() ? "" : fmt::format(" ({:.0f})", plain.rows[r][c]);
        rows.back().push_back(fmt::format("{:.0f}{}", reading.counts.rows[r][c], twin));
      }
    }
    page_.table(header, rows, 1);
  }

  void tell_model_and_data() {
    page_.begin_section("Model and data");
    if (const ToldSizes* sizes = told_sizes()) tell_sizes(*sizes);
    if (run_.settings.empty()) {
      page_.paragraph("No rank’s job.toml is here, or none that can be read.");
    } else {
      tell_owners();
      tell_settings();
    }
    page_.end_section();
  }

  void tell_sizes(const ToldSizes& sizes) {
    std::vector<Page::Fact> facts = {{"nodes", grouped(sizes.nodes), ""}};
    if (sizes.snapshots > 1) facts.push_back({"snapshots", grouped(sizes.snapshots), "states of the graph"});
    if (sizes.graphs > 0) facts.push_back({"graphs", grouped(sizes.graphs), ""});
    const std::vector<Page::Fact> more = {
        {"features", grouped(sizes.features), "of each node"},
        {"edges", grouped(sizes.edges), sizes.links ? "of links that are trained on" : "as the files list them"},
        {"parameters", grouped(sizes.parameters), "of the model"}};
    facts.insert(facts.end(), more.begin(), more.end());
    if (sizes.targets > 0) facts.push_back({sizes.classes ? "classes" : "targets", grouped(sizes.targets), ""});
    const char* subjects = sizes.links ? "pairs" : sizes.graphs > 0 ? "graphs" : sizes.snapshots > 1 ? "rows" : "nodes";
    for (const auto& [name, count] :
         {std::pair{"train", sizes.train}, {"validation", sizes.validation}, {"test", sizes.test}}) {
      if (count > 0) facts.push_back({fmt::format("{} {}", name, subjects), grouped(count), ""});
    }
    page_.facts(facts);
  }

  void tell_owners() {
    Rows rows;
    for (const char* part : {"features", "edges", "labels", "masks"}) {
      const std::string owner = run_.setting(fmt::format("data.{}", part));
      if (!owner.empty()) rows.push_back({part, owner_in_words(unquoted(owner))});
    }
    page_.table({"part", "held by"}, rows, 2);
    if (const auto* trusting =
            first_rank(run_, [](const RankAccount& account) { return !account.row_order.empty(); })) {
      page_.paragraph(fmt::format("Alignment: {}.", trusting->row_order), "warning");
    }
  }

  // The settings that readers compare first are open, the full list is folded.
  void tell_settings() {
    constexpr std::string_view kFirst[] = {"model", "training", "preprocessing", "ring"};
    std::vector<Page::Fact> facts;
    Rows all;
    for (const ToldSetting& one : run_.settings) {
      const std::string_view table = std::string_view(one.key).substr(0, one.key.find_first_of(".["));
      if (std::find(std::begin(kFirst), std::end(kFirst), table) != std::end(kFirst)) {
        facts.push_back({one.key, unquoted(one.value), ""});
      }
      all.push_back({one.key, one.value, one.source});
    }
    page_.paragraph("Hyper-parameters", "label");
    page_.facts(facts, "settings");
    page_.begin_details("all settings that the ranks share, with their sources");
    page_.table({"setting", "value", "from"}, all, 3);
    page_.end_details();
  }

  void tell_epochs() {
    page_.begin_section("Cost of an epoch at each rank",
                        "As measured. Bytes are payload, without the overhead of TLS, in every table of this page; "
                        "packets are counted by the kernel; memory is the peak of the process so far.");
    page_.figures(figures_.epochs);
    Rows rows;
    for (const RankAccount& account : run_.ranks) {
      if (account.epochs.empty()) continue;
      TextRow row = {name_of_rank(account), grouped(std::ssize(account.epochs))};
      for (const EpochMeasure& one : epoch_measures()) {
        row.push_back(
            text_or_none(one.quantity, one.name == "memory" ? last(points_of(account, one)) : median_of(account, one)));
      }
      row.push_back(text_or_none(Quantity::kBytes, sum_of(account, measure("bytes"))));
      row.push_back(text_or_none(Quantity::kSeconds, sum_of(account, measure("time"))));
      rows.push_back(std::move(row));
    }
    page_.table({run_.is_pairwise() ? "median" : "median; dealer: mean", "epochs", "bytes sent", "packets", "rounds",
                 "time", "CPU time", "peak memory", "sent in epochs", "time in epochs"},
                rows);
    page_.end_section();
  }

  void tell_protocols() {
    page_.begin_section(
        "Cost by protocol",
        fmt::format("The cost that the protocols of the last session state from shapes alone, sharing of "
                    "the data included. Bytes and messages are sums over all parties; the parties share "
                    "rounds.{}",
                    run_.is_pairwise() ? " A part of the rounds and bytes makes the correlations: the last two "
                                         "columns."
                                       : ""));
    if (is_empty(figures_.protocols.front())) {
      page_.paragraph("No party’s account has it: a party writes it when its run ends well.");
      return page_.end_section();
    }
    page_.figures(figures_.protocols);
    std::vector<ToldCost> all;
    for (const RankAccount& account : run_.ranks) {
      for (const ToldCost& one : account.stated_by_protocol) add_up(one, all);
    }
    Rows rows;
    for (const ToldCost& one : all) {
      rows.push_back({one.protocol, grouped(one.calls), grouped(one.cost.rounds), grouped(one.cost.bytes),
                      grouped(one.cost.messages)});
      const mpc::Cost& cost = one.cost;
      const bool pairwise = run_.is_pairwise();
      rows.back().push_back(grouped(pairwise ? cost.made_rounds : cost.dealt_bytes));
      rows.back().push_back(grouped(pairwise ? cost.made_bytes : cost.dealt_messages));
    }
    TextRow header = {"protocol", "calls", "rounds", "bytes between parties", "messages"};
    if (run_.is_pairwise()) {
      header.insert(header.end(), {"rounds for correlations", "bytes for correlations"});
    } else {
      header.insert(header.end(), {"bytes dealt", "messages dealt"});
    }
    page_.table(header, rows);
    page_.end_section();
  }

  void tell_predictions() {
    const std::vector<Prediction> all = predictions_of(run_);
    page_.begin_section("Predicted against measured",
                        "Every protocol states its cost before it runs. The payload that each rank sent is compared "
                        "with it, epoch by epoch.");
    const bool equal = std::all_of(all.begin(), all.end(), [](const Prediction& one) { return one.equal(); });
    page_.paragraph(run_.is_pairwise()
                        ? "Not compared: the parties make correlations ahead of the epochs that use them, so "
                          "the payload of an epoch is not that of its protocols. The sums of the whole "
                          "session are in the tables above and in `tacit plan`."
                    : all.empty() ? "No epoch has both numbers."
                    : equal       ? "All are equal."
                                  : "Some differ: a rank runs another program or another job, or Tacit has a bug.",
                    equal ? "" : "warning");
    Rows rows;
    for (const Prediction& one : all) {
      rows.push_back({one.who, one.what, text_of(Quantity::kCount, one.stated), text_of(Quantity::kCount, one.measured),
                      one.equal()         ? "equal"
                      : one.differing > 0 ? fmt::format("differ in {} epochs", one.differing)
                                          : "differ"});
    }
    page_.table({"rank", "number", "predicted", "measured", ""}, rows, 2);
    page_.end_section();
  }

  void tell_pairs() {
    constexpr std::size_t kMostShown = 17;
    std::size_t peers = 0;
    for (const RankAccount& account : run_.ranks) peers = std::max(peers, account.sent_to.size());
    if (peers == 0) return;
    page_.begin_section("Traffic by rank",
                        "Payload that the rank of a row sent to the rank of a column, in all phases and sessions that "
                        "its account has.");
    const std::size_t shown = peers <= kMostShown ? peers : 0;
    TextRow header = {"from \\ to"};
    for (std::size_t peer = 0; peer < shown; ++peer) {
      const bool dealer =
          run_.parties() > 0 && static_cast<int>(peer) == run_.parties();  // of an earlier session, perhaps
      header.push_back(dealer ? "dealer" : fmt::format("rank {}", peer));
    }
    header.insert(header.end(), {"sent", "received"});
    Rows rows;
    for (const RankAccount& account : run_.ranks) {
      TextRow row = {name_of_rank(account)};
      double sent = 0, received = 0;
      for (const double bytes : account.sent_to) sent += bytes;
      for (const double bytes : account.received_from) received += bytes;
      for (std::size_t peer = 0; peer < shown; ++peer) {
        const bool self = static_cast<int>(peer) == account.rank, known = peer < account.sent_to.size();
        row.push_back(self ? "" : known ? bytes_text(account.sent_to[peer]) : kNoFigure);
      }
      row.insert(row.end(), {bytes_text(sent), bytes_text(received)});
      rows.push_back(std::move(row));
    }
    page_.table(header, rows);
    page_.end_section();
  }

  void tell_phases() {
    if (std::all_of(figures_.phases.begin(), figures_.phases.end(), is_empty)) return;
    page_.begin_section("Phases", "All sessions together; the time in which a rank waits for others is included.");
    page_.figures(figures_.phases);
    page_.end_section();
  }

  void tell_privacy() {
    const auto* told = first_rank(run_, [](const RankAccount& account) { return account.privacy.has_value(); });
    if (told == nullptr) return;
    const ToldPrivacy& privacy = *told->privacy;
    if (privacy.unit == "edge") {
      page_.begin_section(
          "Privacy of one edge",
          fmt::format(
              "Epsilon bounds the influence of the edges between two nodes, in both directions, on all revealed "
              "values together; delta is {:g}. The sums over edges are read once: {}.",
              privacy.delta, text_of_noisy_sums(privacy.noise_of_a_sum.value_or(0), privacy.mean_degree.value_or(0))));
    } else {
      page_.begin_section(
          "Privacy of one record",
          fmt::format(
              "Epsilon bounds the influence of one record, which an empty one may replace, on all revealed sums "
              "together; delta is {:g}. There were {} steps of about {:.0f} records each. A record’s "
              "gradient is clipped at {:g}.",
              privacy.delta, grouped(privacy.steps), privacy.records_in_a_step, privacy.clip));
    }
    Rows rows;
    for (const ToldAdversary& one : privacy.adversaries) {
      rows.push_back({one.who, fmt::format("{:.3g}", one.noise), fmt::format("{:.3g}", one.epsilon),
                      fmt::format("{:.3g}", one.epsilon_renyi)});
    }
    page_.table({"against", "noise", "epsilon", "by Renyi divergence"}, rows);
    for (const std::string& sentence : privacy.not_covered) page_.paragraph("Not covered: " + sentence + ".");
    page_.end_section();
  }

  void tell_reveals() {
    page_.begin_section("What was revealed",
                        "Everything that became known besides the sizes, in all sessions. All other openings were of "
                        "masked values.");
    if (const auto* ended = first_rank(run_, [](const RankAccount& account) { return !account.reveals.empty(); })) {
      Rows rows;
      for (const ToldReveal& one : ended->reveals) {
        rows.push_back({shown_kind(teller_, one.what), one.to, grouped(one.count), grouped(one.elements)});
      }
      page_.table({"what", "to", "times", "numbers in all"}, rows, 2);
      for (const std::string& sentence : ended->implied) page_.paragraph("Besides, " + sentence + ".");
    } else {
      tell_reveals_so_far();
    }
    tell_decisions();
    if (run_.setting("audit.every") == "\"off\"" && run_.setting("privacy.unit").empty())
      page_.paragraph(fmt::format("Ranges: {}.", kWatchIsOff), "warning");
    page_.end_section();
  }

  void tell_reveals_so_far() {
    Rows rows;
    if (const std::int64_t losses = std::ssize(losses_of(teller_)); losses > 0) {
      const std::string to = unquoted(run_.setting("reveal.loss"));
      rows.push_back({"training loss", to.empty() ? kNoFigure : to, grouped(losses)});
    }
    for (const ToldReading& reading : last_readings(teller_)) {
      rows.push_back({shown_name(reading), reading.to, grouped(std::ssize(readings_of(teller_, reading.what)))});
    }
    if (rows.empty()) return page_.paragraph("Nothing, according to the accounts here.");
    page_.paragraph(
        fmt::format("No rank has ended well, and only such a rank lists all reveals. The epochs in the "
                    "account of {} show these; the last epoch may be missing:",
                    name_of_rank(teller_)));
    page_.table({"what", "to", "epochs"}, rows, 2);
  }

  void tell_decisions() {
    const auto* decided = first_rank(run_, [](const RankAccount& account) { return !account.decisions.empty(); });
    if (decided == nullptr) return;
    page_.paragraph(fmt::format("Decisions that every rank{} know{}, because they decide whether the run continues:",
                                run_.is_pairwise() ? "" : " and the dealer", run_.is_pairwise() ? "s" : ""));
    Rows rows;
    for (const mpc::Decision& one : decided->decisions) rows.push_back({one.reason, grouped(one.count)});
    page_.table({"decision", "times"}, rows);
  }

  void tell_account() {
    constexpr std::size_t kMostShown = 200;
    page_.begin_section("Sources of this page");
    Rows rows;
    for (const RankAccount& account : run_.ranks) {
      for (const ToldSession& session : account.sessions) {
        if (rows.size() == kMostShown) break;
        rows.push_back({name_of_rank(account), session.started, session.command,
                        session.resumed_from ? fmt::format("after epoch {}", *session.resumed_from) : "afresh",
                        session.ended.empty() ? "unknown" : session.ended, grouped(session.epochs)});
      }
    }
    page_.table({"session of", "began", "command", "started", "end", "epochs"}, rows, 5);
    if (teller_.epochs_again > 0) {
      page_.paragraph(
          fmt::format("{} epochs were trained again after a session was lost. Figures show their last "
                      "training; the traffic between ranks includes the lost ones.",
                      teller_.epochs_again));
    }
    std::int64_t missing = 0;
    const int last = run_.parties() - (run_.is_pairwise() ? 1 : 0);
    for (int rank = 0; run_.parties() > 0 && rank <= last && run_.ranks.size() > 1; ++rank) {
      missing += run_.rank(rank) == nullptr ? 1 : 0;
    }
    if (missing > 0) {
      page_.paragraph(fmt::format("The accounts of {} {} are not here.", missing, missing == 1 ? "rank" : "ranks"));
    }
    for (const std::string& complaint : run_.complaints) page_.paragraph(complaint, "warning");
    if (!teller_.job_digest.empty()) page_.paragraph(fmt::format("Job digest: {}", teller_.job_digest), "about");
    page_.paragraph(fmt::format("Read from {}. Last event: {}. The run was of tacit {}.", run_.folder,
                                teller_.last_time.empty() ? "at an unknown time" : teller_.last_time,
                                teller_.tacit_version.empty() ? "(unknown version)" : teller_.tacit_version),
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

}  // namespace tacit::launcher
