#include "net/write_remedy.h"

#include <cerrno>

namespace tacit::net {

const char* write_remedy(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return "free some space there, or name another place";
    case EACCES:
    case EPERM:
    case EROFS:
      return "let this user write there, or name another place";
    case ENOENT:
    case ENOTDIR:
      return "make the folder for it, or name another place";
    case EISDIR:
      return "a folder has this name: name a file";
    case EMFILE:
    case ENFILE:
      return "allow more open files, as `ulimit -n 4096` does";
    default:
      return "check the disk, or name another place";
  }
}

}  // namespace tacit::net
