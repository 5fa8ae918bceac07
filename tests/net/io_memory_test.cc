// An allocation failure in the I/O thread ends the run like an allocation failure elsewhere: all
// ranks name the machine that lacks memory, with one exit code.
#include <gmock/gmock.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <thread>

#include "net/tcp/tcp_mesh.h"
#include "tests/net/loopback.h"
#include "tests/net/loopback_formation.h"

namespace {

constexpr std::size_t kRefused = 3'333'333;  // bytes; no other allocation in this program has this size
std::atomic<std::thread::id> refused_in;     // the thread of the last such request

}  // namespace

// Replaces operator new[]: an array of exactly kRefused bytes gets no memory.
void* operator new[](std::size_t bytes) {
  if (bytes == kRefused) {
    refused_in = std::this_thread::get_id();
    throw std::bad_alloc();
  }
  if (void* memory = std::malloc(bytes)) return memory;
  throw std::bad_alloc();
}
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace tacit::net {
namespace {

using testing::HasSubstr;
using namespace std::chrono_literals;

TEST(IoThread, ThatGetsNoMemoryEndsAllRanksWithTheSameSentenceAndExitCode) {
  std::vector<Formation> formations = loopback_formations({});
  std::vector<std::thread::id> callers(2);
  const std::vector<Outcome> ended = run_ranks(2, [&](int rank) {
    callers[static_cast<std::size_t>(rank)] = std::this_thread::get_id();
    const auto mesh = mesh_over(std::move(formations[static_cast<std::size_t>(rank)]), {});
    std::vector<char> memory(rank == 1 ? kRefused : 1);  // not by new[]
    const auto bytes = std::as_writable_bytes(std::span(memory));
    Channel& peer = mesh->channel(1 - rank);
    // Rank 0 asks for a message only when its I/O thread has had to make room for the one that
    // rank 1 sends. A waiting thread would read the sockets itself.
    if (rank == 1) peer.post(kMainStream, bytes);
    const auto patience_ends = std::chrono::steady_clock::now() + 1min;
    while (rank == 0 && refused_in.load() == std::thread::id() && std::chrono::steady_clock::now() < patience_ends) {
      std::this_thread::sleep_for(1ms);
    }
    try {
      peer.receive(rank == 0 ? kMainStream + 1 : kMainStream, bytes.first(1)).wait();
    } catch (const Error& error) {  // like every rank's program
      mesh->abort(error.exit(), error.what(), -1);
      throw;
    }
  });
  EXPECT_NE(refused_in.load(), std::thread::id()) << "the message took no memory";
  EXPECT_NE(refused_in.load(), callers[0]) << "not in the I/O thread";
  for (const Outcome& one : ended) {
    EXPECT_EQ(one.exit, Exit::kConfig) << one;
    EXPECT_THAT(one.what, HasSubstr("rank 0"));
    EXPECT_THAT(one.what, HasSubstr("its machine has not enough memory"));
  }
}

}  // namespace
}  // namespace tacit::net
