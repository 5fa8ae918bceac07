// The card that a rank takes, and the rank's sentence without a card. The emulated device plays the cards of a
// machine.
#include "launcher/run/rank_device.h"

#include <gmock/gmock.h>

#include "launcher/doctor/card.h"
#include "tests/mpc/device/emulated_device.h"

namespace tacit::launcher {
namespace {

using Kind = DeviceChoice::Kind;
using mpc::device::EmulatedDevice;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::ThrowsMessage;

constexpr std::int64_t kBytes = 1 << 20;

// A machine with `count` cards; `opened`: gets the numbers of opened cards, in order.
CardSource machine(int count, std::vector<int>* opened = nullptr) {
  return {[=] {
            return mpc::device::Cards{count, count > 0 ? "" : "this machine has no NVIDIA driver"};
          },
          [=](int number) -> std::unique_ptr<mpc::device::Device> {
            if (number >= count) throw ConfigError("there is no device cuda:" + std::to_string(number));
            if (opened != nullptr) opened->push_back(number);
            return std::make_unique<EmulatedDevice>(kBytes);
          }};
}

Sourced<DeviceChoice> flag(Kind kind, std::optional<int> card = {}) {
  return {{kind, card}, Source::flag(kDeviceFlag)};
}

TEST(RankDevice, OfANamedCardIsThatCardOrAnError) {
  std::vector<int> opened;
  RankDevice named(flag(Kind::kCuda, 2), 0, machine(4, &opened));
  EXPECT_EQ(opened, std::vector{2});
  EXPECT_THAT(named.decide(1, {kBytes, kBytes}), HasSubstr("multiplies large matrices on emulated"));
  EXPECT_NE(named.get(), nullptr);
  EXPECT_THAT([] { RankDevice(flag(Kind::kCuda, 4), 0, machine(4)); },
              ThrowsMessage<ConfigError>(AllOf(HasSubstr("--device cuda:4"), HasSubstr("there is no device cuda:4"))));
  EXPECT_THAT([] { RankDevice(flag(Kind::kCuda), 0, machine(0)); },
              ThrowsMessage<ConfigError>(HasSubstr("--device cuda")));
  const Sourced<DeviceChoice> variable{{Kind::kCuda, 4}, Source::environment(kDeviceVariable)};
  EXPECT_THAT([&] { RankDevice(variable, 0, machine(4)); },
              ThrowsMessage<ConfigError>(HasSubstr("TACIT_DEVICE=cuda:4")));
}

TEST(RankDevice, WithoutANumberIsOneCardForEachRankOfTheMachine) {
  std::vector<int> opened;
  for (int place = 0; place < 5; ++place) RankDevice(flag(Kind::kCuda), place, machine(2, &opened));
  EXPECT_EQ(opened, (std::vector{0, 1, 0, 1, 0}));
}

TEST(RankDevice, WithoutRoomForTheValuesThatStayIsAnErrorWithTheNeededAndFreeBytes) {
  RankDevice named(flag(Kind::kCuda, 0), 0, machine(1));
  EXPECT_THAT(
      [&] {
        named.decide(kWorthACard, {3'000'000'000, 4'000'000'000});
      },
      ThrowsMessage<ConfigError>(
          AllOf(HasSubstr("may need 3.00 GB"), HasSubstr("0.00 GB are free"), HasSubstr("--device none"))));
}

TEST(RankDevice, ChosenByAutoIsForLargeJobsThatFit) {
  const auto decided = [](std::int64_t multiplications, std::int64_t most, int cards) {
    RankDevice automatic(flag(Kind::kAuto), 0, machine(cards));
    EXPECT_EQ(automatic.get(), nullptr) << "before the sizes are known";
    const std::string note = automatic.decide(multiplications, {0, most});
    return std::pair(automatic.get() != nullptr, note);
  };
  EXPECT_EQ(decided(kWorthACard - 1, 1, 1), std::pair(false, std::string()));
  EXPECT_TRUE(decided(kWorthACard, kBytes, 1).first);
  const auto [full, why_full] = decided(kWorthACard, 2'000'000'000, 1);
  EXPECT_FALSE(full);
  EXPECT_THAT(why_full, AllOf(HasSubstr("multiplies on the processor"), HasSubstr("2.00 GB")));
  const auto [none, why_none] = decided(kWorthACard, 1, 0);
  EXPECT_FALSE(none);
  EXPECT_THAT(why_none, AllOf(HasSubstr("multiplies on the processor"), HasSubstr("no NVIDIA driver")));
}

TEST(RankDevice, OfNoneTouchesNoCard) {
  std::vector<int> opened;
  RankDevice none({}, 0, machine(2, &opened));
  EXPECT_EQ(none.decide(kWorthACard, {}), "");
  EXPECT_EQ(none.text(), "none");
  EXPECT_TRUE(opened.empty());
}

TEST(DoctorOfCards, SaysWhyNoneIsUsed) {
  EXPECT_THAT(examine_card({}, 0, machine(0)).text, AllOf(HasSubstr("none is used"), HasSubstr("no NVIDIA driver")));
  EXPECT_THAT(examine_card({}, 0, machine(2)).text, AllOf(HasSubstr("none is the default"), HasSubstr("machine's 2")));
  EXPECT_EQ(examine_card(flag(Kind::kAuto), 0, machine(0)).kind, Finding::Kind::kOk);
  const Finding wrong = examine_card(flag(Kind::kCuda, 1), 0, machine(1));
  EXPECT_EQ(wrong.kind, Finding::Kind::kWrong);
  EXPECT_THAT(wrong.text, HasSubstr("there is no device cuda:1"));
}

TEST(DoctorOfCards, MeasuresProductsAndTheWayToTheCard) {
  EmulatedDevice device(kBytes);
  const CardSpeed speed = measure_card(device, 32);
  EXPECT_GT(speed.multiplications, 1e3);
  EXPECT_GT(speed.put, 1e3);
  EXPECT_GT(speed.got, 1e3);
  EXPECT_EQ(device.used(), 0);
}

}  // namespace
}  // namespace tacit::launcher
