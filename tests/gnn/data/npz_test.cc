#include "gnn/data/npz.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <fstream>
#include <limits>

#include "tests/gnn/data/raw_zip.h"
#include "tests/gnn/data/refusal.h"
#include "tests/temporary_folder.h"

namespace tacit::gnn {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

template <class T>
std::vector<T> extremes() {
  return {std::numeric_limits<T>::lowest(), T{0}, T{1}, std::numeric_limits<T>::max()};
}

// One array of every type, and shapes of every kind.
std::vector<NamedArray> all_kinds() {
  return {{"bool", {{3}, std::vector{NpyBool::kTrue, NpyBool::kFalse, NpyBool::kTrue}}},
          {"uint8", {{4, 1}, extremes<std::uint8_t>()}},
          {"int32", {{1, 4}, extremes<std::int32_t>()}},
          {"int64", {{2, 2}, extremes<std::int64_t>()}},
          {"float32", {{4}, extremes<float>()}},
          {"float64", {{2, 2}, extremes<double>()}},
          {"scalar", {{}, std::vector{0.1}}},
          {"empty", {{0, 5}, std::vector<float>{}}},
          {"layers/0.weight", {{1, 1}, std::vector{-1.0f}}},
          {"long", {{100'000}, std::vector<std::int64_t>(100'000, 7)}}};
}

struct Way {
  const char* name;
  Compression compression;
  Zip64 zip64;
};

class NpzRoundTrip : public testing::TestWithParam<Way> {};

INSTANTIATE_TEST_SUITE_P(Ways, NpzRoundTrip,
                         testing::Values(Way{"Stored", Compression::kStored, Zip64::kWhereNeeded},
                                         Way{"Deflated", Compression::kDeflated, Zip64::kWhereNeeded},
                                         Way{"Stored64", Compression::kStored, Zip64::kAlways},
                                         Way{"Deflated64", Compression::kDeflated, Zip64::kAlways}),
                         [](const auto& tested) { return tested.param.name; });

TEST_P(NpzRoundTrip, GivesBackEveryTypeAndShape) {
  const NpzText file(all_kinds(), GetParam().compression, GetParam().zip64);
  const Npz npz = file.open();
  std::vector<std::string> keys;
  for (const auto& [key, array, text] : all_kinds()) {
    keys.push_back(key);
    const NpyArray read = npz.read(key);
    EXPECT_EQ(read.shape, array.shape) << key;
    EXPECT_EQ(read.values, array.values) << key;
  }
  EXPECT_EQ(npz.keys(), keys);
}

TEST(Npz, DeflatedIsSmall) {
  EXPECT_LT(NpzText(all_kinds(), Compression::kDeflated).text().size(),
            NpzText(all_kinds(), Compression::kStored).text().size() / 100);
}

TEST(Npz, OfEqualArraysIsEqual) { EXPECT_EQ(NpzText(all_kinds()).text(), NpzText(all_kinds()).text()); }

TEST(Npz, ArrayThatIsNotThereIsRefused) {
  const NpzText file(all_kinds());
  EXPECT_FALSE(file.open().has("weight"));
  EXPECT_THAT(refusal([&] { file.open().read("weight"); }), "a.npz: weight: the file has no such array");
}

TEST(Npz, MembersThatAreNoArraysAreNotAmongItsKeys) {
  const NpzText file(RawZip({stored_member("readme.txt", "hello"), stored_member("x", "hello")}).text());
  EXPECT_THAT(file.open().keys(), testing::IsEmpty());
}

TEST(Npz, FileIsReplacedAsAWhole) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "a.npz";
  std::ofstream(path) << "what was there before";
  write_npz(path, {{"x", {{1}, std::vector{1.5}}}});
  EXPECT_THAT(std::get<std::vector<double>>(Npz(path).read("x").values), ElementsAre(1.5));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1) << "something is left behind";
}

TEST(Npz, FileThatCannotBeWrittenLeavesNothing) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "a.npz";
  std::filesystem::create_directory(path);
  std::ofstream(path / "inside") << "so that it cannot be replaced";
  EXPECT_THAT(refusal([&] { write_npz(path, {}); }), HasSubstr("a.npz: cannot be written: "));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
  EXPECT_THAT(refusal([&] { write_npz(folder.path() / "none" / "a.npz", {}); }),
              HasSubstr("No such file or directory"));
}

TEST(Npz, FileThatIsNoneIsRefused) {
  const TemporaryFolder folder;
  EXPECT_THAT(refusal([&] { Npz(folder.path() / "none.npz"); }), HasSubstr("none.npz: cannot be read: No such file"));
  EXPECT_THAT(refusal([&] { Npz(folder.path()); }), HasSubstr("it is not a regular file"));
}

// files/make.py wrote them with NumPy 1.24.
class NumPy : public testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Files, NumPy, testing::Values("stored", "deflated"),
                         [](const auto& tested) { return tested.param; });

TEST_P(NumPy, FileIsRead) {
  const Npz npz(std::filesystem::path(TACIT_TEST_FILES) / fmt::format("{}.npz", GetParam()));
  const auto values = [&](std::string_view key) { return values_as<double>(npz.read(key)); };
  EXPECT_THAT(values("bool"), ElementsAre(1, 0, 1));
  EXPECT_THAT(values("uint8"), ElementsAre(0, 255));
  EXPECT_THAT(values("int32"), ElementsAre(-2147483648.0, 2147483647));
  EXPECT_THAT(values("int64"), ElementsAre(-1099511627776.0, 1099511627776.0));
  EXPECT_THAT(values("float32"), ElementsAre(0.5, -1.25));
  EXPECT_THAT(values("float64"), ElementsAre(0.1, -1e300));
  EXPECT_THAT(values("big_endian"), ElementsAre(1.5, -2));
  EXPECT_THAT(values("columns"), ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(npz.read("columns").shape, ElementsAre(2, 3));
  EXPECT_THAT(values("scalar"), ElementsAre(42));
  EXPECT_THAT(npz.read("scalar").shape, testing::IsEmpty());
  EXPECT_THAT(npz.read("empty").shape, ElementsAre(0, 4));
  EXPECT_THAT(refusal([&] { npz.read("objects"); }), HasSubstr("objects: it holds Python objects"));
  EXPECT_THAT(refusal([&] { npz.read("structured"); }), HasSubstr("structured: it is a structured array"));
  EXPECT_THAT(npz.read("cube").shape, ElementsAre(1, 2, 3));
}

}  // namespace
}  // namespace tacit::gnn
