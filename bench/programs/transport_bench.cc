// The cost of a message: raw TCP sockets, the plaintext mesh and the TLS mesh, side by side in one
// run on loopback.
//
// Two processes. In every repetition each variant takes its turn, so that a drift of the machine's
// speed affects all variants alike; ratios to raw TCP are taken repetition by repetition.
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <functional>
#include <thread>

#include "bench/programs/chosen.h"
#include "bench/tables/measurements.h"
#include "net/error.h"
#include "net/tcp/tcp_mesh.h"
#include "tests/net/loopback_formation.h"

namespace tacit::bench {
namespace {

using launcher::Measurements;
using launcher::Row;
using launcher::Samples;

using namespace net;

struct Settings {
  int repeats = 7;
  std::int64_t bytes = 64 << 20;
  int pings = 2000;
  std::vector<std::string> only;
  std::string json;
};

// One end of a connection between the two processes, for any variant.
class End {
 public:
  virtual ~End() = default;
  virtual void send(ConstBytes bytes) = 0;
  virtual void receive(Bytes bytes) = 0;
  virtual void both(ConstBytes out, Bytes in) = 0;
  virtual void close() = 0;
};

class RawEnd final : public End {
 public:
  RawEnd(Descriptor socket, bool spin) : socket_(std::move(socket)), flags_(spin ? MSG_DONTWAIT : 0) {}

  void send(ConstBytes bytes) override {
    while (!bytes.empty()) {
      const ssize_t n = ::send(socket_.get(), bytes.data(), bytes.size(), 0);
      if (n < 0) throw NetError("raw send failed");
      bytes = bytes.subspan(static_cast<std::size_t>(n));
    }
  }

  void receive(Bytes bytes) override {
    while (!bytes.empty()) {
      const ssize_t n = ::recv(socket_.get(), bytes.data(), bytes.size(), flags_);
      if (n < 0 && errno == EAGAIN) continue;
      if (n <= 0) throw NetError("raw receive failed");
      bytes = bytes.subspan(static_cast<std::size_t>(n));
    }
  }

  // Long messages use one thread for each direction, which fills the wire best.
  void both(ConstBytes out, Bytes in) override {
    if (out.size() <= 4096) {
      send(out);
      return receive(in);
    }
    const std::jthread sender([&] { send(out); });
    receive(in);
  }

  void close() override { socket_.reset(); }

 private:
  Descriptor socket_;
  int flags_;
};

class MeshEnd final : public End {
 public:
  explicit MeshEnd(std::unique_ptr<Mesh> mesh) : mesh_(std::move(mesh)), channel_(mesh_->channel(1 - mesh_->rank())) {}

  void send(ConstBytes bytes) override { channel_.send(kMainStream, bytes).wait(); }
  void receive(Bytes bytes) override { channel_.receive(kMainStream, bytes).wait(); }
  void both(ConstBytes out, Bytes in) override {
    Transfer receiving = channel_.receive(kMainStream, in);
    Transfer sending = channel_.send(kMainStream, out);
    receiving.wait();
    sending.wait();
  }
  void close() override { mesh_->close(); }

 private:
  std::unique_ptr<Mesh> mesh_;
  Channel& channel_;
};

// Both ends of one variant; each process keeps its own.
struct Variant {
  std::string name;
  std::function<std::unique_ptr<End>(int rank)> take;
};

Variant raw(std::string name, bool spin) {
  auto pair = std::make_shared<std::pair<Descriptor, Descriptor>>(tcp_pair());
  return {std::move(name), [pair, spin](int rank) -> std::unique_ptr<End> {
            (rank == 0 ? pair->second : pair->first).reset();
            return std::make_unique<RawEnd>(std::move(rank == 0 ? pair->first : pair->second), spin);
          }};
}

Variant mesh(std::string name, Encryption encryption, std::chrono::microseconds spin) {
  auto both = std::make_shared<std::vector<Formation>>(loopback_formations({2, 0, encryption}));
  return {std::move(name), [both, spin](int rank) -> std::unique_ptr<End> {
            TcpMeshOptions options;
            options.spin = spin;
            Formation mine = std::move((*both)[static_cast<std::size_t>(rank)]);
            both->clear();  // the other end belongs to the other process
            return std::make_unique<MeshEnd>(mesh_over(std::move(mine), options));
          }};
}

double seconds(const std::function<void()>& work) {
  const auto begin = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

struct Memory {
  explicit Memory(std::int64_t size) : mine(static_cast<std::size_t>(size)), theirs(static_cast<std::size_t>(size)) {}
  std::vector<std::byte> mine, theirs;
};

class Measurement {
 public:
  Measurement(const Settings& settings, int rank, End& end, Memory& memory, Row& row)
      : settings_(settings), rank_(rank), end_(end), memory_(memory), row_(row) {}

  void warm_up() {
    for (int i = 0; i < 200; ++i) meet();
  }

  double one_way() {
    meet();
    return bandwidth("one way", [this] {
      std::byte done{};
      if (rank_ == 0) {
        end_.send(memory_.mine);
        end_.receive(Bytes(&done, 1));
      } else {
        end_.receive(memory_.theirs);
        end_.send(ConstBytes(&done, 1));
      }
    });
  }

  double both_ways() {
    meet();
    return bandwidth("both ways, each", [this] {
      end_.both(memory_.mine, memory_.theirs);
      meet();
    });
  }

  void round_trip() {
    meet();
    latency("64 B round trip", [this] {
      std::byte small[64] = {};
      for (int i = 0; i < settings_.pings; ++i) {
        if (rank_ == 0) end_.send(small);
        end_.receive(small);
        if (rank_ == 1) end_.send(small);
      }
    });
  }

  void exchange() {
    meet();
    latency("64 B exchange", [this] {
      std::byte out[64] = {}, in[64];
      for (int i = 0; i < settings_.pings; ++i) end_.both(out, in);
    });
  }

 private:
  void meet() {
    std::byte out{}, in{};
    end_.both(ConstBytes(&out, 1), Bytes(&in, 1));
  }
  double bandwidth(const char* name, const std::function<void()>& work) {
    const double rate = static_cast<double>(settings_.bytes) / 1e9 / seconds(work);
    row_.figure(name, "GB/s").add(rate);
    return rate;
  }
  void latency(const char* name, const std::function<void()>& work) {
    row_.figure(name, "us").add(1e6 * seconds(work) / settings_.pings);
  }

  const Settings& settings_;
  const int rank_;
  End& end_;
  Memory& memory_;
  Row& row_;
};

void measure(const Settings& settings, int rank, const std::vector<Variant>& variants, Measurements& report) {
  Memory memory(settings.bytes);
  std::vector<std::unique_ptr<End>> ends;
  std::vector<Row*> rows;
  for (const Variant& v : variants) {
    ends.push_back(v.take(rank));
    rows.push_back(&report.add({{"transport", v.name}}));
  }
  for (int repeat = -1; repeat < settings.repeats; ++repeat) {  // the first one is discarded
    double raw_one_way = 0, raw_both = 0;
    for (std::size_t i = 0; i < variants.size(); ++i) {
      Row warm_up;
      Row& row = repeat < 0 ? warm_up : *rows[i];
      Measurement m(settings, rank, *ends[i], memory, row);
      m.warm_up();
      const double one_way = m.one_way(), both = m.both_ways();
      if (i == 0) raw_one_way = one_way, raw_both = both;
      row.figure("one way / raw", "x").add(one_way / raw_one_way);
      row.figure("both ways / raw", "x").add(both / raw_both);
      m.round_trip();
      m.exchange();
    }
  }
  for (const auto& end : ends) end->close();
}

std::vector<Variant> chosen_variants(const Settings& settings) {
  using std::chrono::microseconds;
  const microseconds spin = TcpMeshOptions{}.spin;
  std::vector<Variant> all;
  all.push_back(raw("raw TCP, blocking", false));
  all.push_back(raw("raw TCP, spinning receiver", true));
  all.push_back(mesh("plaintext mesh", Encryption::kPlain, spin));
  all.push_back(mesh("TLS mesh", Encryption::kTls, spin));
  all.push_back(mesh("TLS mesh, never spins", Encryption::kTls, microseconds(0)));
  return chosen(std::move(all), settings.only);
}

int run(int argc, char** argv) {
  Settings settings;
  CLI::App app("Raw TCP, the plaintext mesh and the TLS mesh between two processes on loopback");
  app.add_option("--repeats", settings.repeats, "repetitions that count")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--bytes", settings.bytes, "size of the large message")->capture_default_str();
  app.add_option("--pings", settings.pings, "small messages per repetition")->capture_default_str();
  app.add_option(
      "--only", settings.only,
      "measure only transports with these names, or with these words in the name; ratios are to the first one");
  app.add_option("--json", settings.json, "write the figures to this file (-: standard output)");
  CLI11_PARSE(app, argc, argv);

  Measurements report("transport", argc, argv);
  const std::vector<Variant> variants = chosen_variants(settings);
  const pid_t child = ::fork();  // before any thread is started
  if (child < 0) throw NetError("cannot start a second process");
  measure(settings, child == 0 ? 1 : 0, variants, report);
  if (child == 0) return 0;
  int status = 0;
  ::waitpid(child, &status, 0);
  report.note(fmt::format("large messages of {} bytes; {} small ones per repetition; n = 2 processes", settings.bytes,
                          settings.pings));
  report.note("aims: TLS >= 0.45 x raw both ways on two cores; round trip <= 15 us with a free core, <= 70 us without");
  report.finish(settings.json);
  return status == 0 ? 0 : 1;
}

}  // namespace
}  // namespace tacit::bench

int main(int argc, char** argv) {
  try {
    return tacit::bench::run(argc, argv);
  } catch (const std::exception& error) {
    return tacit::report_and_exit_code(error, "transport_bench");
  }
}
