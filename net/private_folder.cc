#include "net/private_folder.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "net/error.h"

namespace tacit::net {

namespace {

// Returns why the existing folder is unusable; empty if it is usable. Sets `remedy` if there is one
// beside another folder.
std::string refusal(const std::filesystem::path& path, std::string& remedy) {
  struct stat about {};
  if (::lstat(path.c_str(), &about) != 0) return "cannot be used: " + std::system_category().message(errno);
  if (S_ISLNK(about.st_mode)) return "is a symbolic link, which could lead to anybody's files";
  if (!S_ISDIR(about.st_mode)) return "cannot be made: a file of that name is there";
  if (about.st_uid != ::geteuid()) {
    return fmt::format("belongs to user {}, not to you (user {})", about.st_uid, ::geteuid());
  }
  if ((about.st_mode & 022) == 0) return "";
  remedy = fmt::format("run `chmod 700 {}` if you trust its content, or ", path.string());
  return fmt::format("has mode {:04o}, so others on this machine may write to it; expected 0700",
                     about.st_mode & 07777);
}

}  // namespace

std::error_code make_folder(const std::filesystem::path& path) {
  constexpr mode_t kForOthersToRead = 0755;
  std::error_code unknown;
  if (path.empty() || std::filesystem::is_directory(path, unknown)) return {};
  if (const std::error_code failed = make_folder(path.parent_path())) {
    return failed == std::errc::file_exists ? std::make_error_code(std::errc::not_a_directory) : failed;
  }
  if (path.filename().empty() || ::mkdir(path.c_str(), kForOthersToRead) == 0) return {};
  const std::error_code failed(errno, std::system_category());
  return std::filesystem::is_directory(path, unknown) ? std::error_code() : failed;  // another process made it
}

void make_private_folder(const std::filesystem::path& path, std::string_view what, std::string_view instead) {
  std::error_code failed = make_folder(path.parent_path());
  if (!failed && ::mkdir(path.c_str(), 0700) == 0) return;
  if (!failed && errno != EEXIST) failed = std::error_code(errno, std::system_category());
  std::string remedy;
  const std::string why = failed ? "cannot be made: " + failed.message() : refusal(path, remedy);
  if (why.empty()) return;
  throw ConfigError(fmt::format("the {} {} {}; {}{}", what, path.string(), why, remedy, instead), "", why);
}

}  // namespace tacit::net
