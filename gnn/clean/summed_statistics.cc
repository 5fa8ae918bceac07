#include "gnn/clean/summed_statistics.h"

#include <fmt/format.h>

#include <cmath>
#include <functional>

#include "mpc/correlations/no_correlations.h"
#include "mpc/protocols/compare_transcripts.h"
#include "mpc/protocols/contribution.h"
#include "mpc/protocols/reveal.h"
#include "mpc/session/party_session.h"
#include "net/collectives/collectives.h"
#include "net/error.h"

namespace tacit::gnn {

namespace {

// A sum of values is added up in units of 2^-20 of the column's range: sums of 2^31 rows of two parties are exact in a double.
constexpr int kCoarser = 10;
constexpr mpc::Format kWhole{mpc::kWordBits, 0};
constexpr std::int64_t kMost = std::int64_t{1} << 52;

// Each number of the statistics that is revealed, with the bits by which it is coarsened.
void visit(const CleaningRules& rules, CleaningStatistics& statistics,
           const std::function<void(std::int64_t& number, int coarser)>& number) {
  number(statistics.kept, 0);
  for (std::size_t i = 0; i < rules.columns.size(); ++i) {
    if (!rules.columns[i].uses_statistic()) continue;
    ColumnStatistics& column = statistics.columns[i];
    number(column.imputed, 0);
    if (column.counts.empty()) number(column.sum, kCoarser);
    for (std::int64_t& count : column.counts) number(count, 0);
  }
}

void expect_equal_rules(net::Mesh& mesh, const std::string& own) {
  net::Group group(mesh);
  const auto parties = static_cast<std::size_t>(group.parties());
  std::vector<std::string> digests(parties, std::string(own.size(), ' '));
  digests[static_cast<std::size_t>(group.rank())] = own;
  std::vector<net::Bytes> by_party;
  for (std::string& digest : digests) by_party.push_back(std::as_writable_bytes(std::span(digest)));
  net::all_gather(group, by_party);
  for (std::size_t rank = 1; rank < parties; ++rank) {
    if (digests[rank] == digests[0]) continue;
    throw ConfigError(
        fmt::format("the rules of ranks 0 and {} differ; all parties clean by the same rules file", rank));
  }
}

mpc::Matrix row_of(const CleaningRules& rules, CleaningStatistics own, std::int64_t parties) {
  std::vector<double> numbers;
  visit(rules, own, [&](std::int64_t& number, int coarser) {
    const std::int64_t units = (number + (std::int64_t{1} << coarser) / 2) >> coarser;
    if (units > kMost / parties) throw ConfigError("the statistics are of more rows than parties can add up");
    numbers.push_back(static_cast<double>(units));
  });
  return Eigen::Map<const mpc::Matrix>(numbers.data(), 1, std::ssize(numbers));
}

}  // namespace

CleaningStatistics sum_over_parties(net::Mesh& mesh, const CleaningRules& rules, const CleaningStatistics& own) {
  const int parties = mesh.world().parties;
  const mpc::Matrix mine = row_of(rules, own, parties);
  expect_equal_rules(mesh, own.rules);
  mpc::PartySession session(mesh, net::AllReducePlan::unmeasured(parties), mpc::SessionOptions{}, mpc::no_correlations);
  const mpc::Share share = mpc::contribution(session, mpc::shape_of(mine), kWhole, &mine);
  const mpc::Public revealed = mpc::reveal(session, share, mpc::To::everyone(), "statistics of all parties' tables");
  mpc::compare_transcripts(session);
  CleaningStatistics all(rules);
  all.parties = parties;
  session.output([&](const mpc::PublicReader& read) {
    const mpc::Matrix& sums = read(revealed);
    Eigen::Index next = 0;
    visit(rules, all, [&](std::int64_t& number, int coarser) {
      number = static_cast<std::int64_t>(std::llround(sums(0, next++))) << coarser;
    });
  });
  return parse_statistics(text_of(all), rules, "the sum over all parties");  // as checked as a file
}

std::int64_t revealed_numbers(const CleaningRules& rules) {
  CleaningStatistics none(rules);
  std::int64_t count = 0;
  visit(rules, none, [&](std::int64_t&, int) { ++count; });
  return count;
}

}  // namespace tacit::gnn
