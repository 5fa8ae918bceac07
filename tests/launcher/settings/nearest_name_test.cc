#include "launcher/settings/nearest_name.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace tacit::launcher {
namespace {

TEST(NearestName, IsOneOrTwoSlipsAway) {
  const std::vector<std::string_view> known = {"data", "keys", "to", "rate", "evaluate_every"};
  for (const auto& [typed, meant] : std::vector<std::pair<std::string, std::string>>{{"date", "data"},
                                                                                     {"dat", "data"},
                                                                                     {"dataa", "data"},
                                                                                     {"kyes", "keys"},
                                                                                     {"Keys", "keys"},
                                                                                     {"evalaute_evry", ""},
                                                                                     {"evalute_evry", "evaluate_every"},
                                                                                     {"tp", ""},
                                                                                     {"", ""},
                                                                                     {"lr", ""},
                                                                                     {"data", ""}}) {
    EXPECT_EQ(nearest_name(typed, known), meant) << typed;
  }
  EXPECT_EQ(nearest_name(std::string(1 << 20, 'a'), known), "");
}

}  // namespace
}  // namespace tacit::launcher
