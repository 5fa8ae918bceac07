#include "gnn/clean/summed_statistics.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "gnn/clean/count_tree.h"
#include "mpc/correlations/no_correlations.h"
#include "mpc/protocols/compare_transcripts.h"
#include "mpc/protocols/contribution.h"
#include "mpc/protocols/noise.h"
#include "mpc/protocols/reveal.h"
#include "mpc/sealed/storage_key.h"
#include "mpc/session/party_session.h"
#include "net/collectives/collectives.h"
#include "net/error.h"

namespace tacit::gnn {

namespace {

// A sum of values is added up in units of 2^-20 of the column's range: sums of 2^31 rows of two parties are exact in a double.
constexpr int kCoarser = 10;
constexpr int kValueBits = 30;  // of a value in its column's range (CleaningStatistics)
constexpr mpc::Format kWhole{mpc::kWordBits, 0};
constexpr std::int64_t kMost = std::int64_t{1} << 52;
constexpr std::int64_t kMostKept = std::int64_t{1} << 32;  // rows of a table with noise: sums of values stay below 2^62
constexpr double kMostDecoded = 0x1p48;                    // of a noisy number, as far as its text may have it

[[noreturn]] void refuse_size() { throw ConfigError("the statistics are of more rows than parties can add up"); }

// The numbers that are revealed, in their order. Visits kept(number), imputed(number, column), sum(number, column) and
// counts(numbers, rule).
template <typename Statistics, typename Visitor>
void visit(const CleaningRules& rules, Statistics& statistics, Visitor&& visitor) {
  visitor.kept(statistics.kept);
  for (std::size_t i = 0; i < rules.columns.size(); ++i) {
    if (!rules.columns[i].uses_statistic()) continue;
    auto& column = statistics.columns[i];
    visitor.imputed(column.imputed, column);
    if (column.counts.empty()) visitor.sum(column.sum, column);
    visitor.counts(column.counts, rules.columns[i]);
  }
}

// Visits counts without noise, which are added up unscaled.
struct Exact {
  std::function<void(std::int64_t& number, int coarser)> number;

  void kept(std::int64_t& count) const { number(count, 0); }
  void imputed(std::int64_t& count, const ColumnStatistics&) const { number(count, 0); }
  void sum(std::int64_t& of_values, const ColumnStatistics&) const { number(of_values, kCoarser); }
  void counts(std::vector<std::int64_t>& of_bins, const CleaningColumn&) const {
    for (std::int64_t& of_bin : of_bins) number(of_bin, 0);
  }
};

// A table's numbers as whole numbers of 2^-bits rows, in the form in which one row moves them least (statistics_noise.h).
class Encoder {
 public:
  Encoder(int bits, std::int64_t kept) : bits_(bits), kept_(kept) {
    if (kept > kMostKept) refuse_size();
  }

  void kept(std::int64_t count) { add(count, bits_); }
  void counts(const std::vector<std::int64_t>& of_bins, const CleaningColumn& rule) {
    for (const std::int64_t of_bin : of_bins) add(of_bin, bits_);
    if (!has_count_tree(rule, of_bins.size())) return;
    for (const std::int64_t of_group : counts_of_groups(of_bins)) add(of_group, bits_);
  }
  void imputed(std::int64_t count, const ColumnStatistics& of) { add(count, bits_ - (of.counts.empty() ? 1 : 0)); }
  void sum(std::int64_t of_values, const ColumnStatistics& of) {
    const std::int64_t middle = std::int64_t{1} << (kValueBits - 1);
    const std::int64_t centred = of_values - (kept_ - of.imputed) * middle;
    add(centred, bits_ - kValueBits);
  }

  std::vector<double> numbers;

 private:
  // Rounds toward minus infinity.
  void add(std::int64_t number, int shift) {
    if (shift > 0 && std::abs(number) > kMost >> shift) refuse_size();
    numbers.push_back(static_cast<double>(shift < 0 ? number >> -shift : number * (std::int64_t{1} << shift)));
  }

  const int bits_;
  const std::int64_t kept_;
};

// The revealed sums as counts again. Numbers may be negative.
class Decoder {
 public:
  Decoder(int bits, const mpc::Matrix& sums) : bits_(bits), sums_(sums) {}

  void kept(std::int64_t& count) { kept_ = count = whole(next(bits_)); }
  // Of a tree, the fitted bins, rounded so that no sum of the first bins is off by more than 1/2.
  void counts(std::vector<std::int64_t>& of_bins, const CleaningColumn& rule) {
    if (!has_count_tree(rule, of_bins.size())) {
      for (std::int64_t& of_bin : of_bins) of_bin = whole(next(bits_));
      return;
    }
    std::vector<double> noisy;
    for (const std::size_t level : levels_of_tree(of_bins.size())) {
      for (std::size_t i = 0; i < level; ++i) noisy.push_back(next(bits_));
    }
    double below = 0;
    std::int64_t told = 0;
    const std::vector<double> fitted = fitted_bins(of_bins.size(), noisy);
    for (std::size_t bin = 0; bin < fitted.size(); ++bin) {
      below += fitted[bin];
      of_bins[bin] = whole(below) - told;
      told += of_bins[bin];
    }
  }
  void imputed(std::int64_t& count, const ColumnStatistics& of) {
    count = whole(next(bits_ - (of.counts.empty() ? 1 : 0)));
  }
  void sum(std::int64_t& of_values, const ColumnStatistics& of) {
    const double rows = next(bits_) + static_cast<double>(kept_ - of.imputed) / 2;
    of_values = static_cast<std::int64_t>(std::llround(std::ldexp(std::clamp(rows, -0x1p31, 0x1p31), kValueBits)));
  }

 private:
  double next(int bits) { return std::ldexp(sums_(0, next_++), -bits); }
  static std::int64_t whole(double number) { return std::llround(std::clamp(number, -kMostDecoded, kMostDecoded)); }

  const int bits_;
  const mpc::Matrix& sums_;
  Eigen::Index next_ = 0;
  std::int64_t kept_ = 0;
};

// The parties' rules and noise must be equal: `own` are digests of both.
void expect_equal(net::Mesh& mesh, const std::array<std::string, 2>& own) {
  net::Group group(mesh);
  const auto parties = static_cast<std::size_t>(group.parties());
  const std::size_t size = own[0].size();
  std::vector<std::string> digests(parties, std::string(2 * size, ' '));
  digests[static_cast<std::size_t>(group.rank())] = own[0] + own[1];
  std::vector<net::Bytes> by_party;
  for (std::string& digest : digests) by_party.push_back(std::as_writable_bytes(std::span(digest)));
  net::all_gather(group, by_party);
  for (std::size_t rank = 1; rank < parties; ++rank) {
    if (digests[rank].substr(0, size) != digests[0].substr(0, size)) {
      throw ConfigError(
          fmt::format("the rules of ranks 0 and {} differ; all parties clean by the same rules file", rank));
    }
    if (digests[rank] != digests[0]) {
      throw ConfigError(fmt::format(
          "ranks 0 and {} ask for different noise; all parties say the same --epsilon and --delta, and have the "
          "same privacy.colluding in the job",
          rank));
    }
  }
}

std::string digest_of_noise(const NoisySums* noisy) {
  std::string text;
  if (noisy != nullptr) {
    const StatisticsNoise& noise = noisy->noise;
    text = fmt::format("{} {} {} {}", noise.bits, noise.noise.sigma, noise.noise.colluding, noise.plan.noise);
  }
  return fmt::format("{:02x}", fmt::join(mpc::digest_of(std::as_bytes(std::span(text))), ""));
}

std::vector<double> numbers_of(const CleaningRules& rules, CleaningStatistics own, const NoisySums* noisy) {
  if (noisy != nullptr) return numbers_in_units(rules, std::move(own), noisy->noise.bits);
  std::vector<double> numbers;
  visit(rules, own, Exact{[&](std::int64_t& number, int coarser) {
          numbers.push_back(static_cast<double>((number + (std::int64_t{1} << coarser) / 2) >> coarser));
        }});
  return numbers;
}

mpc::Matrix row_of(const CleaningRules& rules, const CleaningStatistics& own, std::int64_t parties,
                   const NoisySums* noisy) {
  const std::vector<double> numbers = numbers_of(rules, own, noisy);
  const double most = static_cast<double>(kMost / parties);
  if (std::any_of(numbers.begin(), numbers.end(), [most](double number) { return std::abs(number) > most; })) {
    refuse_size();
  }
  return Eigen::Map<const mpc::Matrix>(numbers.data(), 1, std::ssize(numbers));
}

void decode(const CleaningRules& rules, const mpc::Matrix& sums, const NoisySums* noisy, CleaningStatistics& all) {
  if (noisy != nullptr) return visit(rules, all, Decoder(noisy->noise.bits, sums));
  Eigen::Index next = 0;
  visit(rules, all, Exact{[&](std::int64_t& number, int coarser) {
          number = static_cast<std::int64_t>(std::llround(sums(0, next++))) << coarser;
        }});
}

}  // namespace

CleaningStatistics sum_over_parties(net::Mesh& mesh, const CleaningRules& rules, const CleaningStatistics& own,
                                    const NoisySums* noisy) {
  const int parties = mesh.world().parties;
  const mpc::Matrix mine = row_of(rules, own, parties, noisy);
  expect_equal(mesh, {own.rules, digest_of_noise(noisy)});
  mpc::PartySession session(mesh, net::AllReducePlan::unmeasured(parties), mpc::SessionOptions{}, mpc::no_correlations);
  if (noisy != nullptr) {
    noisy->reserve(session.nonce());
    net::Group group(mesh);
    net::barrier(group);
    session.before_reveals([&](const std::vector<mpc::Reveal>&) { noisy->before_reveal(); });
  }
  mpc::Share share = mpc::contribution(session, mpc::shape_of(mine), kWhole, &mine);
  if (noisy != nullptr) share = mpc::add_noise(session, share, noisy->noise.noise);
  const mpc::Public revealed = mpc::reveal(session, share, mpc::To::everyone(), "statistics of all parties' tables");
  mpc::compare_transcripts(session);
  CleaningStatistics all(rules);
  all.parties = parties;
  if (noisy != nullptr) {
    all.noise = NoiseOnCounts{noisy->noise.deviation, fmt::format("{:02x}", fmt::join(session.nonce(), ""))};
  }
  session.output([&](const mpc::PublicReader& read) { decode(rules, read(revealed), noisy, all); });
  return parse_statistics(text_of(all), rules, "the sum over all parties");  // as checked as a file
}

std::vector<double> numbers_in_units(const CleaningRules& rules, CleaningStatistics own, int bits) {
  Encoder encoder(bits, own.kept);
  visit(rules, own, encoder);
  return std::move(encoder.numbers);
}

std::int64_t revealed_numbers(const CleaningRules& rules, bool with_noise) {
  CleaningStatistics none(rules);
  if (with_noise) return std::ssize(numbers_in_units(rules, std::move(none), 1));
  std::int64_t count = 0;
  visit(rules, none, Exact{[&](std::int64_t&, int) { ++count; }});
  return count;
}

}  // namespace tacit::gnn
