#include "launcher/job/job.h"

#include <fmt/format.h>

#include "gnn/settings/setting_field.h"
#include "net/error.h"
#include "net/printable.h"
#include "net/world.h"

namespace tacit::launcher {

namespace {

using gnn::Scope;
using gnn::SettingValue;

constexpr std::int64_t kMostNameBytes = 100;
constexpr std::string_view kRank = "{rank}";
constexpr gnn::WordTable<Job::Join, 2> kJoins = {
    {{Job::Join::kNone, "none"}, {Job::Join::kIntersection, "intersection"}}};

class RankFilesField final : public gnn::SettingField {
 public:
  explicit RankFilesField(RankFiles& value) : value_(value) {}
  void read(const SettingValue& value) override;
  SettingValue value() const override;
  std::string allowed() const override {
    return "a file's path, in which {rank} stands for a rank's number, or a list of paths, one for each rank";
  }

 private:
  RankFiles& value_;
};

void RankFilesField::read(const SettingValue& value) {
  const auto path = [this](const SettingValue& one) {
    const std::string* text = gnn::clean_text(one, gnn::kMostTextBytes);
    if (text == nullptr) gnn::expected(allowed(), one);
    return *text;
  };
  RankFiles files;
  if (const auto* list = std::get_if<SettingValue::List>(&value.content)) {
    if (list->empty() || list->size() > net::kMaxWorldSize) gnn::expected(allowed(), value);
    for (const SettingValue& item : *list) files.each.push_back(path(item));
  } else {
    files.pattern = path(value);
  }
  value_ = files;
}

SettingValue RankFilesField::value() const {
  if (!value_.pattern.empty()) return {value_.pattern};
  SettingValue::List list;
  for (const std::string& file : value_.each) list.push_back({file});
  return {list};
}

class RankSizesField final : public gnn::SettingField {
 public:
  explicit RankSizesField(std::vector<std::int64_t>& sizes) : sizes_(sizes) {}
  void read(const SettingValue& value) override {
    const auto* list = std::get_if<SettingValue::List>(&value.content);
    if (list == nullptr || list->empty() || list->size() > net::kMaxWorldSize) gnn::expected(allowed(), value);
    std::vector<std::int64_t> sizes;
    for (const SettingValue& one : *list) {
      const auto* size = std::get_if<std::int64_t>(&one.content);
      if (size == nullptr || *size < 0 || *size > gnn::kMostOfAnySize) gnn::expected(allowed(), one);
      sizes.push_back(*size);
    }
    sizes_ = std::move(sizes);
  }
  SettingValue value() const override {
    SettingValue::List list;
    for (const std::int64_t size : sizes_) list.emplace_back().content = size;
    return {list};
  }
  std::string allowed() const override { return "a list of whole numbers, one for each rank"; }

 private:
  std::vector<std::int64_t>& sizes_;
};

void describe_text(gnn::SettingVisitor& visitor, const gnn::About& about, std::string& value, std::string_view what) {
  gnn::TextField field(value, what);
  if (visitor.has(about.key, !value.empty())) visitor.field(about, field);
}

void describe_files(gnn::SettingVisitor& visitor, const gnn::About& about, RankFiles& files) {
  RankFilesField field(files);
  if (visitor.has(about.key, !files.empty())) visitor.field(about, field);
}

}  // namespace

void expect_no_rank_in(const std::filesystem::path& folder) {
  if (folder.string().find(kRank) == std::string::npos) return;
  throw ConfigError(
      fmt::format("the folder {} has {} in its name, which stands for the number of a rank in the path of a "
                  "file; rename it, or work in another folder",
                  net::printable(folder.string()), kRank));
}

std::string RankFiles::of(int rank) const {
  if (pattern.empty()) return static_cast<std::size_t>(rank) < each.size() ? each[static_cast<std::size_t>(rank)] : "";
  std::string path = pattern;
  const std::string number = std::to_string(rank);
  for (std::size_t at = path.find(kRank); at != std::string::npos; at = path.find(kRank, at + number.size())) {
    path.replace(at, kRank.size(), number);
  }
  return path;
}

void Job::describe(gnn::SettingVisitor& visitor) {
  gnn::TextField name_field(name, "the job's name", kMostNameBytes);
  visitor.field({"name", "the name of the job, in messages and reports", Scope::kRun, true}, name_field);
  if (visitor.has("parties", parties > 0)) {
    visitor.whole({"parties", "the number of parties, which hold data and shares; by default the number in the roster",
                   Scope::kModel},
                  parties, 1, net::kMaxWorldSize - 1);
  }
  visitor.word(
      {"correlations",
       "the source of correlated randomness: a dealer, which is one further rank and must not work together with "
       "any party; pairwise: the parties make it among themselves, with more traffic; pairwise-softspoken: the same "
       "without the assumption of learning parity with noise, and with far more bytes; none: for the mode "
       "\"aggregate\"",
       Scope::kModel},
      training.correlations, gnn::kCorrelations);
  describe_text(visitor, {"roster", "the file that names the key of each rank", Scope::kRank}, roster, "a file's path");
  describe_text(visitor, {"master", "the address at which rank 0 listens", Scope::kRank}, master,
                "HOST:PORT of rank 0");
  gnn::TextField output_field(output, "a folder's path");
  visitor.field({"output", "the folder of results; each rank has a folder in it", Scope::kRank}, output_field);
  Plans::describe(
      visitor,
      [this](gnn::SettingVisitor& table) {
        table.word({"join", "the nodes that take part: all, or the nodes that `tacit data align` found at all parties",
                    Scope::kModel},
                   join, kJoins);
        describe_files(table, {"files", "the file with a party's part of the data", Scope::kRank}, files);
      },
      [this](gnn::SettingVisitor& table) {
        describe_files(
            table,
            {"ledger", "the file with the account of privacy spent on a party's data; by default no account is kept",
             Scope::kRank},
            ledger);
      });
  visitor.enter("predict");
  describe_files(
      visitor,
      {"files", "the file with a party's part of the data to predict; by default the training's part", Scope::kRank},
      predict_files);
  describe_text(visitor, {"nodes", "a file with the nodes to predict, one on each line; by default all", Scope::kRank},
                predict_nodes, "a file's path");
  RankSizesField sizes(predict_rows);
  if (visitor.has("rows", !predict_rows.empty())) {
    visitor.field({"rows",
                   "how many nodes of the data to predict each rank has, if owners of rows bring folders of CSV files; "
                   "by default as many as in the training",
                   Scope::kSession},
                  sizes);
  }
  visitor.leave();
  visitor.enter("serve");
  describe_files(
      visitor,
      {"socket", "the Unix domain socket for requests; by default ask.sock in the rank's folder", Scope::kRank},
      service.socket);
  describe_text(
      visitor,
      {"http", "an address of this machine's loopback for requests, which any local user reaches; by default none",
       Scope::kRank},
      service.http, "HOST:PORT on this machine, as 127.0.0.1:8080");
  describe_files(visitor, {"folder", "a folder for requests as files NAME.json; by default none", Scope::kRank},
                 service.folder);
  visitor.whole({"requests_per_minute", "requests of each rank in a minute that this rank takes part in", Scope::kRank},
                service.limits.requests_per_minute, 1, 1'000'000);
  visitor.whole({"nodes_per_request", "nodes of a request that this rank takes part in, at most", Scope::kRank},
                service.limits.nodes_per_request, 1, 1'000'000);
  visitor.leave();
  visitor.enter("keys");
  describe_files(visitor, {"identity", "the private key by which the other ranks know this one", Scope::kRank},
                 keys.identity);
  describe_files(visitor,
                 {"storage", "the key that seals checkpoints; by default a new one in the output folder", Scope::kRank},
                 keys.storage);
  visitor.leave();
}

std::string trust_without_dealer(std::string_view correlations) {
  const bool parity = correlations == gnn::word_of(gnn::Correlations::kPairwise);
  return fmt::format(
      "there is no dealer and no other helper; the data are safe from all parties but one, even if they pool all that "
      "they see, as long as they follow the protocol and {} assumptions hold: RLWE (8192 coefficients, moduli of 150 "
      "to 210 bits), {}AES as a correlation-robust hash, and CDH on ristretto255; a party that deviates from the "
      "protocol is not covered",
      parity ? "four" : "three",
      parity ? "learning parity with noise (2^18 secret bits, one error in 2^11 samples), " : "");
}

std::string ranks_in_words(const Job& job) {
  return fmt::format("{} {}{}", job.parties, job.parties == 1 ? "party" : "parties",
                     job.helpers() > 0   ? " and a dealer"
                     : job.is_pairwise() ? ", which make the correlations among themselves"
                                         : "");
}

std::string part_file(const Job& job, int rank) {
  std::string file = job.files.of(rank);
  return file.empty() || job.join == Job::Join::kNone ? file : aligned_file(file);
}

std::string prediction_file(const Job& job, int rank) {
  return job.predict_files.empty() ? part_file(job, rank) : job.predict_files.of(rank);
}

std::string aligned_file(const std::string& file) {
  constexpr std::string_view kAligned = ".aligned.npz", kNpz = ".npz";
  std::string_view stem = file;
  if (stem.ends_with(kAligned)) return file;
  while (stem.ends_with('/')) stem.remove_suffix(1);
  if (stem.ends_with(kNpz)) stem.remove_suffix(kNpz.size());
  return std::string(stem).append(kAligned);
}

}  // namespace tacit::launcher
