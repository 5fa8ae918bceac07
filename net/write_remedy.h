// write_remedy — what to try where a file cannot be written, by the system's reason.
#pragma once

namespace tacit::net {

// `error` is an errno. "free some space there, or name another place"
const char* write_remedy(int error);

}  // namespace tacit::net
