#include "launcher/attack/attack_answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "launcher/table.h"

namespace tacit::launcher {

namespace {

using Rows = std::vector<std::vector<std::string>>;

std::string percent(double part) { return fmt::format("{:.1f} %", 100 * part); }

std::vector<std::string> row_of(const std::string& name, const gnn::Ranking& one) {
  return {name, fmt::format("{:.3f}", one.area), percent(one.at_percent), percent(one.at_thousandth),
          percent(one.advantage)};
}

Json json_of(const gnn::Ranking& one) {
  return {{"auc", one.area},
          {"auc_error", one.error},
          {"found_at_1_percent", one.at_percent},
          {"found_at_0.1_percent", one.at_thousandth},
          {"advantage", one.advantage}};
}

void add_bound(const AttackedJob& job, Rows& rows, Json& json) {
  if (!job.epsilon || !std::isfinite(*job.epsilon)) return;
  const double epsilon = *job.epsilon, delta = *job.delta;
  rows.push_back({fmt::format("at most, with epsilon {:.3g}", epsilon),
                  fmt::format("{:.3f}", gnn::largest_area(epsilon, delta)),
                  percent(gnn::most_found(epsilon, delta, 0.01)), percent(gnn::most_found(epsilon, delta, 0.001)),
                  percent(gnn::most_found(epsilon, delta, (1 - delta) / (1 + std::exp(epsilon))) -
                          (1 - delta) / (1 + std::exp(epsilon)))});
  json["bound"] = {{"epsilon", epsilon},
                   {"delta", delta},
                   {"auc", gnn::largest_area(epsilon, delta)},
                   {"found_at_1_percent", gnn::most_found(epsilon, delta, 0.01)},
                   {"found_at_0.1_percent", gnn::most_found(epsilon, delta, 0.001)}};
}

const char* kColumns[] = {"AUC", "found at 1 % false alarms", "at 0.1 %", "advantage"};

}  // namespace

Answer answer_of(const AttackedJob& job, const gnn::MembershipAttack& attack) {
  Answer answer;
  const bool classes = job.rehearsal.of_classes();
  answer.text =
      fmt::format("{}: {} records that were trained on, {} others\n", job.file, attack.members, attack.others);
  const char* score = classes ? "accuracy" : "rmse";
  const auto number = [&](double value) { return classes ? percent(value) : fmt::format("{:.4g}", value); };
  Rows rows{{score, "trained on", "others"},
            {"the model", number(attack.of_members), number(attack.of_others)},
            {classes ? "the commonest class" : "the mean", number(attack.constant_of_members),
             number(attack.constant_of_others)}};
  answer.text += table(rows, 1) + "\n";
  answer.json = {{"model", job.file},
                 {"members", attack.members},
                 {"others", attack.others},
                 {score, {{"members", attack.of_members}, {"others", attack.of_others}}},
                 {"constant", {{"members", attack.constant_of_members}, {"others", attack.constant_of_others}}},
                 {"by_fit", json_of(attack.by_fit)},
                 {"untrained", json_of(attack.untrained)},
                 {"by_shadows", attack.by_shadows ? json_of(*attack.by_shadows) : Json(nullptr)},
                 {"bound", nullptr}};
  rows = {{"members found by", kColumns[0], kColumns[1], kColumns[2], kColumns[3]},
          row_of("the fit to the label", attack.by_fit)};
  if (attack.by_shadows) rows.push_back(row_of("shadow models", *attack.by_shadows));
  rows.push_back(row_of("an untrained model", attack.untrained));
  add_bound(job, rows, answer.json);
  answer.text += table(rows, 1);
  answer.text += fmt::format("0.5 is a guess; without any information, an AUC of 0.5 +- {:.3f} is to be expected\n",
                             2 * attack.by_fit.error);
  return answer;
}

Answer answer_of(const AttackedJob& job, const std::vector<gnn::InvertedColumn>& columns) {
  Answer answer;
  Rows rows{{"column", "values", "trained on", "others", "more by", "untrained model", "commonest value"}};
  answer.json = {{"model", job.file}, {"columns", Json::array()}};
  for (const gnn::InvertedColumn& one : columns) {
    rows.push_back({fmt::format("{}", one.column), fmt::format("{}", one.values), percent(one.members),
                    percent(one.others), fmt::format("{:+.1f} % +- {:.1f}", 100 * one.gained(), 200 * one.error),
                    percent(one.untrained), percent(one.commonest)});
    answer.json["columns"].push_back({{"column", one.column},
                                      {"values", one.values},
                                      {"members", one.members},
                                      {"others", one.others},
                                      {"gained", one.gained()},
                                      {"gained_error", one.error},
                                      {"untrained", one.untrained},
                                      {"commonest", one.commonest}});
  }
  answer.text = fmt::format(
      "{}: guessed values of each column: the value that fits the label best\n{}"
      "only \"more by\" is about the records of the training: a column that predicts the label is guessed for all "
      "people, also for people whose records the model never saw\n",
      job.file, table(rows, 1));
  return answer;
}

Answer answer_of(const AttackedJob& job, const gnn::LinkAttack& attack) {
  Answer answer;
  answer.text = fmt::format("{}: {} pairs of nodes with an edge, and as many without\n", job.file, attack.pairs);
  Rows rows{{"edges found by alike", kColumns[0], kColumns[1], kColumns[2], kColumns[3]},
            row_of("answers of the model", attack.by_model),
            row_of("answers without edges", attack.by_dense),
            row_of("features", attack.by_features)};
  answer.text += table(rows, 1);
  answer.text +=
      "answers without edges come from the same layers, trained in the clear by features alone: the edges that they "
      "find follow from the features\n";
  answer.json = {{"model", job.file},
                 {"pairs", attack.pairs},
                 {"by_model", json_of(attack.by_model)},
                 {"by_dense", json_of(attack.by_dense)},
                 {"by_features", json_of(attack.by_features)}};
  return answer;
}

}  // namespace tacit::launcher
