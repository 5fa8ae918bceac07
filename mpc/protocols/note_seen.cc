#include "mpc/protocols/note_seen.h"

#include <bit>

#include "mpc/session/operation.h"

namespace tacit::mpc {

namespace {

struct Noted {};

class NoteSeen final : public OperationOf<Noted> {
 public:
  explicit NoteSeen(const Digest& of_bytes) : of_bytes_(of_bytes) {}
  std::string_view name() const override { return "note"; }
  Cost cost(const CostSetting&) const override { return {}; }
  Noted at(Party& party) override {
    party.transcript().absorb(
        std::bit_cast<std::array<std::uint64_t, sizeof(Digest) / sizeof(std::uint64_t)>>(of_bytes_));
    return {};
  }
  Noted at(Dealer&) override { return {}; }
  Noted at(Clear&) override { return {}; }
  Noted at(Planner&) override { return {}; }

 private:
  const Digest of_bytes_;
};

}  // namespace

void note_seen(Session& session, const Digest& of_bytes) { session.run(NoteSeen(of_bytes)); }

}  // namespace tacit::mpc
