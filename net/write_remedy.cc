#include "net/write_remedy.h"

#include <cerrno>

namespace tacit::net {

const char* remedy_in_place(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return "free some space there";
    case EACCES:
    case EPERM:
    case EROFS:
      return "let this user write there";
    case ENOENT:
    case ENOTDIR:
      return "make the folder for it";
    case EISDIR:
      return "a folder has this name: name a file";
    case EMFILE:
    case ENFILE:
      return "allow more open files, as `ulimit -n 4096` does";
    case ENAMETOOLONG:
      return "give it a shorter name";
    default:
      return "check the disk";
  }
}

std::string write_remedy(int error) {
  const bool elsewhere = error != EISDIR && error != EMFILE && error != ENFILE && error != ENAMETOOLONG;
  return std::string(remedy_in_place(error)) + (elsewhere ? ", or name another place" : "");
}

}  // namespace tacit::net
