// In lock step, tasks exchange the same bytes as each task alone, in as many rounds as the longest task has. A plan states the cost. An
// error ends all tasks.
#include "mpc/ot/lock_step.h"

#include <gmock/gmock.h>

#include <array>
#include <mutex>
#include <random>

#include "net/error.h"
#include "tests/net/meshes.h"

namespace tacit::mpc {
namespace {

using testing::HasSubstr;

constexpr std::int64_t kKilobyte = 1024;

// The lengths of messages of a task, by round, sender and receiver.
struct Script {
  std::vector<std::vector<std::vector<std::size_t>>> lengths;
  std::int64_t memory = kKilobyte;

  std::size_t rounds() const { return lengths.size(); }
};

Script random_script(int parties, int rounds, std::mt19937& random) {
  Script script;
  const auto n = static_cast<std::size_t>(parties);
  for (int round = 0; round < rounds; ++round) {
    auto& all = script.lengths.emplace_back(n, std::vector<std::size_t>(n));
    for (std::size_t from = 0; from < n; ++from) {
      for (std::size_t to = 0; to < n; ++to) {
        if (from != to && random() % 3 > 0) all[from][to] = random() % 100;
      }
    }
  }
  script.memory = static_cast<std::int64_t>(1 + random() % 8) * kKilobyte;
  return script;
}

// From this one on, they are equal.
constexpr std::size_t kFirstEqual = 9;

std::vector<Script> random_scripts(int parties, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Script> scripts;
  for (const int rounds : {3, 0, 7, 1, 12, 12, 2, 0, 5}) {
    scripts.push_back(random_script(parties, rounds, random));
  }
  EXPECT_EQ(scripts.size(), kFirstEqual);
  for (int i = 0; i < 5; ++i) scripts.push_back(scripts[2]);
  return scripts;
}

std::byte content(std::size_t task, std::size_t round, std::size_t from, std::size_t to, std::size_t at) {
  return static_cast<std::byte>(task * 83 + round * 31 + from * 17 + to * 5 + at);
}

// Exchanges the messages of a round, and checks the messages of the others.
void exchange_round(PairNetwork& network, const Script& script, std::size_t task, std::size_t round) {
  const auto own = static_cast<std::size_t>(network.rank());
  auto out = network.messages(), in = network.messages();
  for (std::size_t peer = 0; peer < out.size(); ++peer) {
    out[peer].resize(script.lengths[round][own][peer]);
    in[peer].resize(script.lengths[round][peer][own]);
    for (std::size_t at = 0; at < out[peer].size(); ++at) out[peer][at] = content(task, round, own, peer, at);
  }
  network.exchange(out, in);
  if (network.planned()) return;
  for (std::size_t peer = 0; peer < in.size(); ++peer) {
    for (std::size_t at = 0; at < in[peer].size(); ++at) {
      ASSERT_EQ(in[peer][at], content(task, round, peer, own, at)) << task << " " << round << " " << peer;
    }
  }
}

std::vector<LockStep::Task> tasks_of(PairNetwork& network, const std::vector<Script>& scripts,
                                     std::vector<std::size_t>& order) {
  std::vector<LockStep::Task> tasks;
  for (std::size_t t = 0; t < scripts.size(); ++t) {
    tasks.push_back({[&network, &order, &script = scripts[t], t] {
                       for (std::size_t round = 0; round < script.rounds(); ++round) {
                         order.push_back(t);
                         exchange_round(network, script, t, round);
                       }
                       order.push_back(t);
                     },
                     scripts[t].memory});
  }
  return tasks;
}

// The cost of running the scripts, from a plan of each.
MadeCost planned_cost(const std::vector<Script>& scripts, int rank, int parties, std::int64_t most_memory) {
  PairNetwork plan(rank, parties);
  std::vector<LockStep::PlannedTask> planned;
  for (std::size_t i = 0; i < scripts.size(); ++i) {
    if (i > kFirstEqual) {
      ++planned.back().times;
      continue;
    }
    for (std::size_t round = 0; round < scripts[i].rounds(); ++round) exchange_round(plan, scripts[i], i, round);
    plan.hold(scripts[i].memory);
    planned.push_back({std::make_shared<const MadeTrace>(plan.take_trace())});
  }
  return LockStep::cost(planned, most_memory);
}

// Limits with which one task runs, a few and all.
constexpr std::array kLimits{std::int64_t{0}, 9 * kKilobyte, 20 * kKilobyte, 1000 * kKilobyte};

TEST(LockStep, ExchangesAsEachTaskAloneAtThePlannedCost) {
  for (const int parties : {1, 2, 3, 5}) {
    const std::vector<Script> scripts = random_scripts(parties, static_cast<unsigned>(parties));
    std::vector<std::int64_t> rounds;
    for (const std::int64_t limit : kLimits) {
      std::mutex mutex;
      std::vector<std::vector<std::size_t>> orders;
      std::int64_t of_all = 0;
      net::run_ranks(net::mesh_kind("Memory").make(parties, 0), [&](net::Mesh& mesh) {
        PairNetwork network(mesh), plan(mesh.rank(), parties);
        std::vector<std::size_t> order, planned_order;
        LockStep::run(network, tasks_of(network, scripts, order), limit);
        const net::Traffic traffic = mesh.traffic();
        const MadeCost measured{traffic.rounds, traffic.total().payload_sent, traffic.total().messages_sent};
        EXPECT_EQ(network.cost(), measured);
        EXPECT_EQ(planned_cost(scripts, mesh.rank(), parties, limit), measured)
            << parties << " parties, limit " << limit;
        LockStep::run(plan, tasks_of(plan, scripts, planned_order), limit);
        EXPECT_EQ(plan.cost(), measured);
        EXPECT_EQ(planned_order, order);
        const std::lock_guard lock(mutex);
        orders.push_back(std::move(order));
        of_all = measured.rounds;
      });
      for (const auto& order : orders) EXPECT_EQ(order, orders.front());
      rounds.push_back(of_all);
    }
    EXPECT_EQ(rounds.front(), 3 + 7 + 1 + 12 + 12 + 2 + 5 + 5 * 7);  // one after the other
    EXPECT_EQ(rounds.back(), 12);                                    // the longest task's
    EXPECT_LT(rounds[1], rounds[0]);
    EXPECT_LT(rounds[2], rounds[1]);
    EXPECT_LT(rounds[3], rounds[2]);
  }
}

TEST(LockStep, GoesOnInTheOrderOfTheTasksAndBeginsTheNextOnesAfterThem) {
  PairNetwork plan(0, 2);
  Script two;
  two.lengths.assign(2, {{0, 1}, {1, 0}});
  const std::vector<Script> scripts{two, two, two};
  std::vector<std::size_t> order;
  LockStep::run(plan, tasks_of(plan, scripts, order), 2 * kKilobyte);
  EXPECT_EQ(order, (std::vector<std::size_t>{0, 1, 0, 1, 0, 1, 2, 2, 2}));
  EXPECT_EQ(plan.cost(), (MadeCost{4, 6, 4}));
}

TEST(LockStep, RunsAtMostSoManyTogether) {
  const auto trace = [] {
    PairNetwork plan(0, 2);
    auto out = plan.messages(), in = plan.messages();
    out[1].resize(5);
    for (int round = 0; round < 3; ++round) plan.exchange(out, in);
    return std::make_shared<const MadeTrace>(plan.take_trace());
  }();
  const std::int64_t many = 2 * LockStep::kMostTogether + 1;
  EXPECT_EQ(LockStep::cost(std::vector<LockStep::PlannedTask>{{trace, many}}), (MadeCost{9, many * 15, 9}));
  PairNetwork plan(0, 2);
  std::vector<LockStep::Task> tasks(static_cast<std::size_t>(many), {[&plan] {
                                      auto out = plan.messages(), in = plan.messages();
                                      out[1].resize(5);
                                      for (int round = 0; round < 3; ++round) plan.exchange(out, in);
                                    }});
  LockStep::run(plan, tasks);
  EXPECT_EQ(plan.cost(), (MadeCost{9, many * 15, 9}));
}

TEST(LockStep, ManyEqualTasksCostAsMuchAsIfEachStoodInTheList) {
  std::mt19937 random(3);
  std::vector<LockStep::PlannedTask> together, single;
  for (const std::int64_t times : {3, 1, 40, 0, 7, 25, 1, 9}) {
    const Script script = random_script(3, static_cast<int>(random() % 6), random);
    PairNetwork plan(0, 3);
    for (std::size_t round = 0; round < script.rounds(); ++round) exchange_round(plan, script, 0, round);
    plan.hold(script.memory);
    const auto trace = std::make_shared<const MadeTrace>(plan.take_trace());
    together.push_back({trace, times});
    for (std::int64_t i = 0; i < times; ++i) single.push_back({trace});
  }
  std::int64_t most_rounds = 0;
  for (std::int64_t limit = 0; limit <= 100 * kKilobyte; limit += kKilobyte / 2) {
    const MadeCost cost = LockStep::cost(together, limit);
    EXPECT_EQ(cost, LockStep::cost(single, limit)) << "limit " << limit;
    most_rounds = std::max(most_rounds, cost.rounds);
  }
  EXPECT_GT(most_rounds, 100);
}

TEST(LockStep, OfNoTasksTakesNoRound) {
  PairNetwork plan(0, 2);
  LockStep::run(plan, {});
  EXPECT_EQ(plan.cost(), MadeCost());
  EXPECT_EQ(LockStep::cost({}), MadeCost());
}

// Counts the objects that exist.
struct Counted {
  explicit Counted(int& its_count) : count(its_count) { ++count; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  ~Counted() { --count; }
  int& count;
};

// Each task holds an object, and task 1 fails in its third round, if `fails`; then task 2 would, too.
std::vector<LockStep::Task> failing_tasks(PairNetwork& network, const Script& script, bool fails, int& alive,
                                          int& begun) {
  std::vector<LockStep::Task> tasks;
  for (std::size_t t = 0; t < 5; ++t) {
    tasks.push_back({[&, fails, t] {
                       const Counted counted(alive);
                       ++begun;
                       for (std::size_t round = 0; round < script.rounds(); ++round) {
                         if (fails && round == 3 && (t == 1 || t == 2)) throw ConfigError("task " + std::to_string(t));
                         exchange_round(network, script, t, round);
                       }
                     },
                     kKilobyte});
  }
  return tasks;
}

TEST(LockStep, AnErrorInATaskEndsAllOfThem) {
  std::mt19937 random(1);
  const Script script = random_script(3, 6, random);
  net::run_ranks(net::mesh_kind("Memory").make(3, 0), [&](net::Mesh& mesh) {
    PairNetwork network(mesh);
    int alive = 0, begun = 0;
    try {
      LockStep::run(network, failing_tasks(network, script, true, alive, begun), 4 * kKilobyte);
      ADD_FAILURE() << "no error";
    } catch (const ConfigError& error) {
      EXPECT_EQ(error.what(), std::string("task 1"));
    }
    EXPECT_EQ(alive, 0);
    EXPECT_EQ(begun, 4);                    // the fifth had no room yet
    exchange_round(network, script, 9, 5);  // the network is as before
  });
}

TEST(LockStep, AnErrorOfOneRankEndsTheTasksOfAll) {
  std::mt19937 random(1);
  const Script script = random_script(3, 6, random);
  std::array<int, 3> alive{};
  const auto errors = net::errors_of_ranks(net::mesh_kind("Memory").make(3, 0), [&](net::Mesh& mesh) {
    PairNetwork network(mesh);
    int begun = 0;
    LockStep::run(network,
                  failing_tasks(network, script, mesh.rank() == 1, alive[static_cast<std::size_t>(mesh.rank())], begun),
                  4 * kKilobyte);
  });
  EXPECT_EQ(net::message_of(errors[1]), "task 1");
  for (const std::size_t other : {std::size_t{0}, std::size_t{2}}) {
    EXPECT_THAT(net::message_of(errors[other]), HasSubstr("rank 1"));
  }
  EXPECT_EQ(alive, (std::array<int, 3>{}));
}

TEST(LockStep, TasksOfOtherLengthsEndWithAnErrorThatNamesThePeer) {
  std::mt19937 random(1);
  std::vector<Script> scripts(2, random_script(2, 4, random));
  const auto errors = net::errors_of_ranks(net::mesh_kind("Memory").make(2, 0), [&](net::Mesh& mesh) {
    PairNetwork network(mesh);
    std::vector<Script> own = scripts;
    for (auto& row : own[1].lengths[2]) {
      for (std::size_t& length : row) length += mesh.rank() == 1 && length > 0 ? 1U : 0U;
    }
    std::vector<std::size_t> order;
    LockStep::run(network, tasks_of(network, own, order));
  });
  EXPECT_THAT(net::message_of(errors[0]), HasSubstr("rank 1"));
  EXPECT_FALSE(net::message_of(errors[1]).empty());
}

}  // namespace
}  // namespace tacit::mpc
