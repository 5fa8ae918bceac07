#include "mpc/random/nonce.h"

#include <gtest/gtest.h>

#include <mutex>
#include <set>

#include "tests/net/meshes.h"

namespace tacit::mpc {
namespace {

TEST(Nonce, IsEqualAtEveryRankAndNewInEverySession) {
  std::mutex mutex;
  std::vector<std::set<Nonce>> by_session(20);
  net::run_ranks(net::mesh_kind("Memory").make(3, 1), [&](net::Mesh& mesh) {
    for (std::set<Nonce>& seen : by_session) {
      const Nonce nonce = agree_on_nonce(mesh);
      const std::lock_guard lock(mutex);
      seen.insert(nonce);
    }
  });
  std::set<Nonce> all;
  for (const std::set<Nonce>& seen : by_session) {
    ASSERT_EQ(seen.size(), 1U);
    EXPECT_TRUE(all.insert(*seen.begin()).second);
  }
}

}  // namespace
}  // namespace tacit::mpc
