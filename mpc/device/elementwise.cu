#include "mpc/device/elementwise.h"

#include "mpc/device/grid_loop.h"

namespace tacit::mpc::device {

namespace {

template <typename Body>
__global__ void __launch_bounds__(kLoopThreads) each(Body body, std::int64_t count) {
  for (std::int64_t i = first_element(); i < count; i += element_step()) body(i);
}

}  // namespace

template <typename Body>
int for_each(const Body& body, std::int64_t count, int processors, Stream stream) {
  if (count == 0) return 0;
  return launch(each<Body>, loop_grid(count, processors), dim3(kLoopThreads), stream, body, count);
}
template int for_each(const DropBits&, std::int64_t, int, Stream);
template int for_each(const PartyProduct&, std::int64_t, int, Stream);
template int for_each(const Select&, std::int64_t, int, Stream);

}  // namespace tacit::mpc::device
