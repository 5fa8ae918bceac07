#include "bench/tables/rank_figures.h"

#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <vector>

#include "launcher/report/measures.h"

namespace tacit::launcher {

namespace {

double captured(const net::PeerTraffic& total) {
  return static_cast<double>(total.wire_sent + total.wire_received) +
         kHeaderBytes * static_cast<double>(total.packets_sent + total.packets_received);
}

// Payload from the dealer, counted at the party that uses it: the dealer works ahead, and during an epoch sends bytes
// for later epochs.
double dealt(const EpochTraffic& traffic) {
  return static_cast<double>(traffic.total.payload_received - traffic.parties.payload_received);
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// The first epoch masks the values that stay, the last one ends with an evaluation. The bytes dealt to one rank differ
// from epoch to epoch, since corrections go to the ranks in turns: the figure has their mean.
void add_usual(const RankAccount& account, Row& row) {
  using namespace figure_name;
  if (account.epochs.size() < 3) return;
  std::vector<double> seconds, data, used;
  double later = 0, used_later = 0;
  for (auto epoch = std::next(account.epochs.begin()); epoch != account.epochs.end(); ++epoch) {
    const ToldEpoch& its = epoch->second;
    const double moved = its.measured ? captured(its.measured->parties) : 0;
    const double from_dealer = its.measured ? dealt(*its.measured) : 0;
    later += moved;
    used_later += from_dealer;
    if (std::next(epoch) == account.epochs.end()) continue;
    seconds.push_back(its.usage.seconds);
    data.push_back(moved);
    used.push_back(from_dealer);
  }
  row.figure(kUsualTime, "s").add(median(seconds).value_or(0));
  if (!account.measured) return;
  const double from_dealer = captured(account.measured->total) - captured(account.measured->parties);
  const double to_a_byte = from_dealer / std::max(1.0, dealt(*account.measured));  // with TLS, headers and heartbeats
  row.figure(kUsualData, "MB").add((median(data).value_or(0) + to_a_byte * mean(used)) / 1e6);
  row.figure(kOnceData, "MB").add((captured(account.measured->total) - later - to_a_byte * used_later) / 1e6);
}

}  // namespace

void add_figures(const RankAccount& account, Row& row) {
  using namespace figure_name;
  double epoch_seconds = 0, cpu_seconds = 0;
  std::int64_t epoch_rounds = 0;
  for (const auto& [number, epoch] : account.epochs) {
    epoch_seconds += epoch.usage.seconds;
    cpu_seconds += epoch.usage.cpu_seconds;
    if (epoch.measured) epoch_rounds += epoch.measured->rounds;
  }
  const auto epochs = static_cast<double>(std::max<std::size_t>(1, account.epochs.size()));
  row.figure(kWallClock, "s").add(account.usage.seconds);
  if (account.measured) {
    const net::PeerTraffic& total = account.measured->total;
    row.figure("packets sent", "").add(static_cast<double>(total.packets_sent));
    row.figure("packets received", "").add(static_cast<double>(total.packets_received));
    const auto packets = static_cast<double>(total.packets_sent + total.packets_received);
    row.figure(kPackets, "").add(packets);
    row.figure(kEpochPackets, "").add(packets / epochs);
    row.figure(kData, "MB").add(captured(total) / 1e6);
    row.figure(kEpochData, "MB").add(captured(total) / epochs / 1e6);
  }
  row.figure(kEpochTime, "s").add(epoch_seconds / epochs);
  add_usual(account, row);
  row.figure(kEpochRounds, "").add(static_cast<double>(epoch_rounds) / epochs);
  row.figure(kEpochCpu, "s").add(cpu_seconds / epochs);
  if (account.usage.seconds > 0) row.figure(kCpu, "%").add(100 * account.usage.cpu_seconds / account.usage.seconds);
  row.figure(kMemory, "MB").add(static_cast<double>(account.usage.peak_memory) / 1e6);
}

void add_memory_share(const RankAccount& account, Row& row) {
  const double memory = static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  row.figure(figure_name::kMemoryShare, "%").add(100 * static_cast<double>(account.usage.peak_memory) / memory);
}

double core_each_time(const RunAccount& run, const Between& between) {
  double longest = 0;
  for (const RankAccount& account : run.ranks) {
    if (account.rank >= run.parties() || account.epochs.empty()) continue;
    double seconds = 0;
    for (const auto& [number, epoch] : account.epochs) {
      seconds += epoch.usage.cpu_seconds;
      if (!epoch.measured) continue;
      seconds += static_cast<double>(epoch.measured->rounds) * between.round;
      seconds += static_cast<double>(epoch.measured->parties.wire_sent) / between.bytes_per_second;
    }
    longest = std::max(longest, seconds / static_cast<double>(account.epochs.size()));
  }
  return longest;
}

}  // namespace tacit::launcher
