// The cost of the protocols for n parties and a dealer: products, a matrix product, a ReLU. The
// programs measure online time with everything dealt before, the dealer's own time, and both at
// once, because a dealer usually runs ahead on its own machine.
//
// All ranks are threads of this process, one thread each. --alone measures one rank by itself, on any number of threads: the
// rank repeats its part of a recorded run without its peers. Notes below the table give the figures of other frameworks for
// the same work, as the issue states them.
#include <fmt/format.h>

#include <barrier>
#include <functional>

#include "bench/programs/alone.h"
#include "bench/programs/bench_meshes.h"
#include "bench/programs/chosen.h"
#include "bench/tables/measurements.h"
#include "mpc/kernels/freed_memory.h"
#include "mpc/protocols/compare.h"
#include "mpc/protocols/drop.h"
#include "mpc/protocols/input.h"
#include "mpc/protocols/mask.h"
#include "mpc/protocols/product.h"
#include "mpc/protocols/select.h"
#include "mpc/protocols/show.h"
#include "mpc/session/dealer_session.h"
#include "mpc/session/local.h"
#include "mpc/session/party_session.h"
#include "net/collectives/calibrate.h"
#include "net/error.h"

namespace tacit::bench {
namespace {

using launcher::Measurements;
using launcher::Row;
using launcher::Samples;
using launcher::Table;

using namespace mpc;
using net::Clock;

struct Settings {
  BenchMeshes meshes;
  std::vector<int> parties = {2, 3, 5};
  std::vector<std::string> only;
  std::int64_t log_elements = 20;
  std::string openings = "measured";
  int repeats = 5;
  Alone alone;
  std::string json;
};

// One measurement: `prepare` makes the inputs, `work` is timed.
struct Work {
  std::string name;
  std::function<std::vector<Share>(Session&)> prepare;
  std::function<void(Session&, const std::vector<Share>&)> work;
  double elements = 1;  // the divisor of bytes
};

// Some values between -1 and 1.
Share some_share(Session& session, Shape shape, Format format) {
  Matrix values(shape.rows, shape.cols);
  for (Eigen::Index i = 0; i < values.size(); ++i)
    values.data()[i] = static_cast<double>(i * 7919 % 2000 - 1000) / 1000;
  return mpc::input(session, 0, shape, format, &values, "a benchmark's input");
}

std::vector<Work> works(const Settings& settings) {
  const Shape many{std::int64_t{1} << (settings.log_elements / 2),
                   std::int64_t{1} << (settings.log_elements - settings.log_elements / 2)};
  std::vector<Work> all;
  for (const auto& ring_and_fraction : {std::pair{64, 13}, std::pair{48, 12}}) {
    const int top = ring_and_fraction.first, f = ring_and_fraction.second;
    const Format wide{top, f}, fallen{top - f, f};
    const int hi = f + 13;
    const std::string ring = fmt::format(", K = {}, f = {}", top, f);
    all.push_back({fmt::format("2^{} products", settings.log_elements) + ring,
                   [=](Session& s) {
                     return std::vector{some_share(s, many, wide), some_share(s, many, wide)};
                   },
                   [=](Session& s, const std::vector<Share>& in) {
                     const std::vector<Masked> masked = mpc::mask(s, in);
                     mpc::drop(s, mpc::product(s, masked[0], masked[1]), f);
                   },
                   static_cast<double>(many.size())});
    all.push_back({"matrix product 512^3" + ring,
                   [=](Session& s) {
                     return std::vector{some_share(s, {512, 512}, wide), some_share(s, {512, 512}, wide)};
                   },
                   [=](Session& s, const std::vector<Share>& in) {
                     const std::vector<Masked> masked = mpc::mask(s, in);
                     mpc::drop(s, mpc::matmul(s, masked[0], masked[1]), f);
                   },
                   512.0 * 512});
    all.push_back({fmt::format("ReLU 2^{}", settings.log_elements) + ring,
                   [=](Session& s) { return std::vector{some_share(s, many, fallen)}; },
                   [=](Session& s, const std::vector<Share>& in) {
                     const Shown shown = mpc::show(s, in[0]);
                     mpc::mask(s, mpc::select(s, mpc::non_negative(s, shown, hi), shown, fallen.ring_bits));
                   },
                   static_cast<double>(many.size())});
  }
  return chosen(std::move(all), settings.only);
}

double milliseconds(Clock::duration time) { return std::chrono::duration<double, std::milli>(time).count(); }

class Measurement {
 public:
  // A rank that is measured without its peers.
  struct OneRank {
    int rank;
    const Clock::duration& copying;  // the time of copying recorded messages
  };
  // All ranks are measured at once, or one. `labels` come first in each row.
  Measurement(int parties, std::optional<OneRank> alone, const Settings& settings, const Labels& labels, Table& report)
      : parties_(parties),
        alone_(alone),
        settings_(settings),
        works_(works(settings)),
        everyone_(alone ? 1 : parties + 1) {
    for (const Work& work : works_) {
      Labels all = labels;
      all.emplace_back("work", work.name);
      rows_.push_back(&report.add(std::move(all)));
    }
  }

  void run(net::Meshes meshes) {
    net::run_ranks(std::move(meshes), [this](net::Mesh& mesh) { run_at(mesh, 1); });
  }

  void run_at(net::Mesh& mesh, int threads) {
    if (mesh.world().is_party()) {
      PartySession session(mesh, plan_of_openings(mesh), {.threads = threads});
      measure(session, mesh.rank());
    } else {
      DealerSession session(mesh, {.threads = threads, .ahead_bytes = std::int64_t{4} << 30});
      measure(session, mesh.rank());
      session.flush();
    }
  }

 private:
  net::AllReducePlan plan_of_openings(net::Mesh& mesh) const {
    if (settings_.alone || settings_.openings == "direct") return net::AllReducePlan({{0, net::AllReduce::kDirect}});
    net::Group group(mesh);
    return net::calibrate_all_reduce(group).plan;
  }

  void measure(Session& session, int rank) {
    for (std::size_t w = 0; w < works_.size(); ++w) {
      for (int repeat = -1; repeat < settings_.repeats; ++repeat) {  // the first time warms up
        measure_once(session, rank, works_[w], repeat < 0 ? warm_up_ : *rows_[w]);
      }
    }
  }

  void measure_once(Session& session, int rank, const Work& work, Row& row) {
    const bool dealer = rank == parties_;
    // First the dealer alone, then the parties with all correlations dealt.
    std::vector<Share> inputs = work.prepare(session);
    const double cpu = cpu_seconds();
    const Clock::duration copying = alone_ ? alone_->copying : Clock::duration{0};
    const double dealing = timed([&] {
      if (dealer) work.work(session, inputs);
    });
    const Cost before = session.stated();
    const double online = timed([&] {
      if (!dealer) work.work(session, inputs);
    });
    const double cpu_took = cpu_seconds() - cpu;
    const Clock::duration copies = alone_ ? alone_->copying - copying : Clock::duration{0};
    const Cost after = session.stated();
    // Then the dealer and the parties at the same time.
    inputs = work.prepare(session);
    const double together = timed([&] { work.work(session, inputs); });
    if (rank != (alone_ ? alone_->rank : 0)) return;
    if (!alone_ || !dealer) row.figure("online", "ms").add(online);
    if (!alone_ || dealer) row.figure("dealing", "ms").add(dealing);
    if (alone_) row.figure("CPU", "ms").add(1000 * cpu_took);
    if (alone_) row.figure("copies of messages", "ms").add(milliseconds(copies));
    if (!alone_) row.figure("at once", "ms").add(together);
    row.figure("rounds", "").add(static_cast<double>(after.rounds - before.rounds));
    row.figure("sent by a party", "MB").add(static_cast<double>(after.bytes - before.bytes) / 1e6);
    row.figure("sent to a peer", "B/element")
        .add(static_cast<double>(after.bytes - before.bytes) / work.elements / (parties_ - 1));
    row.figure("dealt", "B/element").add(static_cast<double>(after.dealt_bytes - before.dealt_bytes) / work.elements);
  }

  // Returns the time until the last rank is done.
  template <typename Body>
  double timed(const Body& body) {
    everyone_.arrive_and_wait();
    const auto begin = Clock::now();
    body();
    everyone_.arrive_and_wait();
    return milliseconds(Clock::now() - begin);
  }

  const int parties_;
  const std::optional<OneRank> alone_;
  const Settings& settings_;
  const std::vector<Work> works_;
  std::barrier<> everyone_;
  std::vector<Row*> rows_;
  Row warm_up_;
};

// One rank's part, repeated from a record of all.
void measure_alone(int parties, const Settings& settings, Table& report) {
  Table unused;
  Measurement all(parties, {}, settings, {}, unused);
  settings.alone.measure(
      settings.meshes.make(parties, 1), [&](net::Mesh& mesh) { all.run_at(mesh, 1); },
      [&](net::Mesh& mesh, int threads, const Labels& labels, const Clock::duration& copying) {
        Measurement(parties, Measurement::OneRank{mesh.rank(), copying}, settings, labels, report)
            .run_at(mesh, threads);
      });
}

}  // namespace
}  // namespace tacit::bench

int main(int argc, char** argv) {
  using namespace tacit::bench;
  using tacit::launcher::Measurements;
  Settings settings;
  CLI::App app("Products, matrix products and ReLUs between n parties and a dealer");
  settings.meshes.add_options(app);
  app.add_option("--parties", settings.parties, "numbers of parties")->check(CLI::Range(2, 64));
  app.add_option("--log-elements", settings.log_elements, "2^this products and ReLUs")->check(CLI::Range(4, 24));
  app.add_option("--only", settings.only, "run only cases with one of the words in their name");
  app.add_option("--openings", settings.openings, "how openings travel: by the measured plan, or all in one round")
      ->check(CLI::IsMember({"measured", "direct"}));
  app.add_option("--repeats", settings.repeats, "samples of everything")->check(CLI::Range(1, 1000));
  settings.alone.add_options(app, "numbers of threads of the rank alone, for example 1,2");
  app.add_option("--json", settings.json, "file for the figures; - for standard output");
  CLI11_PARSE(app, argc, argv);
  tacit::mpc::keep_freed_memory();
  try {
    Measurements report("protocols", argc, argv);
    for (const int parties : settings.parties) {
      Table& table = report.table(report.bench());
      if (settings.alone) {
        measure_alone(parties, settings, table);
      } else {
        Measurement(parties, {}, settings, {{"n", std::to_string(parties)}}, table)
            .run(settings.meshes.make(parties, 1));
      }
    }
    report.note(fmt::format("mesh {}, link {}; {}; openings {}; {} samples", settings.meshes.mesh(),
                            settings.meshes.link(),
                            settings.alone ? "one rank in the process, its peers' messages from a record"
                                           : "all ranks in one process, one thread each",
                            settings.alone ? "direct" : settings.openings, settings.repeats));
    report.note(
        "CrypTen 775868a, plain TCP on a 2-core EPYC machine, n = 2, 3, 5: 2^20 products 83, 253, 482 ms, 16.8 MB a "
        "party "
        "at n = 2; matrix product 512^3 115, 198, 350 ms; ReLU 2^20 1410, 3410, 16100 ms, 243, 616, 1437 MB, 9, 16, 23 "
        "rounds");
    report.note(
        "MP-SPDZ 3a0a7b1, the same machine, dealer, n = 2: products 595 ms, 25.2 MB; matrix product 1930 ms; ReLU 740 "
        "ms, "
        "48.1 MB; replicated, n = 3: 269 ms, 16.8 MB; 496 ms; 359 ms, 31.9 MB");
    report.finish(settings.json);
  } catch (const std::exception& error) {
    return tacit::report_and_exit_code(error, "protocol_bench");
  }
}
