#include "net/rendezvous/objection.h"

namespace tacit::net {

namespace {

constexpr std::chrono::milliseconds kBetweenLooks{100};

}  // namespace

Task await_objection(Loop& loop, const Setting& setting) {
  if (!setting.options.objection) co_return;
  while (true) {
    setting.expect_no_objection();
    co_await loop.sleep_until(Clock::now() + kBetweenLooks);
  }
}

}  // namespace tacit::net
