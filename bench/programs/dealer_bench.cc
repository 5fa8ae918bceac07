// The dealer's speed, and whether parties ever wait for a dealer that is one epoch ahead.
//
// An epoch is a matrix product, a ReLU of its result and an elementwise product. The dealer begins
// alone; the parties begin when it has finished its first epoch. All ranks are threads of this
// process, so on few cores they compete; in production the dealer has its own machine.
#include <fmt/format.h>

#include <latch>

#include "bench/programs/bench_meshes.h"
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
#include "mpc/session/party_session.h"
#include "net/error.h"

namespace tacit::bench {
namespace {

using launcher::Measurements;
using launcher::Row;
using launcher::Samples;

using namespace mpc;
using net::Clock;

struct Settings {
  BenchMeshes meshes;
  std::vector<int> parties = {2, 3, 5};
  std::int64_t rows = 2708;
  std::int64_t cols = 64;
  int epochs = 20;
  int repeats = 5;
  std::string json;
};

struct Run {
  double dealing = 0;  // seconds for all epochs, from the dealer's first call to its last
  double online = 0;   // for the slowest party
  double waited = 0;   // for the party that waited longest
  Cost cost;
};

double seconds(Clock::duration time) { return std::chrono::duration<double>(time).count(); }

void epoch(Session& session, const Masked& x, const Share& w) {
  const Share z = mpc::drop(session, mpc::matmul(session, x, mpc::mask(session, w)), 13);
  const Shown shown = mpc::show(session, z);
  const Share h = mpc::select(session, mpc::non_negative(session, shown, 26), shown, z.ring_bits());
  const Masked masked = mpc::mask(session, h);
  mpc::drop(session, mpc::product(session, masked, masked), 13);
}

Share some(Session& session, Shape shape) {
  const Matrix values = Matrix::Constant(shape.rows, shape.cols, 0.25);
  return mpc::input(session, 0, shape, {64, 13}, &values, "a benchmark's input");
}

Run run(int parties, const Settings& settings) {
  Run result;
  std::mutex mutex;
  std::latch ahead(1);
  net::run_ranks(settings.meshes.make(parties, 1), [&](net::Mesh& mesh) {
    const auto program = [&](Session& session, const std::function<void(int)>& after_epoch) {
      const Masked x = mpc::mask(session, some(session, {settings.rows, settings.cols}));
      const Share w = some(session, {settings.cols, settings.cols});
      for (int e = 0; e < settings.epochs; ++e) {
        epoch(session, x, w);
        after_epoch(e);
      }
    };
    if (!mesh.world().is_party()) {
      DealerSession session(mesh);
      const auto begin = Clock::now();
      program(session, [&](int e) {
        if (e == 0) ahead.count_down();
      });
      result.dealing = seconds(Clock::now() - begin);
      session.flush();
      return;
    }
    PartySession session(mesh, net::AllReducePlan::unmeasured(parties));
    ahead.wait();
    const auto begin = Clock::now();
    program(session, [](int) {});
    const double online = seconds(Clock::now() - begin);
    const std::lock_guard lock(mutex);
    result.online = std::max(result.online, online);
    result.waited = std::max(result.waited, seconds(session.waited_for_dealer()));
    if (mesh.rank() == 0) result.cost = session.stated();
  });
  return result;
}

void measure(int parties, const Settings& settings, Measurements& report) {
  Row& row = report.add({{"n", std::to_string(parties)}});
  const double epochs = settings.epochs;
  const double elements = static_cast<double>(settings.rows * settings.cols) * epochs;
  for (int repeat = -1; repeat < settings.repeats; ++repeat) {  // the first time warms up
    const Run took = run(parties, settings);
    if (repeat < 0) continue;
    row.figure("dealing", "ms/epoch").add(took.dealing / epochs * 1e3);
    row.figure("online", "ms/epoch").add(took.online / epochs * 1e3);
    row.figure("waited for the dealer", "ms/epoch").add(took.waited / epochs * 1e3);
    row.figure("dealt", "M elements/s").add(elements / took.dealing / 1e6);
    row.figure("dealt in bytes", "MB/s").add(static_cast<double>(took.cost.dealt_bytes) / took.dealing / 1e6);
  }
}

}  // namespace
}  // namespace tacit::bench

int main(int argc, char** argv) {
  using namespace tacit::bench;
  using tacit::launcher::Measurements;
  Settings settings;
  CLI::App app("How fast the dealer deals, and how long parties wait for it");
  settings.meshes.add_options(app);
  app.add_option("--parties", settings.parties, "numbers of parties")->check(CLI::Range(2, 64));
  app.add_option("--rows", settings.rows, "rows of the data")->check(CLI::Range(1, 1 << 20));
  app.add_option("--cols", settings.cols, "columns of the data")->check(CLI::Range(1, 1 << 12));
  app.add_option("--epochs", settings.epochs, "epochs of a run")->check(CLI::Range(1, 10000));
  app.add_option("--repeats", settings.repeats, "samples of everything")->check(CLI::Range(1, 1000));
  app.add_option("--json", settings.json, "file for the figures; - for standard output");
  CLI11_PARSE(app, argc, argv);
  tacit::mpc::keep_freed_memory();
  try {
    Measurements report("dealer", argc, argv);
    for (const int parties : settings.parties) measure(parties, settings, report);
    report.note(fmt::format("mesh {}, link {}; {} x {} elements, {} epochs; all ranks in one process; {} samples",
                            settings.meshes.mesh(), settings.meshes.link(), settings.rows, settings.cols,
                            settings.epochs, settings.repeats));
    report.finish(settings.json);
  } catch (const std::exception& error) {
    return tacit::report_and_exit_code(error, "dealer_bench");
  }
}
