#include "bench/programs/alone.h"

#include <fmt/format.h>

#include "bench/programs/replayed_mesh.h"
#include "tests/mpc/wire_trace.h"

namespace tacit::bench {

void Alone::add_options(CLI::App& app, const std::string& threads_help) {
  app.add_option("--alone", rank_,
                 "run this rank without its peers, from the record of a run of all ranks; the dealer's rank is the "
                 "number of parties")
      ->check(CLI::Range(0, 64));
  app.add_option("--threads", threads_, threads_help)->delimiter(',')->check(CLI::Range(1, 1024));
}

void Alone::measure(net::Meshes meshes, const Program& program, const Repeat& repeat) const {
  net::World world = meshes.front()->world();
  world.rank = *rank_;
  if (world.rank >= world.size()) {
    throw ConfigError(
        fmt::format("--alone {}: with {} parties choose 0 to {}", world.rank, world.parties, world.size() - 1));
  }
  net::Record record;
  net::run_ranks(net::recorded(mpc::with_fixed_randomness(std::move(meshes)), record), program);
  const std::vector<net::SentMessage> recorded = record.take();
  for (const int threads : threads_) {
    net::Meshes alone;
    net::Clock::duration copying{0};
    alone.push_back(net::replayed(recorded, world, copying));
    alone = mpc::with_fixed_randomness(std::move(alone));
    repeat(*alone.front(), threads,
           {{"n", std::to_string(world.parties)},
            {"alone", world.is_party() ? fmt::format("rank {}", world.rank) : "the dealer"},
            {"threads", std::to_string(threads)}},
           copying);
  }
}

}  // namespace tacit::bench
