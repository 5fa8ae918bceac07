#include "launcher/plan/link.h"

#include <fmt/format.h>

#include <array>
#include <chrono>

#include "net/collectives/all_reduce_model.h"

namespace tacit::launcher {

std::string Link::text() const {
  return fmt::format("{:g} ms, {:g} Mbit/s", round_trip * 1e3, bytes_per_second * 8e-6);
}

double seconds(const Link& link, std::int64_t rounds, std::int64_t bytes) {
  return static_cast<double>(rounds) * link.round_trip / 2 + static_cast<double>(bytes) / link.bytes_per_second;
}

net::AllReducePlan openings_for(const Link& link, int parties) {
  net::AllReduceModel model;
  for (const net::AllReduce algorithm : net::kAllReduceAlgorithms) {
    for (std::int64_t bytes = 1 << 10; bytes <= 16 << 20; bytes *= 4) {
      const std::array<net::WordShape, 1> words{net::WordShape{bytes / 8, net::kWordBits}};
      std::int64_t most = 0, rounds = 0;
      for (int rank = 0; rank < std::min(parties, 2); ++rank) {  // in a star the first sends most
        const net::Cost cost = net::all_reduce_cost(algorithm, words, parties, rank);
        most = std::max(most, cost.bytes);
        rounds = std::max(rounds, cost.rounds);
      }
      const std::chrono::duration<double> time(seconds(link, rounds, most));
      model.add(algorithm, bytes, std::chrono::duration_cast<std::chrono::nanoseconds>(time));
    }
  }
  return model.plan();
}

}  // namespace tacit::launcher
