// --only of the benchmarks: a word that no work has is refused, with the names of the works, before anything is measured.
#include "bench/programs/chosen.h"

#include <gmock/gmock.h>

#include "tests/net/process.h"

namespace tacit::bench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct NamedWork {
  std::string name;
};

std::vector<std::string> names_of(const std::vector<std::string>& only) {
  std::vector<std::string> names;
  for (const NamedWork& work : chosen<NamedWork>({{"plain mesh"}, {"TLS mesh"}, {"TLS mesh, never spins"}}, only)) {
    names.push_back(work.name);
  }
  return names;
}

TEST(Chosen, IsEveryWorkWithoutWords) {
  EXPECT_THAT(names_of({}), ElementsAre("plain mesh", "TLS mesh", "TLS mesh, never spins"));
}

TEST(Chosen, IsTheWorkOfAWholeNameAndOtherwiseEveryWorkWithTheWord) {
  EXPECT_THAT(names_of({"TLS mesh"}), ElementsAre("TLS mesh"));
  EXPECT_THAT(names_of({"TLS"}), ElementsAre("TLS mesh", "TLS mesh, never spins"));
  EXPECT_THAT(names_of({"spins", "plain"}), ElementsAre("plain mesh", "TLS mesh, never spins"));
}

TEST(Chosen, RefusesAWordOfNoWorkAndNamesTheWorks) {
  for (const std::vector<std::string>& only : {std::vector<std::string>{"tls"}, {"plain", "tls"}}) {
    try {
      names_of(only);
      ADD_FAILURE() << "accepted";
    } catch (const ConfigError& error) {
      EXPECT_STREQ(error.what(),
                   "--only: no work has \"tls\" in its name; expected words of \"plain mesh\", \"TLS mesh\", "
                   "\"TLS mesh, never spins\"");
    }
  }
}

TEST(Chosen, EndsAProgramWithExitCodeTwo) {
  const std::vector<std::pair<std::string, const char*>> programs = {{TRAINING_BENCH, "\"sensors, private graph\""},
                                                                     {PROTOCOL_BENCH, "\"matrix product 512^3, K = 64"},
                                                                     {TRANSPORT_BENCH, "\"TLS mesh\""}};
  for (const auto& [program, work] : programs) {
    const net::Ended ended = net::Process({{program, "--only", "nothing"}, {}, -1}).wait(std::chrono::seconds(60));
    EXPECT_EQ(ended.exit_code, 2) << ended;
    EXPECT_EQ(ended.out, "");
    EXPECT_THAT(ended.err, HasSubstr("no work has \"nothing\" in its name"));
    EXPECT_THAT(ended.err, HasSubstr(work));
  }
}

}  // namespace
}  // namespace tacit::bench
