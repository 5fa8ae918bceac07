#include "launcher/launch/launch_ranks.h"

#include <iterator>
#include <sstream>

#include "launcher/job/check_job.h"
#include "launcher/launch/local.h"
#include "launcher/launch/remote.h"
#include "launcher/processes/scratch_folder.h"
#include "launcher/run/output_folder.h"

namespace tacit::launcher {

namespace {

RanksEnded launch_here(const LaunchedJob& launched, const LaunchOrder& order, Console& console) {
  EndSignals signals;
  const net::ReservedPort port;
  Ranks ranks = local_ranks(launched,
                            {.output = order.output,
                             .program = order.program.empty() ? own_program() : order.program,
                             .verb = order.verb,
                             .who = order.who,
                             .start = order.start,
                             .emulated = order.emulated,
                             .segment = order.segment,
                             .cpus = order.cpus,
                             .restarts = order.restarts},
                            port);
  ranks.shown = order.shown;
  return run(ranks, signals, console);
}

RanksEnded launch_there(const LaunchedJob& launched, const LaunchOrder& order, Console& console) {
  expect_named(launched.job(), launched.read.sources);
  RemoteOptions remote;
  remote.hosts = load_hosts(order.hosts, launched.ranks(), launched.job().name);
  std::istringstream words(order.ssh);
  remote.ssh = {std::istream_iterator<std::string>(words), {}};
  if (!order.program.empty()) remote.program = order.program;
  remote.verb = order.verb;
  remote.who = order.who;
  if (order.port > 0) remote.port = order.port;
  remote.output = order.output;
  if (!order.run_there.empty()) remote.run = order.run_there;
  const ScratchFolder staging("tacit-launch");
  remote.staging = staging.path();
  remote.start = order.start;
  remote.restarts = order.restarts;
  EndSignals signals;
  Remote there(launched, std::move(remote), signals, console);
  Ranks ranks = there.prepare();
  ranks.shown = order.shown;
  RanksEnded ended = run(ranks, signals, console);
  if (ended.exit() == Exit::kOk || (order.verb == "serve" && ended.all_well())) {  // a signal is how a service ends
    for (int rank = 0; rank < launched.ranks(); ++rank) OutputFolder(order.output, rank).put_predictions_aside();
    there.collect();
  } else if (ended.outcome.interrupted == 0 || order.verb == "serve") {
    there.collect_what_there_is();
  }
  return ended;
}

}  // namespace

RanksEnded launch_ranks(const LaunchedJob& launched, const LaunchOrder& order, Console& console) {
  return order.hosts.empty() ? launch_here(launched, order, console) : launch_there(launched, order, console);
}

}  // namespace tacit::launcher
