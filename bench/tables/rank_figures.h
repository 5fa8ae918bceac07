// The figures of a rank's run in a benchmark. Others' numbers (bench/others/) have the same names.
//
// All traffic of a rank counts: sent, received and dealt bytes, handshakes, heartbeats, TLS. Data include the headers
// of Ethernet, IP and TCP, like a capture of packets: 66 bytes for each packet.
#pragma once

#include "bench/tables/measurements.h"
#include "launcher/report/run_account.h"

namespace tacit::launcher {

namespace figure_name {

inline constexpr const char* kWallClock = "wall clock";  // s, of the process
inline constexpr const char* kPackets = "packets";       // sent and received
inline constexpr const char* kEpochPackets = "packets per epoch";
inline constexpr const char* kData = "data";  // MB, sent and received
// All bytes and the time of all epochs, divided by epochs. Includes bytes that move once, before or in the first epoch.
inline constexpr const char* kEpochData = "data per epoch";  // MB
inline constexpr const char* kEpochTime = "time per epoch";  // s
// The median of the epochs that are neither first nor last; and the bytes that move before the second epoch.
inline constexpr const char* kUsualData = "data of a usual epoch";  // MB
inline constexpr const char* kUsualTime = "usual epoch";            // s
inline constexpr const char* kOnceData = "data once";               // MB
inline constexpr const char* kEpochRounds = "rounds per epoch";
inline constexpr const char* kEpochCpu = "CPU time per epoch";        // s
inline constexpr const char* kCpu = "CPU";                            // % of a core
inline constexpr const char* kMemory = "memory";                      // MB, resident at most
inline constexpr const char* kMemoryShare = "memory of the machine";  // %: the memory above, as a part of the machine
// An estimate: the time per epoch if each rank had a core of its own, from its CPU time, rounds and bytes.
inline constexpr const char* kCoreEachTime = "time per epoch, a core each";  // s
// The traffic of all ranks, each packet counted once, like a capture of the loopback interface.
inline constexpr const char* kAllData = "data of all ranks per epoch";  // MB
inline constexpr const char* kAllPackets = "packets of all ranks per epoch";

}  // namespace figure_name

inline constexpr double kHeaderBytes = 66;  // Ethernet 14, IP 20, TCP 20 and its time stamps

// Adds one run's numbers of a rank to a row.
void add_figures(const RankAccount& account, Row& row);
// Adds the memory of a rank as a part of this machine's, in %; the rank must have run here.
void add_memory_share(const RankAccount& account, Row& row);

// The delays between ranks: the time of a round besides the CPU time, and the bytes that a rank sends in a second.
struct Between {
  double round = 0;             // seconds
  double bytes_per_second = 0;  // may be infinite
};
// Estimates the time per epoch of a run if each rank had a core of its own: the CPU time of the busiest party, its rounds
// and its bytes to other parties. The dealer works ahead, beside the parties. 0 for a run without epochs.
double core_each_time(const RunAccount& run, const Between& between);

}  // namespace tacit::launcher
