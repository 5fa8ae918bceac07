#include "net/collectives/group.h"

#include "net/collectives/cut.h"
#include "net/error.h"

namespace tacit::net {

Group::Group(Mesh& mesh, Stream stream) : mesh_(&mesh), stream_(stream), rank_(mesh.rank()), parties_(mesh.parties()) {
  TACIT_CHECK(mesh.world().is_party());
}

void Group::wait(Transfer& transfer) {
  const Clock::time_point begin = Clock::now();
  transfer.wait();
  waited_ += Clock::now() - begin;
}

void Group::for_ranges(std::int64_t count, std::int64_t grain,
                       const std::function<void(std::int64_t, std::int64_t)>& work) const {
  if (ranges_) return ranges_(count, grain, work);
  if (count > 0) work(0, count);
}

Group::Scratch Group::borrow() {
  std::unique_ptr<std::byte[]> memory;
  if (spare_.empty()) {
    memory = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(kSegmentBytes));
  } else {
    memory = std::move(spare_.back());
    spare_.pop_back();
  }
  return Scratch(memory.release(), Lender(this));
}

}  // namespace tacit::net
