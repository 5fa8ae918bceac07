#include "launcher/settings/device_choice.h"

#include <gmock/gmock.h>

#include <map>

#include "net/error.h"

namespace tacit::launcher {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

Sourced<DeviceChoice> found(const std::string& flag, const std::string& variable) {
  return find_device_choice(
      flag, [&](const char* name) { return name == std::string(kDeviceVariable) ? variable.c_str() : nullptr; });
}

TEST(DeviceChoice, IsTheFlagThenTheVariableThenNone) {
  EXPECT_EQ(found("auto", "cuda:1").value.text(), "auto");
  EXPECT_EQ(found("auto", "cuda:1").source.text(), "--device");
  EXPECT_EQ(found("", "cuda:1").value.text(), "cuda:1");
  EXPECT_EQ(found("", "cuda:1").value.card, 1);
  EXPECT_EQ(found("", "cuda:1").source.text(), "TACIT_DEVICE in the environment");
  EXPECT_EQ(found("", "").value.text(), "none");
  EXPECT_EQ(found("none", "cuda").value.kind, DeviceChoice::Kind::kNone);
  EXPECT_EQ(found("cuda", "").value.kind, DeviceChoice::Kind::kCuda);
  EXPECT_EQ(found("cuda", "").value.card, std::nullopt);
}

TEST(DeviceChoice, OfAnotherTextIsRefused) {
  for (const char* text : {"gpu", "cuda:", "cuda:-1", "cuda:x", "cuda1", "CUDA", "emulated", "cuda:1024", "cuda:1 "}) {
    EXPECT_THAT([&] { found(text, ""); }, ThrowsMessage<ConfigError>(AllOf(HasSubstr("--device"), HasSubstr(text),
                                                                           HasSubstr("none, auto, cuda, or cuda:N"))));
    EXPECT_THAT([&] { found("", text); }, ThrowsMessage<ConfigError>(HasSubstr("TACIT_DEVICE"))) << text;
  }
}

}  // namespace
}  // namespace tacit::launcher
