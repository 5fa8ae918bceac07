#include "mpc/session/profile.h"

#include <algorithm>

#include "net/error.h"

namespace tacit::mpc {

namespace {

// Finds the item with this name, or appends a new one.
template <typename Item, typename NameOf>
std::size_t place_of(std::vector<Item>& items, const NameOf& has_name) {
  const auto known = std::find_if(items.begin(), items.end(), has_name);
  if (known != items.end()) return static_cast<std::size_t>(known - items.begin());
  items.emplace_back();
  return items.size() - 1;
}

void subtract(Profile::Protocol& now, const Profile::Protocol& before) {
  TACIT_CHECK(now.stated.protocol == before.stated.protocol);
  now.stated.calls -= before.stated.calls;
  now.stated.cost -= before.stated.cost;
  now.time -= before.time;
  now.waited -= before.waited;
}

void subtract(Profile::Part& now, const Profile::Part& before) {
  TACIT_CHECK(now.name == before.name && now.protocols.size() >= before.protocols.size());
  now.times -= before.times;
  now.time -= before.time;
  for (std::size_t i = 0; i < before.protocols.size(); ++i) subtract(now.protocols[i], before.protocols[i]);
  std::erase_if(now.protocols, [](const Profile::Protocol& one) { return one.stated.calls == 0; });
}

}  // namespace

Waited& Waited::operator+=(const Waited& other) {
  for_parties += other.for_parties;
  for_dealer += other.for_dealer;
  return *this;
}

Waited& Waited::operator-=(const Waited& other) {
  for_parties -= other.for_parties;
  for_dealer -= other.for_dealer;
  return *this;
}

Cost Profile::Part::cost() const {
  Cost all;
  for (const Protocol& one : protocols) all += one.stated.cost;
  return all;
}

Waited Profile::Part::waited() const {
  Waited all;
  for (const Protocol& one : protocols) all += one.waited;
  return all;
}

Cost Profile::cost() const {
  Cost all;
  for (const Part& part : parts) all += part.cost();
  return all;
}

std::chrono::nanoseconds Profile::time() const {
  std::chrono::nanoseconds all{0};
  for (const Part& part : parts) all += part.time;
  return all;
}

std::vector<ProtocolCost> Profile::by_protocol() const {
  std::vector<ProtocolCost> all;
  for (const Part& part : parts) {
    for (const Protocol& one : part.protocols) {
      ProtocolCost& line =
          all[place_of(all, [&](const ProtocolCost& known) { return known.protocol == one.stated.protocol; })];
      line.protocol = one.stated.protocol;
      line.calls += one.stated.calls;
      line.cost += one.stated.cost;
    }
  }
  return all;
}

Profile operator-(const Profile& now, const Profile& before) {
  TACIT_CHECK(now.parts.size() >= before.parts.size());
  Profile since = now;
  for (std::size_t i = 0; i < before.parts.size(); ++i) subtract(since.parts[i], before.parts[i]);
  std::erase_if(since.parts, [](const Profile::Part& part) { return part.times == 0 && part.protocols.empty(); });
  return since;
}

void RunningProfile::begin_part(std::string_view name) {
  end_part();
  part_ = place_of(profile_.parts, [&](const Profile::Part& part) { return part.name == name; });
  profile_.parts[*part_].name = name;
}

void RunningProfile::end_part() {
  const Clock::time_point time = now();
  if (part_) {
    Profile::Part& part = profile_.parts[*part_];
    ++part.times;
    part.time += time - part_begun_;
  }
  part_.reset();
  part_begun_ = time;  // begin time of the next part, if it follows at once
}

RunningProfile::Call RunningProfile::begin_call(std::string_view protocol, const Cost& cost) {
  if (!part_) begin_part("");
  std::vector<Profile::Protocol>& protocols = profile_.parts[*part_].protocols;
  const Call call{*part_,
                  place_of(protocols, [&](const Profile::Protocol& one) { return one.stated.protocol == protocol; })};
  ProtocolCost& stated = protocols[call.protocol].stated;
  stated.protocol = protocol;
  ++stated.calls;
  stated.cost += cost;
  return call;
}

void RunningProfile::end_call(Call call, std::chrono::nanoseconds time, const Waited& waited) {
  Profile::Protocol& one = profile_.parts[call.part].protocols[call.protocol];
  one.time += time;
  one.waited += waited;
}

}  // namespace tacit::mpc
