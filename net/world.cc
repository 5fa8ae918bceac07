#include "net/world.h"

namespace tacit::net {

std::string_view name(Role role) { return role == Role::kParty ? "party" : "dealer"; }

}  // namespace tacit::net
