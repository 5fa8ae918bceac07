#include "net/tcp/mesh_failure.h"

namespace tacit::net {

bool MeshFailure::record(Exit exit, int culprit, std::string text, int reporter) {
  const std::lock_guard lock(mutex_);
  if (happened_.load()) return false;
  report_ = {exit, culprit, std::move(text)};
  reporter_ = reporter;
  happened_.store(true);
  return true;
}

AbortReport MeshFailure::report() const {
  const std::lock_guard lock(mutex_);
  return report_;
}

void MeshFailure::raise(const std::string& context) const {
  const AbortReport r = report();
  const std::string reported = reporter_ < 0 ? "" : " (reported by rank " + std::to_string(reporter_) + ")";
  const std::string text = r.reason + reported + context;
  if (r.exit == Exit::kProtocol) {
    throw ProtocolError(text + "; do all ranks run the same version, job and data shapes?", r.culprit);
  }
  if (r.exit == Exit::kConfig) throw ConfigError(text);
  if (r.exit == Exit::kBug) throw BrokenInvariant(text);
  throw NetError(text + "; see that rank's own log, then start all ranks again", r.culprit);
}

}  // namespace tacit::net
