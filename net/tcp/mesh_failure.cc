#include "net/tcp/mesh_failure.h"

namespace tacit::net {

bool MeshFailure::record(Exit exit, int culprit, std::string text) {
  const std::lock_guard lock(mutex_);
  if (happened_.load()) return false;
  report_ = {exit, culprit, std::move(text)};
  happened_.store(true);
  return true;
}

AbortReport MeshFailure::report() const {
  const std::lock_guard lock(mutex_);
  return report_;
}

void MeshFailure::raise(const std::string& context) const {
  const AbortReport r = report();
  if (r.exit == Exit::kProtocol) {
    throw ProtocolError(r.reason + context + "; do all ranks run the same version, job and data shapes?", r.culprit);
  }
  if (r.exit == Exit::kConfig) throw ConfigError(r.reason + context);
  if (r.exit == Exit::kBug) throw BrokenInvariant(r.reason + context);
  throw NetError(r.reason + context + "; see that rank's own log, then start all ranks again", r.culprit);
}

}  // namespace tacit::net
