// Sums of clipped gradients equal the contributions of single records, and noise is added before bits are dropped.
#include "mpc/functions/clipped_sum.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mpc/correlations/dealt_message.h"
#include "mpc/protocols/input.h"
#include "mpc/protocols/reveal.h"
#include "mpc/session/local.h"
#include "net/collectives/pack.h"
#include "net/error.h"
#include "tests/mpc/functions/clip_records.h"
#include "tests/mpc/functions/evaluate.h"
#include "tests/mpc/functions/plain_layers.h"
#include "tests/mpc/recording_mesh.h"

namespace tacit::mpc {
namespace {

// All weights and biases in one row.
Share in_a_row(const std::vector<ClippedSum>& sums) {
  std::vector<Share> rows;
  for (const ClippedSum& sum : sums) {
    rows.push_back(reshaped(sum.weights, {1, sum.weights.shape().size()}));
    if (sum.bias) rows.push_back(*sum.bias);
  }
  return beside(rows);
}

// The same in plain numbers, with the factors given, a column.
Matrix in_a_row(const Layers& batch, const Matrix& factor) {
  std::vector<double> row;
  for (const LayerReals& layer : batch) {
    const Matrix scaled = layer.gradients.cwiseProduct(factor.replicate(1, layer.gradients.cols()));
    const Matrix weights = layer.inputs.transpose() * scaled;
    row.insert(row.end(), weights.data(), weights.data() + weights.size());
    if (!layer.bias) continue;
    const Matrix bias = scaled.colwise().sum();
    row.insert(row.end(), bias.data(), bias.data() + bias.size());
  }
  return Eigen::Map<const Matrix>(row.data(), 1, std::ssize(row));
}

Matrix exact_factor(const Layers& layers, double clip) {
  return squared_gradients(layers).unaryExpr([=](double s) { return std::min(1.0, clip / std::sqrt(s)); });
}

std::vector<Layers> batches() {
  return {{{Matrix(0, 3), Matrix(0, 2)}},
          {{rows_of_all_lengths({1, 1}, 1, 1), rows_of_all_lengths({1, 1}, 5, 2)}},
          {{rows_of_all_lengths({7, 50}, 1, 1), rows_of_all_lengths({7, 1}, 5, 2), false}},
          {{rows_of_all_lengths({65, 1}, 1, 1), rows_of_all_lengths({65, 129}, 5, 2)}},
          {{rows_of_all_lengths({33, 9}, 1, 1), rows_of_all_lengths({33, 50}, 2, 2)},
           {rows_of_all_lengths({33, 50}, 1, 3), rows_of_all_lengths({33, 1}, 1, 4)}},
          {{rows_of_all_lengths({9, 3}, 1, 1), rows_of_all_lengths({9, 4}, 5, 2)},
           {rows_of_all_lengths({9, 4}, 3, 3), rows_of_all_lengths({9, 5}, 5, 4), false},
           {rows_of_all_lengths({9, 5}, 1, 5), rows_of_all_lengths({9, 2}, 1, 6)}}};
}

TEST(ClippedSum, IsExactForAGivenFactor) {
  for (const Layers& batch : batches()) {
    const std::int64_t rows = batch[0].inputs.rows();
    Matrix factor = rows_of_all_lengths({rows, 1}, 1, 9).cwiseAbs();
    const auto program = [&](Session& session) {
      const Share s = input(session, 0, {rows, 1}, {64, 19}, &factor, "s");
      const std::vector<LayerRecords> layers = masked_layers(session, batch, {64, 13});
      const std::vector<SumWidths> widths = widths_of_sums(layers, {{7, 7, 19}, rows, 0, session.parties()});
      EXPECT_EQ(with_rounding(kClip, widths).rounding, 0);
      const std::vector<ClippedSum> sums = scaled_sums(session, layers, widths, s);
      EXPECT_EQ(sums[0].weights.fraction_bits(), 45);
      return in_a_row(sums);
    };
    const Matrix expected = in_a_row(batch, factor);
    EXPECT_EQ(revealed_in_the_clear(program), expected);
    for (const int parties : {1, 2, 3, 5, 8}) EXPECT_EQ(revealed_by_parties(parties, program), expected);
  }
}

// Noise so small that it is within a rounding: the sum equals the sum of plain numbers.
TEST(ClippedSum, OfPartiesAndInTheClearIsThatOfPlainNumbers) {
  const StepNoise little{std::exp2(-30), NoiseFrom::kBoth};
  for (const Layers& batch : batches()) {
    const auto program = [&](Session& session) {
      return in_a_row(private_sums(session, masked_layers(session, batch, {64, 13}), kClip, little, 13));
    };
    const Matrix expected = in_a_row(batch, exact_factor(batch, 4));
    const auto rows = static_cast<double>(batch[0].inputs.rows());
    // 2^-8 of each record's at most C, and the drop.
    const auto bound = [&](int parties) { return rows * 4 / 256 + rounding(parties) / 8192; };
    EXPECT_LE(largest_difference(revealed_in_the_clear(program), expected), bound(1));
    for (const int parties : {1, 2, 3, 5, 8}) {
      EXPECT_LE(largest_difference(revealed_by_parties(parties, program), expected), bound(parties));
    }
  }
}

// An empty row adds nothing, with any numbers in it.
TEST(ClippedSum, LeavesEmptyRowsOut) {
  const StepNoise little{std::exp2(-30), NoiseFrom::kBoth};
  for (const Layers& batch : batches()) {
    const std::int64_t rows = batch[0].inputs.rows();
    Matrix counted(rows, 1);
    for (std::int64_t row = 0; row < rows; ++row) counted(row, 0) = row % 2 == 1 ? 1 : 0;
    const auto program = [&](Session& session) {
      const Share real = input(session, 0, {rows, 1}, {64, 0}, &counted, "counted");
      return in_a_row(private_sums(session, masked_layers(session, batch, {64, 13}), kClip, little, 13, &real));
    };
    const Matrix expected = in_a_row(batch, exact_factor(batch, 4).cwiseProduct(counted));
    for (const int parties : {1, 2, 3, 5}) {
      EXPECT_LE(largest_difference(revealed_by_parties(parties, program), expected),
                static_cast<double>(rows) * 4 / 256 + rounding(parties) / 8192);
    }
  }
}

// The error against plain numbers, in units of multiplier·C, has the variance that the card of noise states for outsiders.
TEST(ClippedSum, HasTheStatedNoiseOnEveryWeight) {
  const Layers batch{
      {rows_of_all_lengths({20, 60}, 0.2, 1), rows_of_all_lengths({20, 70}, 0.02, 2)}};  // |g| < C: nothing is clipped
  const Matrix expected = in_a_row(batch, Matrix::Ones(20, 1));
  struct Stated {
    NoiseFrom from;
    int parties;
    double variance;
  };
  for (const Stated& stated : {Stated{NoiseFrom::kDealt, 2, 1},
                               {NoiseFrom::kParties, 3, 3},
                               {NoiseFrom::kBoth, 1, 1},
                               {NoiseFrom::kBoth, 2, 1.5},
                               {NoiseFrom::kBoth, 3, 5.0 / 3},
                               {NoiseFrom::kBoth, 5, 1.8}}) {
    const auto program = [&](Session& session) {
      return in_a_row(private_sums(session, masked_layers(session, batch, {64, 13}), kClip, {0.5, stated.from}, 13));
    };
    const Matrix z = (revealed_by_parties(stated.parties, program) - expected) / (0.5 * 4);
    const double count = static_cast<double>(z.size()), seven = 7 * std::sqrt(2 / count);  // 4270 elements
    EXPECT_NEAR(z.squaredNorm() / count, stated.variance, seven * stated.variance);
    EXPECT_LT(std::abs(z.mean()), 7 * std::sqrt(stated.variance / count));
  }
}

// Rounds, bytes and dealt bytes of the card: 9-50-1, a batch of 256.
TEST(ClippedSum, CostsWhatItsCardStates) {
  constexpr std::int64_t kBatch = 256, kMoved = 9 + 1, kRing = 32 + 13 + 13;  // of the sums: 45 fraction bits
  const auto dealt_sums = [](int bias_bits) {                                 // the bias of the second layer is free
    return net::packed_bytes(9 * 50, kRing) + net::packed_bytes(50, bias_bits) + net::packed_bytes(50, kRing);
  };
  std::mt19937_64 random(1);
  const Records records = clip_records(RecordKind::kRandom, kBatch, random);
  for (const int parties : {2, 3}) {
    run_parties(parties, [&](Session& session, int rank) {
      const std::vector<LayerRecords> layers = masked_records(session, records);
      const Cost start = session.stated();
      const Share factor = clip_factor(session, layers, kClip, kWordBits);
      const Cost before = session.stated();
      scaled_sums(session, layers, widths_of_sums(layers, {kClip, kBatch, 0, parties}), factor);
      const Cost cost = session.stated() - before;
      const Cost second = session.stated();
      private_sums(session, layers, kClip, {1.0}, 13);
      const Cost with_noise = session.stated() - second;
      if (rank >= parties) return;
      EXPECT_EQ(cost.rounds, 2);
      EXPECT_EQ(cost.bytes, (parties - 1) * kBatch * (64 + kRing * kMoved) / 8);
      EXPECT_EQ(cost.dealt_bytes - kDealtTagBytes * cost.dealt_messages, 8 * kBatch * kMoved + dealt_sums(64));
      const Cost noise = with_noise - (second - start);
      EXPECT_EQ(noise.rounds, 0);
      EXPECT_EQ(noise.bytes, 0);
      EXPECT_EQ(noise.dealt_bytes - kDealtTagBytes * noise.dealt_messages,
                dealt_sums(kRing) + net::packed_bytes(1, kRing));
      RecordProperty("rounds", static_cast<int>(with_noise.rounds));
      RecordProperty("bytes_sent_by_a_party_of_" + std::to_string(parties), static_cast<int>(with_noise.bytes));
      RecordProperty("dealt_bytes", static_cast<int>(with_noise.dealt_bytes));
    });
  }
}

// The lengths of all messages, in order, by link.
std::map<std::pair<int, int>, std::vector<std::size_t>> message_lengths(int parties, const Records& records) {
  net::Record record;
  net::run_ranks(net::recorded(net::mesh_kind("Memory").make(parties, 1), record), [&](net::Mesh& mesh) {
    const auto program = [&](Session& session) {
      private_sums(session, masked_records(session, records), kClip, {1.0}, 13);
    };
    if (mesh.world().is_party()) {
      PartySession session(mesh, net::AllReducePlan({{0, net::AllReduce::kDirect}}));
      program(session);
    } else {
      DealerSession session(mesh);
      program(session);
      session.flush();
    }
  });
  std::map<std::pair<int, int>, std::vector<std::size_t>> all;
  for (const net::SentMessage& message : record.messages()) {
    all[{message.from, message.to}].push_back(message.bytes.size());
  }
  return all;
}

TEST(ClippedSum, SendsMessagesWhoseLengthsDoNotDependOnTheRecords) {
  for (const int parties : {2, 3}) {
    std::mt19937_64 random(1);
    const auto first = message_lengths(parties, clip_records(RecordKind::kExtreme, 33, random));
    EXPECT_EQ(first, message_lengths(parties, clip_records(RecordKind::kRandom, 33, random)));
    EXPECT_EQ(std::ssize(first), parties * (parties - 1) + 2 * parties);
  }
}

// The rings of the network 9-50-1 in a batch of 385: no side needs one of 64 bits, and nothing but the narrow rings is sent.
TEST(ClippedSum, TakesNarrowRings) {
  constexpr std::int64_t kBatch = 385;
  constexpr Clip clip{kClip.log_clip, kClip.octaves, 16};
  const Adding adding = narrow_adding(clip, kBatch, 2);
  EXPECT_EQ(adding.rings[0].inputs, 16 + 26 + 13);
  EXPECT_EQ(adding.rings[0].gradients, 16 + 13 + 13);
  EXPECT_EQ(adding.rings[1].inputs, 26 + 16 + 3);  // by the squared length, up to 80,002
  EXPECT_EQ(adding.rings[1].gradients, 16 + 26 + 13);
  std::mt19937_64 random(1);
  const Records records = clip_records(RecordKind::kRandom, kBatch, random);
  run_parties(2, [&](Session& session, int rank) {
    const std::vector<LayerRecords> layers = masked_records(session, records, adding);
    const Cost before = session.stated();
    private_sums(session, layers, clip, {1.0}, 13);
    const Cost cost = session.stated() - before;
    if (rank >= 2) return;
    EXPECT_EQ(cost.rounds, 8);
    // clip_factor, s, nine columns, one column.
    const double sent = 22 + 29 + 35 + 20 + 31 + 84 + 14 + 38 + 19 + 55 + 9 * 42 + 45;
    EXPECT_NEAR(static_cast<double>(cost.bytes), kBatch * sent / 8.0, kBatch * 2.0);  // comparisons are packed by 64
  });
}

TEST(ClippedSum, RefusesASumOrANoiseThatDoesNotFit) {
  const Layers batch{{rows_of_all_lengths({4, 2}, 0.2, 1), rows_of_all_lengths({4, 2}, 0.02, 2)}};
  const auto message = [&](Format format, Clip clip, double multiplier) -> std::string {
    ClearSession session(2);
    try {
      private_sums(session, masked_layers(session, batch, format), clip, {multiplier}, 13);
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message({64, 13}, kClip, 1), "");
  EXPECT_THAT(message({64, 13}, kClip, 1e9), testing::HasSubstr("it must be between 1 and 2^52"));
  EXPECT_THAT(message({64, 13}, kClip, 0), testing::HasSubstr("it must be between 1 and 2^52"));
  EXPECT_THAT(message({64, 13}, kClip, std::nan("")), testing::HasSubstr("it must be between 1 and 2^52"));
  EXPECT_THAT(message({48, 13}, kClip, 1), testing::HasSubstr("and its noise needs rings of 54 and 41 bits"));
  EXPECT_THAT(message({52, 13}, {2, 3, 19}, 1), testing::HasSubstr("clipped to 2^2, and its noise needs"));
  EXPECT_EQ(message({54, 13}, {2, 3, 19}, 1), "");
  EXPECT_NO_THROW(with_rounding(kClip, std::array{SumWidths{16, 42, 0.3}, SumWidths{16, 42, 0.3}}));
  EXPECT_THROW(with_rounding(kClip, std::array{SumWidths{16, 42, 0.3}, SumWidths{16, 42, 0.5}}), ConfigError);
  EXPECT_EQ(message({52, 13}, {-3, 3, 12}, 1), "");
}

}  // namespace
}  // namespace tacit::mpc
