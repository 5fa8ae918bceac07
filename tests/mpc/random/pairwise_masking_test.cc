// The secure sum: masks cancel, are used once, and hide a rank's gradient from every other rank.
#include "mpc/random/pairwise_masking.h"

#include <gtest/gtest.h>

#include <cstring>
#include <mutex>
#include <set>

#include "net/synchronise/gradient_sum.h"
#include "tests/mpc/recording_mesh.h"
#include "tests/mpc/security/chi_square.h"
#include "tests/net/meshes.h"
#include "tests/net/sample_gradients.h"

namespace tacit::mpc {
namespace {

using MaskWords = std::vector<std::uint64_t>;

// The masks of `calls` calls of mask() at each rank.
std::vector<std::vector<MaskWords>> masks_of_ranks(int parties, int calls, std::size_t size, int maskings = 1) {
  std::mutex mutex;
  std::vector<std::vector<MaskWords>> all(static_cast<std::size_t>(parties));
  net::run_ranks(net::mesh_kind("Memory").make(parties, 0), [&](net::Mesh& mesh) {
    std::vector<MaskWords> own;
    for (int m = 0; m < maskings; ++m) {
      const auto masking = pairwise_masking(mesh);
      for (int call = 0; call < calls; ++call) masking->mask(own.emplace_back(size));
    }
    const std::lock_guard lock(mutex);
    all[static_cast<std::size_t>(mesh.rank())] = own;
  });
  return all;
}

TEST(PairwiseMasking, OfAllPartiesAddsUpToZero) {
  for (const int parties : {1, 2, 3, 5}) {
    for (const std::size_t size : {0U, 1U, 7U, 5003U}) {
      const auto masks = masks_of_ranks(parties, 2, size);
      for (std::size_t call = 0; call < 2; ++call) {
        MaskWords sum(size);
        for (const auto& own : masks) {
          for (std::size_t i = 0; i < size; ++i) sum[i] += own[call][i];
        }
        EXPECT_EQ(sum, MaskWords(size)) << parties << " parties";
      }
    }
  }
}

// Over calls, ranks, and a second masking of the same ranks, as after a restart.
TEST(PairwiseMasking, NeverUsesAMaskTwice) {
  const auto masks = masks_of_ranks(3, 5, 100, 2);
  std::set<std::uint64_t> words;
  for (const auto& own : masks) {
    for (const MaskWords& mask : own) words.insert(mask.begin(), mask.end());
  }
  EXPECT_EQ(words.size(), 3U * 2 * 5 * 100);
}

TEST(PairwiseMasking, OfARankIsUniformToAllOthersButOneTogether) {
  const auto masks = masks_of_ranks(4, 1, 20'000);
  for (int pooled = 0; pooled <= 2; ++pooled) {
    // Ranks below `pooled` tell their masks. They cancel all streams of rank 3 except its streams with the ranks in between.
    MaskWords left = masks[3][0];
    for (int other = 0; other < pooled; ++other) {
      for (std::size_t i = 0; i < left.size(); ++i) left[i] += masks[static_cast<std::size_t>(other)][0][i];
    }
    EXPECT_LT(unevenness_of_words(left, 64), kTooUneven) << pooled;
  }
}

TEST(PairwiseMasking, OfAPlaintextMeshIsRefused) {
  const auto errors =
      net::errors_of_ranks(net::mesh_kind("Plaintext").make(2, 0), [](net::Mesh& mesh) { pairwise_masking(mesh); });
  EXPECT_NE(net::message_of(errors[0]).find("this mesh is in plaintext"), std::string::npos)
      << net::message_of(errors[0]);
}

const net::Sizes& sizes_of_model() {
  static const net::Sizes sizes{4099, 0, 1, 2000, 3};
  return sizes;
}

net::Gradients secure_means(net::Mesh& mesh, int steps, bool zeros = false) {
  const net::Sizes& sizes = sizes_of_model();
  const net::SyncSettings settings{.way = net::SyncWay::kSecureSum, .bucket_bytes = 8000, .fraction_bits = 20};
  net::GradientSum sum(mesh, sizes, settings, pairwise_masking(mesh));
  net::Gradients means;
  for (int step = 0; step < steps; ++step) {
    mesh.set_step("step " + std::to_string(step));
    const net::Traffic before = mesh.traffic();
    for (std::size_t p = 0; p < sizes.size(); ++p) {
      sum.ready(p, zeros ? net::Gradient(static_cast<std::size_t>(sizes[p]))
                         : net::sample_gradients(mesh.rank(), step, p, sizes[p]));
    }
    sum.finish();
    const net::Traffic moved = mesh.traffic() - before;
    const net::Cost stated = net::gradient_sum_cost(sizes, settings, mesh.parties(), mesh.rank());
    EXPECT_EQ(moved.total().payload_sent, stated.bytes);
    EXPECT_EQ(moved.total().messages_sent, stated.messages);
    EXPECT_EQ(moved.rounds, stated.rounds);
    for (std::size_t p = 0; p < sizes.size(); ++p) {
      sum.mean(p, means.emplace_back(static_cast<std::size_t>(sizes[p])));
    }
  }
  return means;
}

TEST(SecureSum, HasTheBitsOfAnIndependentSumAtTheStatedCost) {
  for (const std::string kind : {"Memory", "Tls"}) {
    for (const int parties : {1, 2, 3, 5}) {
      net::run_ranks(net::mesh_kind(kind).make(parties, 0), [&](net::Mesh& mesh) {
        const net::Gradients means = secure_means(mesh, 3);
        for (std::size_t i = 0; i < means.size(); ++i) {
          const std::size_t step = i / sizes_of_model().size(), p = i % sizes_of_model().size();
          EXPECT_EQ(means[i],
                    net::mean_of_samples(parties, static_cast<std::int64_t>(step), p, sizes_of_model()[p], 20));
        }
      });
    }
  }
}

// All gradients are zero, so a word that leaves without a mask is the bias, twice. The words of the sums are equal for
// all ranks and are left out by taking the first message of each bucket only: parties add directly at this size, and
// send nothing but their own words.
TEST(SecureSum, SendsUniformWordsWhateverTheGradients) {
  net::Record record;
  net::run_ranks(net::recorded(net::mesh_kind("Memory").make(3, 0), record),
                 [](net::Mesh& mesh) { secure_means(mesh, 5, true); });
  std::vector<std::uint64_t> words;
  std::set<std::uint64_t> seen;
  for (const net::SentMessage& message : record.messages()) {
    if (message.from != 0 || message.to != 1 || !message.step.starts_with("step")) continue;
    ASSERT_EQ(message.bytes.size() % 8, 0U);
    const std::size_t before = words.size();
    words.resize(before + message.bytes.size() / 8);
    std::memcpy(words.data() + before, message.bytes.data(), message.bytes.size());
  }
  ASSERT_EQ(words.size(), 5U * (2050 + 1 + 1000 + 2));
  seen.insert(words.begin(), words.end());
  EXPECT_EQ(seen.size(), words.size());
  EXPECT_LT(unevenness_of_words(words, 64), kTooUneven);
}

}  // namespace
}  // namespace tacit::mpc
