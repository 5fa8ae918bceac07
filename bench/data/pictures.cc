#include "bench/data/pictures.h"

#include <fmt/format.h>

#include <fstream>
#include <system_error>

#include "net/error.h"

namespace tacit::gnn {

namespace {

constexpr std::int64_t kMostPictures = 1'000'000;  // in a file: 3 GB

// The size of a regular file: opening anything else might wait for ever.
std::int64_t size_of(const std::filesystem::path& file) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(file, error);
  if (status.type() == std::filesystem::file_type::not_found) {
    throw ConfigError(
        fmt::format("{} is missing: a folder of pictures holds data_batch_1.bin ... data_batch_5.bin and "
                    "test_batch.bin, the binary "
                    "version of CIFAR-10; `tacit data make pictures --output DIR` makes such a folder",
                    file.string()));
  }
  if (!std::filesystem::is_regular_file(status)) {
    throw ConfigError(fmt::format("{} is not a file that can be read{}", file.string(),
                                  error ? ": " + error.message() : std::string()));
  }
  const auto size = static_cast<std::int64_t>(std::filesystem::file_size(file));
  if (size == 0 || size % kRecordBytes != 0) {
    throw ConfigError(fmt::format(
        "{} has {} bytes, not a multiple of {}: a picture is a label and {} bytes of pixels. The file is not "
        "in CIFAR-10's binary format, or incomplete; copy it again",
        file.string(), size, kRecordBytes, kPictureBytes));
  }
  if (size / kRecordBytes > kMostPictures) {
    throw ConfigError(fmt::format("{} has {} pictures; at most {} in a file are read", file.string(),
                                  size / kRecordBytes, kMostPictures));
  }
  return size;
}

void keep(Pictures& pictures, std::int64_t count, const char* kind, const std::filesystem::path& folder) {
  if (count == 0) return;
  if (count < 0 || count > pictures.count()) {
    throw ConfigError(fmt::format("{} {} pictures are asked for, and {} has {}; ask for 1 ... {}, or 0 for all", count,
                                  kind, folder.string(), pictures.count(), pictures.count()));
  }
  pictures.keep_first(count);
}

}  // namespace

void Pictures::read(const std::filesystem::path& file) {
  const std::int64_t size = size_of(file), before = count();
  records_.resize(records_.size() + static_cast<std::size_t>(size));
  std::ifstream input(file, std::ios::binary);
  input.read(reinterpret_cast<char*>(records_.data() + before * kRecordBytes), size);
  if (input.gcount() != size) {
    throw ConfigError(fmt::format(
        "{} cannot be read: {} of {} bytes arrived; check that this user may read it and that its disk is well",
        file.string(), input.gcount(), size));
  }
  for (std::int64_t picture = before; picture < count(); ++picture) {
    if (label(picture) < kPictureClasses) continue;
    throw ConfigError(fmt::format(
        "{}: the picture at byte {} has the label {}, and labels are 0 ... {}. The file is not in CIFAR-10's "
        "binary format (CIFAR-100 has two labels for each picture)",
        file.string(), (picture - before) * kRecordBytes, label(picture), kPictureClasses - 1));
  }
}

PictureSets read_pictures(const std::filesystem::path& folder, std::int64_t train, std::int64_t test) {
  PictureSets sets;
  for (const char* name : kTrainingBatches) sets.train.read(folder / name);
  sets.test.read(folder / kTestBatch);
  keep(sets.train, train, "training", folder);
  keep(sets.test, test, "test", folder);
  return sets;
}

}  // namespace tacit::gnn
