// A checkpoint is complete and belongs to this party, or it is refused with a sentence that states
// the reason.
#include "gnn/checkpoint/checkpoint_file.h"

#include <gmock/gmock.h>

#include <bit>
#include <cmath>

#include "tests/gnn/checkpoint/sample_store.h"

namespace tacit::gnn {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;

using Bytes = std::vector<std::byte>;
constexpr std::size_t kPrefix = 24, kChecksum = 32;

Bytes bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

void write(const fs::path& path, const Bytes& bytes) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

// Imitates an attacker, who can make all parts fit again that are not secret.
Bytes with_new_checksum(Bytes bytes) {
  const mpc::Digest checksum = mpc::digest_of(std::span(bytes).first(bytes.size() - kChecksum));
  std::copy(checksum.begin(), checksum.end(), bytes.end() - kChecksum);
  return bytes;
}

class Checkpoints : public testing::Test {
 protected:
  Checkpoints() { saved(folder_.options(), 1); }

  // Saves a checkpoint and returns its path.
  fs::path saved(const StoreOptions& options, std::int64_t epoch) {
    const std::vector<fs::path> before = fs::exists(folder_.store()) ? folder_.files() : std::vector<fs::path>();
    CheckpointStore store(options);
    store.begin(session_, nonce_of(1));
    store.save(session_, sample_state(session_, epoch));
    for (const fs::path& path : folder_.files()) {
      if (std::find(before.begin(), before.end(), path) == before.end()) return path;
    }
    return folder_.files().front();
  }
  fs::path file() const { return folder_.files().front(); }

  // The reason why a store with these options refuses the only file; empty if it accepts the file.
  std::string refusal(const StoreOptions& options) const {
    const CheckpointStore::Found found = CheckpointStore(options).find();
    EXPECT_EQ(found.usable.size() + found.refused.size(), 1U);
    if (found.refused.empty()) return "";
    EXPECT_THAT(found.refused[0], HasSubstr(".checkpoint"));  // which file
    return found.refused[0];
  }
  std::string refusal() const { return refusal(folder_.options()); }
  std::string refusal_of(const Bytes& bytes) const {
    write(file(), bytes);
    return refusal();
  }

  SampleFolder folder_;
  mpc::ClearSession session_;
};

TEST_F(Checkpoints, AreTakenByTheirParty) { EXPECT_EQ(refusal(), ""); }

TEST_F(Checkpoints, HideWhatIsSecret) {
  const Bytes bytes = bytes_of(file());
  const auto units = static_cast<std::int64_t>(std::nearbyint(std::ldexp(kRareValue, 13)));
  for (const std::uint64_t secret : {static_cast<std::uint64_t>(units), std::bit_cast<std::uint64_t>(2.5)}) {
    const auto word = std::bit_cast<std::array<std::byte, 8>>(secret);
    EXPECT_EQ(std::search(bytes.begin(), bytes.end(), word.begin(), word.end()), bytes.end());
  }
  EXPECT_EQ(fs::status(file()).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(fs::status(folder_.store()).permissions(), fs::perms::owner_all);
}

TEST_F(Checkpoints, ThatAreTruncatedAreRefusedAtEveryLength) {
  const Bytes whole = bytes_of(file());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const std::string why = refusal_of({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)});
    EXPECT_THAT(why, HasSubstr(size < kPrefix ? "its beginning is lost" : "is truncated")) << size;
  }
}

TEST_F(Checkpoints, WithAnyBitChangedAreRefused) {
  const Bytes whole = bytes_of(file());
  for (std::size_t at = 0; at < whole.size(); ++at) {
    Bytes changed = whole;
    changed[at] ^= static_cast<std::byte>(1 << (at % 8));
    const std::string why = refusal_of(changed);
    if (at >= kPrefix) {
      EXPECT_THAT(why, AllOf(HasSubstr("is damaged"), HasSubstr("delete it"))) << at;
    } else {
      EXPECT_NE(why, "") << at;
    }
  }
}

TEST_F(Checkpoints, ThatWereAlteredOnPurposeAreRefused) {
  const Bytes whole = bytes_of(file());
  for (std::size_t at = kPrefix; at + kChecksum < whole.size(); ++at) {
    Bytes changed = whole;
    changed[at] ^= static_cast<std::byte>(1 << (at % 8));
    EXPECT_NE(refusal_of(with_new_checksum(changed)), "") << at;
    if (at > whole.size() - kChecksum - 50) {
      EXPECT_THAT(refusal(), HasSubstr("does not open under this storage key"));  // the content was altered
    }
  }
}

TEST_F(Checkpoints, WithTheContentOfAnotherAreRefused) {
  Bytes first = bytes_of(file());
  fs::remove(file());
  const Bytes second = bytes_of(saved(folder_.options(), 2));
  ASSERT_EQ(first.size(), second.size());
  const auto sealed = static_cast<std::ptrdiff_t>(
      kChecksum +
      static_cast<std::size_t>(mpc::sealed_bytes(9 + CheckpointFile::read(file()).header().layout.content_bytes())));
  std::copy(second.end() - sealed, second.end(), first.end() - sealed);
  EXPECT_THAT(refusal_of(with_new_checksum(first)), HasSubstr("does not open under this storage key"));
}

TEST_F(Checkpoints, OfAnotherRankAreRefused) {
  fs::remove(file());
  const fs::path swapped = saved(folder_.options(1), 1);
  fs::rename(swapped, folder_.store() / "rank0-epoch00000001-swapped.checkpoint");
  EXPECT_THAT(refusal(), HasSubstr("is of rank 1 of 2 parties, and this is rank 0 of 2"));
}

TEST_F(Checkpoints, OfAnotherNumberOfPartiesAreRefused) {
  StoreOptions options = folder_.options();
  options.parties = 3;
  EXPECT_THAT(refusal(options), HasSubstr("is of rank 0 of 2 parties, and this is rank 0 of 3"));
}

TEST_F(Checkpoints, OfAnotherJobAreRefused) {
  StoreOptions options = folder_.options();
  options.job.fill(std::byte{2});
  EXPECT_THAT(refusal(options), AllOf(HasSubstr("belongs to another job"), HasSubstr("0101"), HasSubstr("0202")));
}

TEST_F(Checkpoints, OfAnotherJobNameTheSettingThatDiffers) {
  fs::remove(file());
  StoreOptions options = folder_.options();
  options.settings = "training.batch = 20\ntraining.seed = 1\n";
  saved(options, 1);
  options.job.fill(std::byte{2});
  options.settings = "training.batch = 20\ntraining.seed = 3\n";
  EXPECT_THAT(refusal(options), AllOf(HasSubstr("belongs to another job"), HasSubstr("training.seed was 1 and is 3"),
                                      Not(HasSubstr("training.batch"))));
}

TEST_F(Checkpoints, OfAnotherTrainingServePredictionsOfTheSameModelAlone) {
  StoreOptions options = folder_.options();
  options.job.fill(std::byte{2});
  options.predicting = true;
  EXPECT_EQ(CheckpointStore(options).find().usable.size(), 1);
  options.model.fill(std::byte{3});
  EXPECT_THAT(refusal(options), HasSubstr("belongs to another job"));
}

TEST_F(Checkpoints, UnderAnotherKeyAreRefused) {
  StoreOptions options = folder_.options();
  options.key = folder_.path("other key");
  EXPECT_THAT(refusal(options), HasSubstr("was sealed under another storage key"));
}

TEST_F(Checkpoints, OfOtherDataAreRefused) {
  StoreOptions options = folder_.options();
  options.data.fill(std::byte{5});
  EXPECT_THAT(refusal(options), HasSubstr("was made from other data"));
}

TEST_F(Checkpoints, OfANewerVersionAreRefused) {
  Bytes bytes = bytes_of(file());
  bytes[8] = std::byte{kCheckpointFormat + 1};
  EXPECT_THAT(refusal_of(with_new_checksum(bytes)),
              AllOf(HasSubstr("format 5, and this Tacit reads format 4"), HasSubstr("with the version that wrote it")));
}

TEST_F(Checkpoints, ThatAreSomethingElseAreRefused) {
  write(file(), Bytes(5000, std::byte{'x'}));
  EXPECT_THAT(refusal(), HasSubstr("is no checkpoint of Tacit"));
  fs::remove(file());
  fs::create_directory(folder_.store() / "rank0-folder.checkpoint");
  EXPECT_THAT(refusal(), HasSubstr("cannot be read"));
}

// Sizes in a header are trusted only up to the end of the file.
TEST_F(Checkpoints, ThatClaimMoreThanTheyHoldAreRefusedBeforeAnythingIsAllocated) {
  CheckpointHeader header = CheckpointFile::read(file()).header();
  for (const Shape shape : {Shape{1 << 30, 1 << 9}, Shape{1 << 20, 1 << 14}, Shape{4, 2}}) {
    header.layout.tensors[0].shape = shape;
    const std::string encoded = encode(header);
    Bytes bytes = bytes_of(file());
    bytes.resize(kPrefix);
    bytes.insert(bytes.end(), std::as_bytes(std::span(encoded)).begin(), std::as_bytes(std::span(encoded)).end());
    bytes.resize(bytes.size() + 500);
    const auto fill = [&](std::size_t at, std::uint64_t value, int size) {
      for (int i = 0; i < size; ++i) bytes[at + static_cast<std::size_t>(i)] = static_cast<std::byte>(value >> (8 * i));
    };
    fill(12, encoded.size(), 4);
    fill(16, bytes.size(), 8);
    try {
      CheckpointFile::parse(with_new_checksum(bytes), "hostile");
      ADD_FAILURE() << shape.rows;
    } catch (const ConfigError& error) {
      EXPECT_THAT(error.what(), AnyOf(HasSubstr("not of the length that its header states"), HasSubstr("too large")));
    }
  }
}

}  // namespace
}  // namespace tacit::gnn
