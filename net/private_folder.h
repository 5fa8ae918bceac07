// Private folders — where a rank keeps its account and its checkpoints: nobody else may write to them.
#pragma once

#include <filesystem>
#include <string_view>

namespace tacit::net {

// Makes the folder with mode 0700, and the folders above it as the umask has them. A folder that is there already is
// refused if it is a symbolic link, belongs to another user, or others may write to it: they could put a link where a
// file is about to be written. `what` is the folder's name in the message ("output folder"), `instead` what to do
// otherwise ("name another with --output"). Throws ConfigError.
void make_private_folder(const std::filesystem::path& path, std::string_view what, std::string_view instead);

}  // namespace tacit::net
