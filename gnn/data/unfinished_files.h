// remove_unfinished — removes the files that an AtomicFile leaves when its process is killed:
// `.name.XXXXXX`.
#pragma once

#include <filesystem>
#include <string>

namespace tacit::gnn {

// Removes the leftovers of files with names that begin with `beginning`. No other process may be
// writing such a file.
void remove_unfinished(const std::filesystem::path& folder, const std::string& beginning);
// Removes the leftovers of this file alone.
void remove_unfinished_of(const std::filesystem::path& file);

}  // namespace tacit::gnn
