// DeviceChoice — the device on which a rank multiplies large matrices: its processor, or a card (GPU). Each rank
// chooses for itself, since results and bytes are the same on both.
//
// The flag --device beats TACIT_DEVICE in the environment. By default no card is used.
#pragma once

#include <optional>
#include <string>

#include "launcher/settings/source.h"
#include "net/rendezvous/environment.h"

namespace tacit::launcher {

inline constexpr const char* kDeviceFlag = "--device";
inline constexpr const char* kDeviceVariable = "TACIT_DEVICE";

struct DeviceChoice {
  enum class Kind {
    kNone,
    kAuto,  // a card if there is one and the job is large enough for it
    kCuda,  // a card, or the rank does not start
  };
  Kind kind = Kind::kNone;
  std::optional<int> card;  // with kCuda: the card's number, if the user chose one

  std::string text() const;  // "none", "auto", "cuda", "cuda:1"
};

// `flag` "": the flag is not given. Throws ConfigError for a text that is no choice.
Sourced<DeviceChoice> find_device_choice(const std::string& flag, const net::GetVariable& get);

}  // namespace tacit::launcher
