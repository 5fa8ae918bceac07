#include "net/rendezvous/environment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "tests/net/loopback.h"

namespace tacit::net {
namespace {

using testing::AllOf;
using testing::HasSubstr;

using Variables = std::map<std::string, std::string>;

const Variables kGood = {{"RANK", "1"}, {"WORLD_SIZE", "3"}, {"MASTER_ADDR", "node0"}, {"MASTER_PORT", "29500"}};

Environment read(const Variables& variables) {
  return read_environment([&](const char* name) -> const char* {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

std::string refusal_with(const std::string& name, const char* value) {
  Variables variables = kGood;
  variables.erase(name);
  if (value != nullptr) variables[name] = value;
  const Outcome outcome = outcome_of([&] { read(variables); });
  EXPECT_EQ(outcome.exit, Exit::kConfig) << name << "=" << (value == nullptr ? "(unset)" : value);
  return outcome.what;
}

TEST(Environment, IsReadFromTheFourVariables) {
  const Environment e = read(kGood);
  EXPECT_EQ(e.rank, 1);
  EXPECT_EQ(e.world_size, 3);
  EXPECT_EQ(e.master, (Endpoint{"node0", 29500}));
}

TEST(Environment, MissingOrEmptyVariablesAreNamedWithTheRemedy) {
  for (const char* name : {"RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT"}) {
    for (const char* value : {static_cast<const char*>(nullptr), ""}) {
      EXPECT_THAT(refusal_with(name, value),
                  AllOf(HasSubstr(std::string(name) + " is not set; expected"), HasSubstr("set RANK, WORLD_SIZE")));
    }
  }
}

TEST(Environment, WrongNumbersAreNamedWithTheirValueAndRange) {
  for (const char* value : {"0", "-1", "1025", "three", "3 ", "0x3", "3.0", "99999999999999999999"}) {
    EXPECT_THAT(refusal_with("WORLD_SIZE", value),
                AllOf(HasSubstr("WORLD_SIZE is \"" + std::string(value) + "\""), HasSubstr("1 ... 1024")));
  }
  for (const char* value : {"3", "-1", "one"}) {
    EXPECT_THAT(refusal_with("RANK", value),
                AllOf(HasSubstr("RANK is \"" + std::string(value) + "\""), HasSubstr("0 ... 2")));
  }
  for (const char* value : {"0", "65536", "http"}) {
    EXPECT_THAT(refusal_with("MASTER_PORT", value), HasSubstr("MASTER_PORT is \"" + std::string(value) + "\""));
  }
}

TEST(Environment, MasterAddressIsAHostWithoutAPort) {
  for (const char* value : {"node0:29500", "tcp://node0", "no de", "[::1]:29500"}) {
    EXPECT_THAT(refusal_with("MASTER_ADDR", value), AllOf(HasSubstr(value), HasSubstr("without a port")));
  }
  Variables ipv6 = kGood;
  ipv6["MASTER_ADDR"] = "[::1]";
  EXPECT_EQ(read(ipv6).master.host, "::1");
}

TEST(Environment, WorldOfOneNeedsNoMaster) {
  EXPECT_EQ(read({{"RANK", "0"}, {"WORLD_SIZE", "1"}}).world_size, 1);
  EXPECT_EQ(outcome_of([] {
              read({{"RANK", "0"}, {"WORLD_SIZE", "1"}, {"MASTER_ADDR", "node0"}});
            }).exit,
            Exit::kConfig);
}

}  // namespace
}  // namespace tacit::net
