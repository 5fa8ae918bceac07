#include "mpc/kernels/cpu.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "net/error.h"

namespace tacit::mpc {
namespace {

TEST(Instructions, ThePortableOnesAreAlwaysThereAndTheRestAscend) {
  const auto all = available_instructions();
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(all.front(), Instructions::kPortable);
  EXPECT_TRUE(std::ranges::is_sorted(all));
}

TEST(Instructions, TheBestAreTheWidestWithoutALimit) {
  EXPECT_EQ(best_instructions(nullptr), available_instructions().back());
  EXPECT_EQ(best_instructions(""), available_instructions().back());
}

TEST(Instructions, ANameLowersThemToWhatItNames) {
  for (const Instructions instructions : available_instructions()) {
    EXPECT_EQ(best_instructions(std::string(name(instructions)).c_str()), instructions);
  }
}

TEST(Instructions, ANameNeverRaisesThemAboveWhatThisMachineRuns) {
  for (const char* limit : {"portable", "avx2", "avx512", "ifma", "amx"}) {
    EXPECT_LE(best_instructions(limit), available_instructions().back()) << limit;
  }
}

TEST(Instructions, ABadNameIsAnErrorThatShowsItAndTheChoices) {
  try {
    best_instructions("sse\n9");
    FAIL() << "expected a ConfigError";
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("TACIT_INSTRUCTIONS is \"sse\\x0a9\""));
    for (const char* choice : {"portable", "avx2", "avx512", "ifma", "amx"}) {
      EXPECT_THAT(error.what(), testing::HasSubstr(choice));
    }
  }
}

}  // namespace
}  // namespace tacit::mpc
