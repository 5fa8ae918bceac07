#include "launcher/bench/rank_figures.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "launcher/report/measures.h"

namespace tacit::launcher {

namespace {

double captured(const net::PeerTraffic& total) {
  return static_cast<double>(total.wire_sent + total.wire_received) +
         kHeaderBytes * static_cast<double>(total.packets_sent + total.packets_received);
}

// The first epoch masks what stays, the last one ends with an evaluation. The dealer is ahead: what it sent during an
// epoch is not what that used, so its bytes are told by what each epoch states to use of them.
void add_usual(const RankAccount& account, Row& row) {
  using namespace figure_name;
  if (account.epochs.size() < 3) return;
  std::vector<double> seconds, data, dealt;
  double later = 0, dealt_later = 0;
  for (auto epoch = std::next(account.epochs.begin()); epoch != account.epochs.end(); ++epoch) {
    const ToldEpoch& its = epoch->second;
    const double moved = its.measured ? captured(its.measured->parties) : 0;
    const double used = its.stated ? static_cast<double>(its.stated->dealt_bytes) : 0;
    later += moved;
    dealt_later += used;
    if (std::next(epoch) == account.epochs.end()) continue;
    seconds.push_back(its.seconds);
    data.push_back(moved);
    dealt.push_back(used);
  }
  row.figure(kUsualTime, "s").add(median(seconds).value_or(0));
  if (!account.measured || !account.stated) return;
  const double from_dealer = captured(account.measured->total) - captured(account.measured->parties);
  const double by_use = from_dealer / static_cast<double>(std::max<std::int64_t>(1, account.stated->dealt_bytes));
  row.figure(kUsualData, "MB").add((median(data).value_or(0) + by_use * median(dealt).value_or(0)) / 1e6);
  row.figure(kOnceData, "MB").add((captured(account.measured->total) - later - by_use * dealt_later) / 1e6);
}

}  // namespace

void add_figures(const RankAccount& account, Row& row) {
  using namespace figure_name;
  double epoch_seconds = 0, cpu_seconds = 0;
  std::int64_t epoch_rounds = 0;
  for (const auto& [number, epoch] : account.epochs) {
    epoch_seconds += epoch.seconds;
    cpu_seconds += epoch.cpu_seconds;
    if (epoch.measured) epoch_rounds += epoch.measured->rounds;
  }
  const auto epochs = static_cast<double>(std::max<std::size_t>(1, account.epochs.size()));
  row.figure(kWallClock, "s").add(account.seconds);
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
  if (account.seconds > 0) row.figure(kCpu, "%").add(100 * account.cpu_seconds / account.seconds);
  row.figure(kMemory, "MB").add(static_cast<double>(account.peak_memory) / 1e6);
}

}  // namespace tacit::launcher
