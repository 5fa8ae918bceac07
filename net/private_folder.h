// make_private_folder makes a folder to which only this user may write, for a rank's account and
// checkpoints.
#pragma once

#include <filesystem>
#include <string_view>

namespace tacit::net {

// Makes the folder with mode 0700, and its parents according to the umask. An existing folder is
// refused if it is a symbolic link, belongs to another user, or is writable for others: another
// user could place a link at the path of a new file. `what` is the folder's name in messages
// ("output folder"), and `instead` the alternative ("name another with --output"). Throws
// ConfigError.
void make_private_folder(const std::filesystem::path& path, std::string_view what, std::string_view instead);

}  // namespace tacit::net
