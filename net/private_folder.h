// make_private_folder makes a folder to which only this user may write, for a rank's account and
// checkpoints.
#pragma once

#include <filesystem>
#include <string_view>
#include <system_error>

namespace tacit::net {

// Makes the folder and its missing parents, writable for this user alone under any umask: another user could replace the
// files in a folder that others may write to. Leaves existing folders unchanged.
std::error_code make_folder(const std::filesystem::path& path);

// Makes the folder with mode 0700, and its parents with make_folder(). An existing folder is
// refused if it is a symbolic link, belongs to another user, or is writable for others: another
// user could place a link at the path of a new file. `what` is the folder's name in messages
// ("output folder"), and `instead` the alternative ("name another with --output"). Throws
// ConfigError.
void make_private_folder(const std::filesystem::path& path, std::string_view what, std::string_view instead);

}  // namespace tacit::net
