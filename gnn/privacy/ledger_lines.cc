#include "gnn/privacy/ledger_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <span>

#include "mpc/sealed/storage_key.h"
#include "net/decimal.h"
#include "net/error.h"
#include "net/printable.h"

namespace tacit::gnn {

namespace {

constexpr std::size_t kHashDigits = 32;
constexpr std::string_view kSeparator = "; ";
constexpr std::string_view kSeen = "seen";
constexpr std::string_view kHeadOfAnyVersion = "Tacit privacy ledger, version ";
constexpr WordTable<Observer, 3> kObservers = {
    {{Observer::kOutsiders, "outsiders"}, {Observer::kDealer, "dealer"}, {Observer::kParties, "parties"}}};

// Thrown by Fields for a line that is not as the format says; parse_ledger adds the name and the line.
struct BadLine {
  std::string why;
};

// The fields of a line, which are read in order.
class Fields {
 public:
  explicit Fields(std::string_view text) {
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t end = std::min(text.find(kSeparator, at), text.size());
      all_.push_back(text.substr(at, end - at));
      at = end + kSeparator.size();
    }
  }

  std::string_view verb() const { return all_.front(); }
  bool has(std::string_view key) const {
    return next_ < all_.size() && all_[next_].starts_with(key) && all_[next_].substr(key.size()).starts_with('=');
  }
  std::string_view value(std::string_view key) {
    if (!has(key)) throw BadLine{fmt::format("lacks \"{}\"", key)};
    return all_[next_++].substr(key.size() + 1);
  }
  std::string text(std::string_view key) {
    const std::string_view text = value(key);
    if (!is_ledger_text(text)) throw BadLine{fmt::format("has an unreadable \"{}\"", key)};
    return std::string(text);
  }
  std::string digest(std::string_view key) {
    const std::string_view text = value(key);
    const auto digit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
    if (text.size() != 64 || !std::all_of(text.begin(), text.end(), digit)) {
      throw BadLine{fmt::format("has a \"{}\" that is no digest", key)};
    }
    return std::string(text);
  }
  std::int64_t count(std::string_view key) { return count_of(key, value(key)); }
  double number(std::string_view key) { return number_of(key, value(key)); }

  static std::int64_t count_of(std::string_view key, std::string_view text) {
    const auto count = net::parse_decimal(text, 0, std::int64_t{1} << 60);
    if (!count) throw BadLine{fmt::format("has a \"{}\" that is no whole number", key)};
    return *count;
  }
  static double number_of(std::string_view key, std::string_view text) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(number)) {
      throw BadLine{fmt::format("has a \"{}\" that is no number", key)};
    }
    return number;
  }

  void expect_end() const {
    if (next_ != all_.size()) throw BadLine{"has fields that this version does not know"};
  }

 private:
  std::vector<std::string_view> all_;
  std::size_t next_ = 1;
};

Adversary adversary_of(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  const bool seen = parts.size() == 6 && parts[5] == kSeen;
  if (parts.size() != 5 && !seen) throw BadLine{"has an adversary without five parts"};
  for (const auto& [observer, word] : kObservers) {
    if (parts[0] != word) continue;
    const std::int64_t together = Fields::count_of("adversary", parts[1]);
    if (together > 1'000'000) throw BadLine{"has an adversary of too many parties"};
    return {observer,
            static_cast<int>(together),
            Fields::number_of("adversary", parts[2]),
            Fields::number_of("adversary", parts[3]),
            Fields::count_of("adversary", parts[4]),
            seen};
  }
  throw BadLine{"has an adversary that this version does not know"};
}

std::string_view word_of(Observer observer) {
  for (const auto& [one, word] : kObservers) {
    if (one == observer) return word;
  }
  return "";
}

// Adds lines to a content, and checks that each may follow the lines before it.
class Reader {
 public:
  void take(Fields& line) {
    const std::string_view verb = line.verb();
    if (verb == "reserved" || verb == "resumed") return take_session(line, verb == "resumed");
    const std::int64_t time = line.count("time");
    if (verb == "allowed") {
      const Budget budget = {line.number("epsilon"), line.number("delta")};
      if (!(budget.epsilon >= 0)) throw BadLine{"allows a negative epsilon"};
      check_delta(budget.delta);
      content.allowed = budget;
    } else if (verb == "revealed") {
      take_reveal(line);
    } else if (verb == "ended") {
      open_session();
      content.open.reset();
    } else if (verb == "recovered") {
      line.count("bytes");
      if (line.has("step")) assume_reveal(line.count("step"));
    } else {
      throw BadLine{"is of a kind that this version does not know"};
    }
    static_cast<void>(time);
    line.expect_end();
  }

  LedgerContent content;

  // The reveal for which an incomplete line counts (ledger_lines.h).
  std::optional<std::int64_t> assume(std::string_view incomplete) {
    for (const std::string_view other : {"allowed;", "reserved;", "resumed;", "ended;"}) {
      if (incomplete.starts_with(other)) return {};
    }
    if (!content.open) return {};
    const LedgerSession& session = open_session();
    std::int64_t step = session.plan.steps;
    const std::size_t end = incomplete.rfind(kSeparator);
    try {
      Fields fields(incomplete.substr(0, end == std::string_view::npos ? 0 : end));  // complete fields only
      if (fields.verb() == "revealed" && fields.count("time") >= 0) {
        const std::int64_t stated = fields.count("step");
        if (stated >= session.from_step && stated <= step) step = stated;
      }
    } catch (const BadLine&) {
      // The step is not readable.
    }
    assume_reveal(step);
    return step;
  }

 private:
  void assume_reveal(std::int64_t step) { add_reveal({"an incomplete line of the ledger", "unknown", step}); }

  LedgerSession& open_session() {
    if (!content.open) throw BadLine{"belongs to no reservation"};
    return content.sessions[*content.open];
  }

  void take_reveal(Fields& line) {
    LedgerReveal reveal;
    reveal.step = line.count("step");
    reveal.to = line.text("to");
    reveal.what = line.text("what");
    add_reveal(std::move(reveal));
  }

  void add_reveal(LedgerReveal reveal) {
    LedgerSession& session = open_session();
    if (reveal.step < session.from_step || reveal.step > session.plan.steps) {
      throw BadLine{"reveals a step that is not in its session"};
    }
    session.reveals.push_back(std::move(reveal));
  }

  void take_session(Fields& line, bool resumes) {
    LedgerSession session;
    session.began = line.count("time");
    session.id = line.digest("session");
    if (resumes) {
      const auto from = places_.find(line.digest("from"));
      session.from_step = line.count("step");
      if (from == places_.end()) throw BadLine{"resumes a session that is not in the ledger"};
      const LedgerSession& before = content.sessions[from->second];
      if (session.from_step < before.from_step || session.from_step > before.plan.steps) {
        throw BadLine{"resumes from a step that is not in its session"};
      }
      session.from = from->second;
    }
    if (content.open && (!resumes || content.first_of_job(*content.open) != content.first_of_job(*session.from))) {
      throw BadLine{"reserves a second job before the first one has ended"};
    }
    session.job = line.digest("job");
    session.data = line.digest("data");
    if (line.has("table")) session.table = line.digest("table");
    if (!content.is_of(session)) throw BadLine{"is of other data than the lines before it"};
    content.add_data_of(session);
    PrivacyPlan& plan = session.plan;
    plan.unit = line.text("unit");
    if (!content.sessions.empty() && plan.unit != content.sessions.front().plan.unit) {
      throw BadLine{"counts another unit than the lines before it"};
    }
    plan.noise = line.number("noise");
    plan.steps = line.count("steps");
    plan.steps_per_epoch = line.count("epoch");
    plan.failure = line.number("failure");
    while (line.has("adversary") && plan.adversaries.size() <= kMostAdversaries) {
      plan.adversaries.push_back(adversary_of(line.value("adversary")));
    }
    line.expect_end();
    check_plan(plan);
    if (session.from_step > plan.steps) throw BadLine{"resumes beyond its last step"};
    if (content.sessions.size() == kMostLedgerSessions) throw BadLine{"is of one session too many"};
    if (!places_.emplace(session.id, content.sessions.size()).second) throw BadLine{"repeats a session"};
    content.open = content.sessions.size();
    content.sessions.push_back(std::move(session));
  }

  std::map<std::string, std::size_t> places_;  // each session's place in the list
};

[[noreturn]] void refuse(const std::string& name, const std::string& why, const std::string& told) {
  throw ConfigError(
      fmt::format("{} {}. A privacy ledger must be complete: bring it back from a copy, or name another ledger "
                  "if its data may forget the privacy that was spent. The file is unchanged",
                  name, why),
      "", told);
}

void expect_head(std::string_view text, const std::string& name) {
  if (text.starts_with(kLedgerHead) || text.starts_with(kLedgerHeadOfVersion1)) return;
  const std::string_view first = text.substr(0, text.find('\n'));
  if (first.starts_with(kHeadOfAnyVersion) && text.size() > first.size()) {
    const std::string_view version = first.substr(kHeadOfAnyVersion.size());
    throw ConfigError(
        fmt::format("{} has version {} of a privacy ledger; this Tacit reads versions 1 and 2: use the Tacit that "
                    "wrote it, or a newer one",
                    name, net::printable(version, 20)),
        "", "is of another version");
  }
  if (text.empty()) refuse(name, "is empty", "is empty");
  if (!kLedgerHead.starts_with(text) && !kLedgerHeadOfVersion1.starts_with(text))
    refuse(name, "is no privacy ledger", "is no privacy ledger");
  refuse(name, "is cut within its first line", "is damaged");
}

// The text of a line without its hash; empty if the hash is wrong.
std::string_view verified(std::string_view hash_before, std::string_view line) {
  const std::size_t tail = kSeparator.size() + kHashDigits;
  if (line.size() <= tail) return {};
  const std::string_view text = line.substr(0, line.size() - tail);
  const bool whole = line.substr(text.size(), kSeparator.size()) == kSeparator &&
                     line.substr(text.size() + kSeparator.size()) == ledger_hash(hash_before, text);
  return whole ? text : std::string_view();
}

}  // namespace

std::string allowed_text(std::int64_t time, const Budget& budget) {
  return fmt::format("allowed; time={}; epsilon={}; delta={}", time, budget.epsilon, budget.delta);
}

std::string session_text(const LedgerContent& content, const LedgerSession& session) {
  const PrivacyPlan& plan = session.plan;
  std::string text =
      fmt::format("{}; time={}; session={}", session.from ? "resumed" : "reserved", session.began, session.id);
  if (session.from) text += fmt::format("; from={}; step={}", content.sessions[*session.from].id, session.from_step);
  text += fmt::format("; job={}; data={}", session.job, session.data);
  if (!session.table.empty()) text += fmt::format("; table={}", session.table);
  text += fmt::format("; unit={}; noise={}; steps={}; epoch={}; failure={}", plan.unit, plan.noise, plan.steps,
                      plan.steps_per_epoch, plan.failure);
  for (const Adversary& one : plan.adversaries) {
    text +=
        fmt::format("; adversary={},{},{},{},{}", word_of(one.observer), one.together, one.noise, one.rate, one.uses);
    if (one.sample_seen) text += fmt::format(",{}", kSeen);
  }
  return text;
}

std::string revealed_text(std::int64_t time, const LedgerReveal& reveal) {
  return fmt::format("revealed; time={}; step={}; to={}; what={}", time, reveal.step, reveal.to, reveal.what);
}

std::string ended_text(std::int64_t time) { return fmt::format("ended; time={}", time); }

std::string recovered_text(std::int64_t time, std::int64_t bytes, std::optional<std::int64_t> step) {
  return fmt::format("recovered; time={}; bytes={}{}", time, bytes, step ? fmt::format("; step={}", *step) : "");
}

std::string ledger_hash(std::string_view hash_before, std::string_view text) {
  const std::string all = fmt::format("{}\n{}", hash_before, text);
  const mpc::Digest digest = mpc::digest_of(std::as_bytes(std::span(all)));
  return fmt::format("{:02x}", fmt::join(std::span(digest).first<kHashDigits / 2>(), ""));
}

std::string ledger_line(std::string_view hash_before, std::string_view text) {
  return fmt::format("{}{}{}\n", text, kSeparator, ledger_hash(hash_before, text));
}

bool is_ledger_text(std::string_view text) {
  const auto plain = [](char c) { return c >= ' ' && c <= '~' && c != ';'; };
  return !text.empty() && text.size() <= kMostLedgerText && std::all_of(text.begin(), text.end(), plain);
}

LedgerReading parse_ledger(std::string_view text, const std::string& name) {
  expect_head(text, name);
  Reader reader;
  LedgerReading reading;
  std::size_t at = kLedgerHead.size();
  for (std::int64_t number = 2; at < text.size(); ++number) {
    const std::size_t end = text.find('\n', at);
    const auto damaged = [&](const std::string& why) {
      refuse(name, fmt::format("is damaged: line {} {}", number, why), "is damaged");
    };
    if (std::min(end, text.size()) - at > kMostLedgerLine) damaged("is longer than a line of a ledger");
    if (end == std::string_view::npos) break;
    const std::string_view line = verified(reading.hash, text.substr(at, end - at));
    if (line.empty()) damaged("does not have the hash in it");
    try {
      Fields fields(line);
      reader.take(fields);
    } catch (const BadLine& bad) {
      damaged(bad.why);
    } catch (const ConfigError& error) {
      damaged(fmt::format("has numbers outside the limits ({})", error.what()));
    }
    reading.hash = ledger_hash(reading.hash, line);
    at = end + 1;
  }
  reading.whole = static_cast<std::int64_t>(at);
  reading.incomplete = static_cast<std::int64_t>(text.size() - at);
  if (reading.incomplete > 0) reading.assumed_step = reader.assume(text.substr(at));
  reading.content = std::move(reader.content);
  return reading;
}

}  // namespace tacit::gnn
