// Admission: rank 0 checks the hello of a newcomer (a rank that has just connected) and derives the
// address at which other ranks reach it.
#pragma once

#include <optional>

#include "net/rendezvous/conversation.h"
#include "net/rendezvous/setting.h"

namespace tacit::net {

// Returns a reason to refuse this newcomer. The other ranks continue to wait.
std::optional<Failure> false_claim(const Setting& setting, const Conversation& talk, const Hello& hello);

// Returns a reason to end the rendezvous. Every rank ends with this failure.
std::optional<Failure> other_version(const Setting& setting, const Conversation& talk, int version);
std::optional<Failure> mismatch(const Setting& setting, const Conversation& talk, const Hello& hello);

// Returns the address of the newcomer. The roster's address comes first, then the announced
// address, then the address that rank 0 observes.
Endpoint reachable_at(const Setting& setting, const Conversation& talk, const Hello& hello);

}  // namespace tacit::net
