// Seat — which of a job's processes this one is, and where rank 0 is to be found.
//
// A flag beats the environment, which beats the job file. In the environment, RANK, WORLD_SIZE, MASTER_ADDR and
// MASTER_PORT come first, as torchrun users know them, then what the program that started us sets: Open MPI, PMI
// (MPICH, Intel MPI), Slurm, a Kubernetes indexed job, in this order, since the first two may have been started by
// Slurm and then know better. What such a program only implies, as the first host of Slurm's list, comes after the job.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "launcher/settings/source.h"
#include "net/rendezvous/environment.h"

namespace tacit::launcher {

struct SeatFlags {
  std::optional<int> rank = {}, world_size = {};
  std::optional<std::string> master = {};  // HOST:PORT
};

// What the job says of it.
struct SeatInJob {
  Sourced<int> processes;       // parties and dealer
  Sourced<std::string> master;  // HOST:PORT, or ""
};

struct Seat {
  Sourced<int> rank, world_size;
  Sourced<std::string> master_host;
  Sourced<int> master_port;

  net::Endpoint master() const { return {master_host.value, static_cast<std::uint16_t>(master_port.value)}; }
};

inline constexpr int kDefaultPort = 4711;

// True for a loopback address: where rank 0 is at one, all ranks are on this machine.
bool is_this_machine(const std::string& host);

// Throws ConfigError: what is missing or contradicts, who said so, and what to set.
Seat find_seat(const SeatFlags& flags, const net::GetVariable& get, const SeatInJob& job);

// The rank alone, for what a party does by itself.
Sourced<int> find_rank(const SeatFlags& flags, const net::GetVariable& get);

// For --explain: a line for each.
struct Explained {
  std::string name, value, source;  // without a source `value` says why there is none
};
std::vector<Explained> explain(const Seat& seat);
// The same of one that may lack something.
std::vector<Explained> explain_seat(const SeatFlags& flags, const net::GetVariable& get, const SeatInJob& job);
// As comments of a job file.
std::string text_of(const std::vector<Explained>& lines);

}  // namespace tacit::launcher
