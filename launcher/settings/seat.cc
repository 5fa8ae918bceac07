#include "launcher/settings/seat.h"

#include <fmt/format.h>

#include <array>

#include "launcher/settings/host_list.h"
#include "net/decimal.h"
#include "net/error.h"
#include "net/printable.h"
#include "net/world.h"

namespace tacit::launcher {

namespace {

constexpr std::string_view kRemedy =
    "set RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT for every process, as torchrun does; all but RANK are the same "
    "everywhere";

// The variables by which a launcher tells each process its rank.
struct Starter {
  std::string_view name;
  const char* rank;
  const char* size;  // null: the launcher sets no size
};
constexpr std::array<Starter, 4> kStarters = {{{"Open MPI", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                               {"PMI", "PMI_RANK", "PMI_SIZE"},
                                               {"Slurm", "SLURM_PROCID", "SLURM_NTASKS"},
                                               {"Kubernetes", "JOB_COMPLETION_INDEX", nullptr}}};

// No source states a value.
class NobodySays : public ConfigError {
 public:
  using ConfigError::ConfigError;
};

class Search {
 public:
  Search(const SeatFlags& flags, const net::GetVariable& get, const SeatInJob& job)
      : flags_(flags), get_(get), job_(job) {
    for (const Starter& starter : kStarters) {
      if (starter_ == nullptr && is_set(starter.rank)) starter_ = &starter;
    }
  }

  Seat seat() const {
    Seat seat;
    seat.rank = rank();
    seat.world_size = world_size();
    expect_fit(seat);
    seat.master_host = master_host(seat);
    seat.master_port = master_port();
    return seat;
  }

  std::vector<Explained> explained() const {
    std::vector<Explained> all;
    const auto add = [&](const char* name, const auto& find) {
      try {
        const auto found = find();
        all.push_back({name, fmt::format("{}", found.value), found.source.text()});
      } catch (const NobodySays&) {
        all.push_back({name, "not stated", ""});
      } catch (const ConfigError& error) {
        all.push_back({name, error.what(), ""});
      }
    };
    Seat seat;
    seat.world_size = job_.processes;
    add("rank", [&] { return rank(); });
    add("world size", [&] { return seat.world_size = world_size(); });
    add("address of rank 0", [&] { return master_host(seat); });
    add("port of rank 0", [&] { return master_port(); });
    return all;
  }

  Sourced<int> rank() const {
    constexpr int kMost = net::kMaxWorldSize - 1;
    if (flags_.rank) return {*flags_.rank, Source::flag("--rank")};
    if (is_set("RANK")) return number("RANK", 0, kMost);
    if (starter_ == nullptr) nobody_says_rank();
    if (is_set("WORLD_SIZE")) half_set("WORLD_SIZE", "RANK", starter_->rank);
    expect_started_by_srun();
    return number(starter_->rank, 0, kMost);
  }

 private:
  // Set but empty counts as not set: `RANK= command` in a shell has this effect.
  bool is_set(const char* name) const {
    const char* value = get_(name);
    return value != nullptr && *value != '\0';
  }

  Sourced<int> number(const char* name, int least, int most) const {
    const std::string text = get_(name);
    const auto value = net::parse_decimal(text, least, most);
    if (!value) {
      throw ConfigError(
          fmt::format("{} is \"{}\"; expected a whole number, {} ... {}", name, net::printable(text, 80), least, most));
    }
    return {static_cast<int>(*value), Source::environment(name)};
  }

  [[noreturn]] void nobody_says_rank() const {
    if (is_set("SLURM_JOB_ID")) {
      throw NobodySays(fmt::format(
          "RANK is not set: this is in a Slurm job (SLURM_JOB_ID), but not by srun; start it with srun, or {}",
          kRemedy));
    }
    if (is_set("KUBERNETES_SERVICE_HOST")) {
      throw NobodySays(fmt::format(
          "RANK is not set: this is a pod of Kubernetes, but of no indexed job; set completionMode: Indexed in the "
          "job, or {}",
          kRemedy));
    }
    throw NobodySays(fmt::format("RANK is not set; expected the number of this process: say --rank, or {}", kRemedy));
  }

  // sbatch calls its script task 0 of all tasks, but the script is the only one that runs.
  void expect_started_by_srun() const {
    if (starter_->rank != std::string_view("SLURM_PROCID") || is_set("SLURM_STEP_ID") || !is_set("SLURM_JOB_ID"))
      return;
    throw ConfigError(fmt::format(
        "this is the batch script of Slurm's job {}, not one of its tasks, and nobody would start the other ranks: put "
        "srun before the command, or say --rank",
        net::printable(get_("SLURM_JOB_ID"), 80)));
  }

  [[noreturn]] void half_set(const char* set, const char* unset, const char* instead) const {
    throw ConfigError(fmt::format(
        "{} is set ({}) but {} is not, and {} ({}) may mean another count: set both RANK and WORLD_SIZE, or neither, "
        "to go by {}",
        set, net::printable(get_(set), 80), unset, instead, net::printable(get_(instead), 80), starter_->name));
  }

  Sourced<int> world_size() const {
    if (flags_.world_size) return {*flags_.world_size, Source::flag("--world-size")};
    if (is_set("WORLD_SIZE")) return number("WORLD_SIZE", 1, net::kMaxWorldSize);
    if (flags_.rank || starter_ == nullptr) return job_.processes;
    if (is_set("RANK")) half_set("RANK", "WORLD_SIZE", starter_->rank);
    if (starter_->size == nullptr) return job_.processes;
    if (!is_set(starter_->size)) {
      throw ConfigError(fmt::format("{} is set but {} is not, though {} sets both; {}", starter_->rank, starter_->size,
                                    starter_->name, kRemedy));
    }
    return number(starter_->size, 1, net::kMaxWorldSize);
  }

  void expect_fit(const Seat& seat) const {
    const int processes = job_.processes.value;
    if (seat.world_size.value != processes) {
      throw ConfigError(fmt::format(
          "{} processes ({}), but the job needs {}: {} ({}); start as many as the job needs, or change the job",
          seat.world_size.value, seat.world_size.source.text(), processes,
          job_.dealer ? fmt::format("{} parties and the dealer", processes - 1) : "one for each party, and no dealer",
          job_.processes.source.text()));
    }
    if (seat.rank.value < 0 || seat.rank.value >= processes) {
      throw ConfigError(fmt::format("this process is rank {} ({}); expected 0 ... {}: the job has {} processes",
                                    seat.rank.value, seat.rank.source.text(), processes - 1, processes));
    }
  }

  static net::Endpoint endpoint(const std::string& text, const Source& source) {
    try {
      return net::Endpoint::parse(text);
    } catch (const ConfigError& error) {
      throw ConfigError(fmt::format("the address of rank 0, {}: {}", source.text(), error.what()));
    }
  }

  Sourced<std::string> master_host(const Seat& seat) const {
    if (flags_.master) {
      const Source source = Source::flag("--master");
      return {endpoint(*flags_.master, source).host, source};
    }
    if (is_set("MASTER_ADDR")) {
      const std::string text = get_("MASTER_ADDR");
      const auto host = net::parse_host(text);
      if (!host) {
        throw ConfigError(
            fmt::format("MASTER_ADDR is \"{}\"; expected the name or address of the machine of rank 0, "
                        "without a port",
                        net::printable(text, 80)));
      }
      return {*host, Source::environment("MASTER_ADDR")};
    }
    if (!job_.master.value.empty()) return {endpoint(job_.master.value, job_.master.source).host, job_.master.source};
    if (is_set("SLURM_JOB_NODELIST")) {
      return {first_host(get_("SLURM_JOB_NODELIST")), Source::environment("SLURM_JOB_NODELIST")};
    }
    constexpr const char* kLocalSize = "OMPI_COMM_WORLD_LOCAL_SIZE";
    if (is_set(kLocalSize) && number(kLocalSize, 1, net::kMaxWorldSize).value == seat.world_size.value) {
      return {"127.0.0.1", Source::environment(kLocalSize)};  // all ranks run here
    }
    throw NobodySays(
        fmt::format("MASTER_ADDR is not set; expected the name or address of the machine of rank 0: {}", kRemedy));
  }

  Sourced<int> master_port() const {
    if (flags_.master) {
      const Source source = Source::flag("--master");
      return {endpoint(*flags_.master, source).port, source};
    }
    if (is_set("MASTER_PORT")) return number("MASTER_PORT", 1, 65535);
    if (!job_.master.value.empty()) return {endpoint(job_.master.value, job_.master.source).port, job_.master.source};
    return {kDefaultPort, Source::by_default()};
  }

  const SeatFlags& flags_;
  const net::GetVariable& get_;
  const SeatInJob job_;
  const Starter* starter_ = nullptr;  // the launcher that started us; null: unknown
};

}  // namespace

bool is_this_machine(const std::string& host) {
  return host == "localhost" || host == "::1" || host.starts_with("127.");
}

Seat find_seat(const SeatFlags& flags, const net::GetVariable& get, const SeatInJob& job) {
  return Search(flags, get, job).seat();
}

Sourced<int> find_rank(const SeatFlags& flags, const net::GetVariable& get) { return Search(flags, get, {}).rank(); }

std::vector<Explained> explain(const Seat& seat) {
  return {{"rank", std::to_string(seat.rank.value), seat.rank.source.text()},
          {"world size", std::to_string(seat.world_size.value), seat.world_size.source.text()},
          {"address of rank 0", seat.master_host.value, seat.master_host.source.text()},
          {"port of rank 0", std::to_string(seat.master_port.value), seat.master_port.source.text()}};
}

std::vector<Explained> explain_seat(const SeatFlags& flags, const net::GetVariable& get, const SeatInJob& job) {
  return Search(flags, get, job).explained();
}

std::string text_of(const std::vector<Explained>& lines) {
  std::string text;
  for (const Explained& one : lines) {
    text +=
        fmt::format("# {}: {}{}\n", one.name, one.value, one.source.empty() ? "" : fmt::format(" ({})", one.source));
  }
  return text;
}

}  // namespace tacit::launcher
