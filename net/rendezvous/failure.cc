#include "net/rendezvous/failure.h"

namespace tacit::net {

Failure failure_of(const std::exception_ptr& error, int rank) {
  try {
    std::rethrow_exception(error);
  } catch (const NetError& e) {
    return {e.exit(), e.culprit(), e.what()};
  } catch (const ProtocolError& e) {
    return {e.exit(), e.culprit(), e.what()};
  } catch (const Error& e) {
    return {e.exit(), -1, e.what()};
  } catch (const std::exception& e) {
    return {Exit::kBug, rank, "rank " + std::to_string(rank) + " failed: " + e.what()};
  }
}

std::exception_ptr error_of(const Failure& failure) {
  if (failure.exit == Exit::kConfig) return std::make_exception_ptr(ConfigError(failure.text));
  if (failure.exit == Exit::kProtocol) return std::make_exception_ptr(ProtocolError(failure.text, failure.culprit));
  // A bug at another rank counts as a failed peer.
  return std::make_exception_ptr(NetError(failure.text, failure.culprit));
}

void raise(const Failure& failure) { std::rethrow_exception(error_of(failure)); }

}  // namespace tacit::net
