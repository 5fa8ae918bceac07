// write_remedy suggests a remedy for a file that cannot be written, by the system's error.
#pragma once

#include <string>

namespace tacit::net {

// `error` is an errno. Example: "free some space there".
const char* remedy_in_place(int error);

// The same, or another place: "free some space there, or name another place".
std::string write_remedy(int error);

}  // namespace tacit::net
