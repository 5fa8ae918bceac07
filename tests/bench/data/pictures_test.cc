#include "bench/data/pictures.h"

#include <gmock/gmock.h>

#include <array>
#include <fstream>
#include <set>

#include "bench/data/made_pictures.h"
#include "bench/data/picture_batches.h"
#include "tests/gnn/data/refusal.h"
#include "tests/temporary_folder.h"

namespace tacit::gnn {
namespace {

using testing::AllOf;
using testing::HasSubstr;

void write_file(const std::filesystem::path& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary) << bytes;
}

std::string read_file(const std::filesystem::path& file) {
  std::ifstream input(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(input), {}};
}

class PictureFolder : public testing::Test {
 protected:
  PictureFolder() { make_pictures({.train = 12, .test = 3, .seed = 5}, path()); }
  std::filesystem::path path() const { return folder_.path() / "pictures"; }
  std::string refused(std::int64_t train = 0, std::int64_t test = 0) const {
    return refusal([&] { read_pictures(path(), train, test); });
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(PictureFolder, HoldsTheRecordsThatWereMade) {
  const PictureSets sets = read_pictures(path(), 0, 0);
  ASSERT_EQ(sets.train.count(), 12);
  ASSERT_EQ(sets.test.count(), 3);
  for (std::int64_t i = 0; i < 12; ++i) {
    const PictureRecord record = make_picture(5, PictureUse::kTrain, i);
    EXPECT_EQ(sets.train.label(i), record[0]);
    EXPECT_TRUE(std::equal(record.begin() + 1, record.end(), sets.train.pixels(i).begin()));
  }
  EXPECT_EQ(sets.test.label(2), make_picture(5, PictureUse::kTest, 2)[0]);
  EXPECT_EQ(std::filesystem::file_size(path() / "data_batch_5.bin"), 3u * 3073);
  const PictureSets fewer = read_pictures(path(), 7, 2);
  EXPECT_EQ(fewer.train.count(), 7);
  EXPECT_EQ(fewer.test.count(), 2);
}

TEST_F(PictureFolder, WithAMissingFileIsRefused) {
  std::filesystem::remove(path() / "data_batch_3.bin");
  EXPECT_THAT(refused(), AllOf(HasSubstr("data_batch_3.bin is missing"), HasSubstr("tacit data make pictures")));
  std::filesystem::create_directory(path() / "data_batch_3.bin");
  EXPECT_THAT(refused(), HasSubstr("data_batch_3.bin is not a file"));
}

TEST_F(PictureFolder, WithAShortFileIsRefused) {
  const std::string whole = read_file(path() / "test_batch.bin");
  write_file(path() / "test_batch.bin", whole.substr(0, whole.size() - 1));
  EXPECT_THAT(refused(), HasSubstr("test_batch.bin has 9218 bytes, not a multiple of 3073"));
  write_file(path() / "test_batch.bin", "");
  EXPECT_THAT(refused(), HasSubstr("test_batch.bin has 0 bytes"));
}

TEST_F(PictureFolder, WithALabelBeyondNineIsRefused) {
  std::string bytes = read_file(path() / "data_batch_2.bin");
  bytes[3073] = 10;
  write_file(path() / "data_batch_2.bin", bytes);
  EXPECT_THAT(refused(), AllOf(HasSubstr("data_batch_2.bin: the picture at byte 3073 has the label 10"),
                               HasSubstr("labels are 0 ... 9")));
}

TEST_F(PictureFolder, WithFewerPicturesThanAskedForIsRefused) {
  EXPECT_THAT(refused(13), HasSubstr("13 training pictures are asked for"));
  EXPECT_THAT(refused(0, 4), HasSubstr("4 test pictures are asked for"));
  EXPECT_THAT(refused(-1), HasSubstr("ask for 1 ... 12, or 0 for all"));
}

TEST(MadePictures, FollowFromTheirSeed) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const PictureUse use : {PictureUse::kTrain, PictureUse::kTest}) {
    for (std::int64_t number = 0; number < 100; ++number) {
      for (const std::uint8_t byte : make_picture(1, use, number)) hash = (hash ^ byte) * 0x100000001b3;
    }
  }
  EXPECT_EQ(hash, 2040146058394029556u) << "the built-in data changed: every figure made from them must be made again";
  EXPECT_NE(make_picture(1, PictureUse::kTrain, 0), make_picture(2, PictureUse::kTrain, 0));
  EXPECT_NE(make_picture(1, PictureUse::kTrain, 0), make_picture(1, PictureUse::kTest, 0));
}

TEST(MadePictures, HaveEachClassOnceInTen) {
  for (std::int64_t begin = 0; begin < 100; begin += 10) {
    std::set<int> labels;
    for (std::int64_t i = begin; i < begin + 10; ++i) labels.insert(make_picture(3, PictureUse::kTrain, i)[0]);
    EXPECT_EQ(labels.size(), 10u);
  }
}

TEST(MadePictures, OfTooFewOrTooManyAreRefused) {
  const TemporaryFolder folder;
  const auto said = [&](const PicturesOptions& options) {
    return refusal([&] { make_pictures(options, folder.path()); });
  };
  EXPECT_THAT(said({.train = 4}), HasSubstr("train must be 5 ... 1000000, not 4"));
  EXPECT_THAT(said({.test = 0}), HasSubstr("test must be 1 ... 1000000, not 0"));
  const std::filesystem::path file = folder.path() / "file";
  write_file(file, "");
  EXPECT_THAT(refusal([&] { make_pictures({.train = 5, .test = 1}, file); }), HasSubstr("cannot be"));
}

// All pictures of an epoch, by rank and step.
std::vector<std::vector<std::vector<std::int64_t>>> shares(PictureBatches& batches, int ranks, std::int64_t epoch) {
  batches.begin_epoch(epoch);
  std::vector<std::vector<std::vector<std::int64_t>>> all(static_cast<std::size_t>(ranks));
  for (int rank = 0; rank < ranks; ++rank) {
    for (std::int64_t step = 0; step < batches.steps(); ++step) {
      const auto part = batches.of(step, rank);
      all[static_cast<std::size_t>(rank)].emplace_back(part.begin(), part.end());
    }
  }
  return all;
}

TEST(PictureBatches, ShareAllPicturesWithoutOverlap) {
  constexpr int kRanks = 3;
  PictureBatches batches({.pictures = 101, .batch = 8, .ranks = kRanks, .seed = 1});
  ASSERT_EQ(batches.steps(), 5);  // 33 for each rank
  std::set<std::int64_t> seen;
  for (const auto& rank : shares(batches, kRanks, 0)) {
    std::int64_t count = 0;
    for (const auto& step : rank) {
      for (const std::int64_t picture : step) {
        EXPECT_TRUE(seen.insert(picture).second) << picture << " is in two batches";
        EXPECT_TRUE(picture >= 0 && picture < 101);
        ++count;
      }
    }
    EXPECT_EQ(count, 33);
    EXPECT_EQ(rank.back().size(), 1u);
  }
  EXPECT_EQ(seen.size(), 99u);
}

TEST(PictureBatches, AreShuffledByEpochAndSeed) {
  PictureBatches batches({.pictures = 64, .batch = 8, .ranks = 2, .seed = 1});
  PictureBatches others({.pictures = 64, .batch = 8, .ranks = 2, .seed = 2});
  const auto first = shares(batches, 2, 0), second = shares(batches, 2, 1);
  EXPECT_NE(first, second);
  EXPECT_EQ(first, shares(batches, 2, 0));
  EXPECT_NE(first, shares(others, 2, 0));
}

// The parts of all ranks in one step are the batch of one process.
TEST(PictureBatches, OfRanksMakeTheBatchOfOneProcess) {
  PictureBatches ranks({.pictures = 96, .batch = 8, .ranks = 3, .seed = 4});
  PictureBatches one({.pictures = 96, .batch = 24, .ranks = 1, .seed = 4});
  ranks.begin_epoch(2);
  one.begin_epoch(2);
  for (std::int64_t step = 0; step < one.steps(); ++step) {
    std::vector<std::int64_t> joined;
    for (int rank = 0; rank < 3; ++rank) {
      const auto part = ranks.of(step, rank);
      joined.insert(joined.end(), part.begin(), part.end());
    }
    const auto whole = one.of(step, 0);
    EXPECT_EQ(joined, std::vector(whole.begin(), whole.end()));
  }
}

TEST(PictureBatches, NeedAPictureForEachRank) {
  EXPECT_THAT(refusal([] { PictureBatches({.pictures = 2, .batch = 8, .ranks = 3}); }),
              HasSubstr("2 training pictures are too few for 3 ranks"));
  EXPECT_THAT(refusal([] { PictureBatches({.pictures = 2, .batch = 0, .ranks = 1}); }),
              HasSubstr("at least 1 picture"));
}

TEST(Augmentations, MoveAndFlipAPicture) {
  std::array<std::uint8_t, kPictureBytes> pixels{};
  const auto at = [](std::int64_t row, std::int64_t column) {
    return static_cast<std::size_t>(row * kPictureSide + column);
  };
  pixels[at(10, 20)] = 255;
  std::vector<float> out(kPictureBytes);
  const auto place = [&](const Augmentation& augmentation) {
    write_pixels(pixels, augmentation, out);
    return std::max_element(out.begin(), out.begin() + 1024) - out.begin();
  };
  EXPECT_EQ(place({}), static_cast<std::ptrdiff_t>(at(10, 20)));
  EXPECT_EQ(place({.right = 4, .down = -3}), static_cast<std::ptrdiff_t>(at(13, 16)));
  EXPECT_EQ(place({.flip = true}), static_cast<std::ptrdiff_t>(at(10, 11)));
  EXPECT_NEAR(out[at(10, 11)], (1 - 0.4914) / 0.2470, 1e-5);
  EXPECT_NEAR(out[at(0, 0)], -0.4914 / 0.2470, 1e-5);
}

TEST(Augmentations, UseAllMovesAndDependOnEpochAndPicture) {
  std::set<std::int64_t> moves;
  int flips = 0, equal = 0;
  for (std::int64_t picture = 0; picture < 1000; ++picture) {
    const Augmentation one = augmentation_of(1, 0, picture), next = augmentation_of(1, 1, picture);
    EXPECT_TRUE(std::abs(one.right) <= 4 && std::abs(one.down) <= 4);
    moves.insert(9 * one.right + one.down);
    flips += one.flip;
    equal += one.right == next.right && one.down == next.down && one.flip == next.flip;
  }
  EXPECT_EQ(moves.size(), 81u);
  EXPECT_NEAR(flips, 500, 80);
  EXPECT_LT(equal, 30);  // 1 in 162
}

}  // namespace
}  // namespace tacit::gnn
