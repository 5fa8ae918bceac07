// write_remedy suggests a remedy for a file that cannot be written, by the system's error.
#pragma once

namespace tacit::net {

// `error` is an errno. Example: "free some space there, or name another place".
const char* write_remedy(int error);

}  // namespace tacit::net
