// input — the owner's matrix becomes a share of everybody.
//
// Requires    |x| < 2^(k-2) units, at the owner; anything else is a ConfigError there
// Reveals     nothing: the shares of the others are streams that the owner shares with each of them
// Rounds      0
// Sends       nothing
// Consumes    k bits an element of the seed between the owner and each other party
// Secure      against n-1 passive parties: they hold uniform words that do not depend on x; the dealer has no part
#pragma once

#include <functional>
#include <string_view>

#include "mpc/session/clear.h"
#include "mpc/session/dealer.h"
#include "mpc/session/party.h"
#include "mpc/session/values.h"

namespace tacit::mpc {

Cost input_cost(const Spec& x, const CostSetting& setting);
Share input(Party& party, int owner, Shape shape, Format format, const Matrix* mine, std::string_view name);
Share input(Dealer& dealer, int owner, Shape shape, Format format, const Matrix* mine, std::string_view name);
Share input(Clear& clear, int owner, Shape shape, Format format, const Matrix* mine, std::string_view name);

// What all parties know needs no secrecy: the first party holds it, the others hold zero. The dealer does not ask.
Share constant(Party& party, Shape shape, const std::function<Matrix()>& value, Format format, std::string_view name);
Share constant(Dealer& dealer, Shape shape, const std::function<Matrix()>& value, Format format, std::string_view name);
Share constant(Clear& clear, Shape shape, const std::function<Matrix()>& value, Format format, std::string_view name);

}  // namespace tacit::mpc
