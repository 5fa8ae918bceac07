#include "net/descriptor.h"

#include <unistd.h>

namespace tacit::net {

void Descriptor::reset() {
  if (fd_ >= 0) ::close(std::exchange(fd_, -1));
}

}  // namespace tacit::net
