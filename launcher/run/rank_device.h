// RankDevice — the card on which a rank multiplies large matrices, if its user chose one.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "launcher/plan/memory_need.h"
#include "launcher/settings/device_choice.h"
#include "mpc/device/cards.h"

namespace tacit::launcher {

// The cards of this machine; a test has its own.
struct CardSource {
  std::function<mpc::device::Cards()> find = mpc::device::find_cards;
  std::function<std::unique_ptr<mpc::device::Device>(int number)> open = mpc::device::open_card;
};

// With `auto`, a rank takes a card for this many multiply-adds in an epoch, or more. An estimate: one core needs 27
// ms for them.
inline constexpr std::int64_t kWorthACard = 1'000'000'000;

class RankDevice {
 public:
  // Opens the card that the user named. Without a number, rank `place` of this machine takes card `place` of this machine, and
  // begins again after the last one. Throws ConfigError, in one sentence, if there is no such card.
  RankDevice(const Sourced<DeviceChoice>& choice, int place, CardSource cards = {});

  // Called once, when the sizes of the job are known. `multiplications`: the multiply-adds of secret matrices in an
  // epoch. `need`: this rank's memory on a card. With `auto`, opens a card if the job is worth it and fits into the
  // card's memory. Throws ConfigError if the card that the user named has no room for the values that stay. Returns a
  // sentence about the decision, or "".
  std::string decide(std::int64_t multiplications, const MemoryNeed::OnDevice& need);

  mpc::device::Device* get() const { return device_.get(); }  // null: the rank computes on its processor
  std::string text() const { return device_ ? device_->about() : "none"; }

 private:
  int number() const;
  std::string chosen_itself(std::int64_t multiplications, std::int64_t most);

  const DeviceChoice choice_;
  const int place_;
  const CardSource cards_;
  std::unique_ptr<mpc::device::Device> device_;
};

}  // namespace tacit::launcher
