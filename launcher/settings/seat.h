// Seat — this process' rank among the processes of a job, and the address of rank 0.
//
// A flag wins over the environment, and the environment over the job file. In the environment,
// torchrun's variables RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT come first. Then follow the
// variables of Open MPI, PMI (MPICH, Intel MPI), Slurm and a Kubernetes indexed job, in this order:
// Slurm may have started the first two, and then their values are the right ones. An implied value,
// such as the first host of Slurm's list, comes after the job file.
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

// The job's settings that concern the seat.
struct SeatInJob {
  Sourced<int> processes;       // parties, and the dealer
  Sourced<std::string> master;  // HOST:PORT, or ""
  bool dealer = true;           // one of the processes is a dealer
};

struct Seat {
  Sourced<int> rank, world_size;
  Sourced<std::string> master_host;
  Sourced<int> master_port;

  net::Endpoint master() const { return {master_host.value, static_cast<std::uint16_t>(master_port.value)}; }
};

inline constexpr int kDefaultPort = 4711;

// True for a loopback address: if rank 0 has one, all ranks are on this machine.
bool is_this_machine(const std::string& host);

// Throws ConfigError that names the missing or contradicting values, their sources, and the remedy.
Seat find_seat(const SeatFlags& flags, const net::GetVariable& get, const SeatInJob& job);

// The rank alone, for a command that one party runs by itself.
Sourced<int> find_rank(const SeatFlags& flags, const net::GetVariable& get);

// Lines for --explain.
struct Explained {
  std::string name, value, source;  // empty source: `value` states why the value is missing
};
std::vector<Explained> explain(const Seat& seat);
// Explains a seat that may lack some values.
std::vector<Explained> explain_seat(const SeatFlags& flags, const net::GetVariable& get, const SeatInJob& job);
// The lines as comments of a job file.
std::string text_of(const std::vector<Explained>& lines);

}  // namespace tacit::launcher
