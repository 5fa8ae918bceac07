#include "net/failure.h"

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

void raise(const Failure& failure) {
  if (failure.exit == Exit::kConfig) throw ConfigError(failure.text);
  if (failure.exit == Exit::kProtocol) throw ProtocolError(failure.text, failure.culprit);
  throw NetError(failure.text, failure.culprit);  // a bug at another rank is, here, a peer that failed
}

}  // namespace tacit::net
