#include "launcher/settings/cpus.h"

#include <gmock/gmock.h>
#include <sched.h>

#include <functional>
#include <thread>

#include "net/error.h"

namespace tacit::launcher {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(Cpus, AreNumbersAndRanges) {
  EXPECT_THAT(parse_cpus("2"), ElementsAre(2));
  EXPECT_THAT(parse_cpus("8,0-3"), ElementsAre(0, 1, 2, 3, 8));
  for (const char* text : {"0", "0-1,5", "0-99", "3,5,7-9"}) EXPECT_EQ(text_of_cpus(parse_cpus(text)), text);
  for (const char* bad :
       {"", ",", "1,", ",1", "x", "1-", "-1", "3-1", "1,1", "0-2,2", "1024", "0-99999999999", "1 ,2"}) {
    EXPECT_THAT([&] { parse_cpus(bad); },
                ThrowsMessage<ConfigError>(AllOf(HasSubstr("--cpus"), HasSubstr("as 0,1 or 0-3,8"))))
        << bad;
  }
}

TEST(Cpus, AreSharedOutInOrder) {
  EXPECT_THAT(share_out({0, 1, 2, 3, 4, 5, 6}, 3),
              ElementsAre(ElementsAre(0, 1), ElementsAre(2, 3), ElementsAre(4, 5, 6)));
  EXPECT_THAT(share_out({4, 7}, 2), ElementsAre(ElementsAre(4), ElementsAre(7)));
  EXPECT_THAT(
      [] {
        share_out({0, 1}, 3);
      },
      ThrowsMessage<ConfigError>(AllOf(HasSubstr("2 CPUs for 3 ranks"), HasSubstr("a CPU of its own"))));
}

// In a thread of its own: the affinity of the others stays.
void in_a_thread(const std::function<void()>& step) { std::thread(step).join(); }

TEST(Cpus, HoldTheCallerWhereItMayRun) {
  in_a_thread([] {
    cpu_set_t usable;
    ASSERT_EQ(sched_getaffinity(0, sizeof usable, &usable), 0);
    int last = -1, unusable = -1;
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
      (CPU_ISSET(static_cast<std::size_t>(cpu), &usable) ? last : unusable) = cpu;
    }
    stay_on({last});
    ASSERT_EQ(sched_getaffinity(0, sizeof usable, &usable), 0);
    EXPECT_EQ(CPU_COUNT(&usable), 1);
    EXPECT_EQ(sched_getcpu(), last);
    if (unusable < 0) return;
    EXPECT_THAT(
        [&] { stay_on({unusable}); },
        ThrowsMessage<ConfigError>(AllOf(HasSubstr("--cpus " + std::to_string(unusable)),
                                         HasSubstr("may not use this CPU; it may use " + std::to_string(last)))));
    EXPECT_THAT(
        [&] {
          stay_on({last, unusable});
        },
        ThrowsMessage<ConfigError>(HasSubstr("may not use CPU " + std::to_string(unusable) + ";")));
  });
}

}  // namespace
}  // namespace tacit::launcher
