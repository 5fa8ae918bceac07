// Admission — what rank 0 checks in a newcomer's hello, and where the others will reach it.
#pragma once

#include <optional>

#include "net/rendezvous/conversation.h"
#include "net/rendezvous/setting.h"

namespace tacit::net {

// Against the newcomer alone: it is turned away, and the others go on waiting.
std::optional<Failure> false_claim(const Setting& setting, const Conversation& talk, const Hello& hello);

// Against all ranks going on together: every one of them ends with this.
std::optional<Failure> other_version(const Setting& setting, const Conversation& talk, int version);
std::optional<Failure> mismatch(const Setting& setting, const Conversation& talk, const Hello& hello);

// In this order: what the roster says, what the newcomer announces, what we see.
Endpoint reachable_at(const Setting& setting, const Conversation& talk, const Hello& hello);

}  // namespace tacit::net
