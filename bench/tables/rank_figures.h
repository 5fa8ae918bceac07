// What a benchmark tells of a rank's run, under names that others' numbers bear too (bench/others/).
//
// Everything that a rank moves counts: what it sends and receives, what is dealt to it, handshakes, heartbeats, TLS.
// Data are as a capture of packets has them, with the headers of Ethernet, IP and TCP: 66 bytes to a packet.
#pragma once

#include "bench/tables/measurements.h"
#include "launcher/report/run_account.h"

namespace tacit::launcher {

namespace figure_name {

inline constexpr const char* kWallClock = "wall clock";  // s, of the process
inline constexpr const char* kPackets = "packets";       // sent and received
inline constexpr const char* kEpochPackets = "packets per epoch";
inline constexpr const char* kData = "data";  // MB, likewise
// All that is moved and all that epochs take, by epochs: with what is moved once, before and in the first of them.
inline constexpr const char* kEpochData = "data per epoch";  // MB
inline constexpr const char* kEpochTime = "time per epoch";  // s
// Of an epoch that is neither the first nor the last, the median; and what is moved before the second, once.
inline constexpr const char* kUsualData = "data of a usual epoch";  // MB
inline constexpr const char* kUsualTime = "usual epoch";            // s
inline constexpr const char* kOnceData = "data once";               // MB
inline constexpr const char* kEpochRounds = "rounds per epoch";
inline constexpr const char* kEpochCpu = "CPU time per epoch";  // s
inline constexpr const char* kCpu = "CPU";                      // % of a core
inline constexpr const char* kMemory = "memory";                // MB, resident at most
// What all ranks send, each packet counted once: what a capture of the loopback interface sees.
inline constexpr const char* kAllData = "data of all ranks per epoch";  // MB
inline constexpr const char* kAllPackets = "packets of all ranks per epoch";

}  // namespace figure_name

inline constexpr double kHeaderBytes = 66;  // Ethernet 14, IP 20, TCP 20 and its time stamps

// Adds one run's numbers of a rank to a row.
void add_figures(const RankAccount& account, Row& row);

}  // namespace tacit::launcher
