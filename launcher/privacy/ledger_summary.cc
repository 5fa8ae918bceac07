#include "launcher/privacy/ledger_summary.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "launcher/table.h"

namespace tacit::launcher {

namespace {

constexpr std::size_t kMostJobs = 20;  // in the text

std::string time_text(std::int64_t seconds) {
  return fmt::format("{:%Y-%m-%d %H:%M}", fmt::gmtime(static_cast<std::time_t>(seconds)));
}

std::string_view word_of(gnn::Observer observer) {
  switch (observer) {
    case gnn::Observer::kOutsiders:
      return "outsiders";
    case gnn::Observer::kDealer:
      return "dealer";
    case gnn::Observer::kParties:
      break;
  }
  return "parties";
}

std::vector<LedgerSummary::Row> rows_of(const gnn::LedgerContent& content, double delta) {
  std::map<gnn::Observer, gnn::Adversary> observers;
  for (const gnn::LedgerSession& session : content.sessions) {
    for (const gnn::Adversary& one : session.plan.adversaries) {
      gnn::Adversary& known = observers.emplace(one.observer, one).first->second;
      known.together = std::max(known.together, one.together);
    }
  }
  std::vector<LedgerSummary::Row> rows;
  for (const auto& [observer, adversary] : observers) {
    rows.push_back({adversary, gnn::epsilon_of(content.charged(observer), delta)});
  }
  return rows;
}

void add_reveal(std::vector<gnn::LedgerReveal>& reveals, const gnn::LedgerReveal& reveal) {
  for (gnn::LedgerReveal& one : reveals) {
    if (one.what != reveal.what || one.to != reveal.to) continue;
    one.step = std::max(one.step, reveal.step);
    return;
  }
  reveals.push_back(reveal);
}

std::vector<LedgerSummary::Job> jobs_of(const gnn::LedgerContent& content) {
  std::vector<LedgerSummary::Job> jobs;
  std::vector<std::size_t> places;  // the index in `jobs` of each session
  const std::vector<std::int64_t> steps = content.charged_steps();
  for (std::size_t i = 0; i < content.sessions.size(); ++i) {
    const gnn::LedgerSession& session = content.sessions[i];
    places.push_back(session.from ? places[*session.from] : jobs.size());
    if (!session.from) jobs.emplace_back().began = session.began;
    LedgerSummary::Job& job = jobs[places[i]];
    job.digest = session.job;
    job.plan = session.plan;
    ++job.sessions;
    job.charged_steps += steps[i];
    for (const gnn::LedgerReveal& reveal : session.reveals) add_reveal(job.reveals, reveal);
  }
  if (content.open) jobs[places[*content.open]].open = true;
  return jobs;
}

std::string reveals_text(const LedgerSummary::Job& job) {
  std::string text = job.open ? "open" : "ended";
  for (std::size_t i = 0; i < job.reveals.size() && i < 4; ++i) {
    text += fmt::format("{} {} to {}", i == 0 ? "; revealed" : ",", job.reveals[i].what, job.reveals[i].to);
  }
  return text + (job.reveals.size() > 4 ? ", ..." : "");
}

std::string job_table(const LedgerSummary& summary) {
  std::vector<std::vector<std::string>> rows = {
      {"job", "begun (UTC)", "state", "noise", "steps", "charged", "sessions"}};
  const std::size_t first = summary.jobs.size() - std::min(summary.jobs.size(), kMostJobs);
  for (std::size_t i = first; i < summary.jobs.size(); ++i) {
    const LedgerSummary::Job& job = summary.jobs[i];
    rows.push_back({job.digest.substr(0, 8), time_text(job.began), reveals_text(job),
                    fmt::format("{:g}", job.plan.noise), fmt::format("{}", job.plan.steps),
                    fmt::format("{}", job.charged_steps), fmt::format("{}", job.sessions)});
  }
  return table(rows, 3) + (first > 0 ? fmt::format("and {} earlier jobs\n", first) : "");
}

}  // namespace

LedgerSummary summarise(const gnn::LedgerContent& content, double delta) {
  LedgerSummary summary;
  summary.delta = delta;
  summary.allowed = content.allowed;
  if (content.sessions.empty()) return summary;
  summary.unit = content.sessions.front().plan.unit;
  summary.rows = rows_of(content, delta);
  summary.most = gnn::epsilon_of(content.charged_at_most(delta), delta);
  summary.jobs = jobs_of(content);
  return summary;
}

std::string adversary_table(const std::vector<LedgerSummary::Row>& rows, bool with_noise) {
  std::vector<std::vector<std::string>> lines = {{""}};
  if (with_noise) lines[0].push_back("noise");
  lines[0].insert(lines[0].end(), {"epsilon", "Renyi bound"});
  for (const LedgerSummary::Row& row : rows) {
    std::vector<std::string>& line = lines.emplace_back();
    line.push_back(describe(row.adversary));
    if (with_noise) line.push_back(fmt::format("{:.4g}", row.adversary.noise));
    const auto text = [](double epsilon) {
      return std::isfinite(epsilon) ? fmt::format("{:.4f}", epsilon) : "infinite";
    };
    line.insert(line.end(), {text(row.epsilon.told()), text(row.epsilon.by_renyi)});
  }
  return table(lines, 1);
}

std::string to_text(const LedgerSummary& summary) {
  std::string text;
  if (!summary.unit.empty()) {
    text += fmt::format("privacy of one {}, which an empty one replaces, at delta {:g}\n{}", summary.unit,
                        summary.delta, adversary_table(summary.rows, false));
  }
  const std::string spent = gnn::epsilon_text(summary.most.told());
  if (summary.allowed) {
    text += fmt::format("spent: epsilon {} of {} (delta {:g})\n", spent, gnn::epsilon_text(summary.allowed->epsilon),
                        summary.allowed->delta);
  } else {
    text += fmt::format("spent: epsilon {}; there is no budget: `tacit privacy allow` sets one\n", spent);
  }
  return text + (summary.jobs.empty() ? "no job has used this ledger\n" : job_table(summary));
}

Json to_json(const LedgerSummary::Row& row) {
  return {{"observer", word_of(row.adversary.observer)},
          {"together", row.adversary.together},
          {"epsilon", row.epsilon.told()},
          {"epsilon_renyi", row.epsilon.by_renyi}};
}

Json to_json(const LedgerSummary& summary) {
  Json json = {{"unit", summary.unit.empty() ? Json(nullptr) : Json(summary.unit)},
               {"delta", summary.delta},
               {"epsilon", summary.most.told()},
               {"epsilon_renyi", summary.most.by_renyi},
               {"allowed", nullptr},
               {"adversaries", Json::array()},
               {"jobs", Json::array()}};
  if (summary.allowed) json["allowed"] = {{"epsilon", summary.allowed->epsilon}, {"delta", summary.allowed->delta}};
  for (const LedgerSummary::Row& row : summary.rows) json["adversaries"].push_back(to_json(row));
  for (const LedgerSummary::Job& job : summary.jobs) {
    Json& one = json["jobs"].emplace_back();
    one = {{"job", job.digest},       {"began", job.began},       {"noise", job.plan.noise},
           {"steps", job.plan.steps}, {"sessions", job.sessions}, {"charged_steps", job.charged_steps},
           {"open", job.open},        {"reveals", Json::array()}};
    for (const gnn::LedgerReveal& reveal : job.reveals) {
      one["reveals"].push_back({{"what", reveal.what}, {"to", reveal.to}, {"step", reveal.step}});
    }
  }
  return json;
}

}  // namespace tacit::launcher
