// Pictures — small colour pictures with a label of 0 … 9, in the format of CIFAR-10's binary version.
//
// A folder holds data_batch_1.bin … data_batch_5.bin to train on and test_batch.bin. A record is 3,073 bytes: a label,
// then 32 x 32 pixels of red, of green and of blue, each row by row from the top. CIFAR-10 has 10,000 records in each file;
// other counts are read as well.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace tacit::gnn {

inline constexpr std::int64_t kPictureSide = 32, kPictureColours = 3, kPictureClasses = 10;
inline constexpr std::int64_t kPictureBytes = kPictureColours * kPictureSide * kPictureSide;
inline constexpr std::int64_t kRecordBytes = 1 + kPictureBytes;
inline constexpr std::array<const char*, 5> kTrainingBatches = {
    "data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin", "data_batch_4.bin", "data_batch_5.bin"};
inline constexpr const char* kTestBatch = "test_batch.bin";

class Pictures {
 public:
  std::int64_t count() const { return static_cast<std::int64_t>(records_.size()) / kRecordBytes; }
  int label(std::int64_t picture) const { return record(picture)[0]; }
  std::span<const std::uint8_t> pixels(std::int64_t picture) const { return record(picture).subspan(1); }

  // Appends a file's records. Throws ConfigError that names the file and the fault.
  void read(const std::filesystem::path& file);
  void keep_first(std::int64_t count) { records_.resize(static_cast<std::size_t>(count * kRecordBytes)); }

 private:
  std::span<const std::uint8_t> record(std::int64_t picture) const {
    return std::span(records_).subspan(static_cast<std::size_t>(picture * kRecordBytes), kRecordBytes);
  }

  std::vector<std::uint8_t> records_;
};

struct PictureSets {
  Pictures train, test;
};

// The first `train` and `test` pictures of the folder; 0: all. Throws ConfigError.
PictureSets read_pictures(const std::filesystem::path& folder, std::int64_t train, std::int64_t test);

}  // namespace tacit::gnn
