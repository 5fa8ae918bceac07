#include "gnn/data/zip_archive.h"

#include <gmock/gmock.h>

#include "gnn/data/zip_format.h"
#include "gnn/data/zip_member_reader.h"
#include "tests/gnn/data/raw_zip.h"
#include "tests/gnn/data/refusal.h"

namespace tacit::gnn {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const std::string kContent(5000, 'c');

std::string content_in(const ZipArchive& archive, const ZipMember& member) {
  ZipMemberReader reader(archive.file(), member, archive.file().place().within(member.name));
  std::string content(static_cast<std::size_t>(member.bytes), '\0');
  const auto bytes = std::as_writable_bytes(std::span(content));
  reader.read(bytes.first(bytes.size() / 3));
  reader.read(bytes.subspan(bytes.size() / 3));
  EXPECT_EQ(reader.left(), 0);
  reader.finish();
  return content;
}

// Opens the archive and reads all its members.
std::vector<std::string> contents_of(const std::string& text) {
  const MemorySource file("a.npz", std::as_bytes(std::span(text)));
  const ZipArchive archive(file);
  std::vector<std::string> contents;
  for (const ZipMember& member : archive.members()) contents.push_back(content_in(archive, member));
  return contents;
}

RawZip valid() { return RawZip({stored_member("first", "stored"), deflated_member("second", kContent)}); }

TEST(ZipArchive, GivesWhatWasStoredAndDeflated) {
  EXPECT_THAT(contents_of(valid().text()), testing::ElementsAre("stored", kContent));
}

TEST(ZipArchive, MayBeEmpty) { EXPECT_THAT(contents_of(RawZip({}).text()), testing::IsEmpty()); }

TEST(ZipArchive, MembersMayBeEmpty) {
  EXPECT_THAT(contents_of(RawZip({stored_member("a", ""), deflated_member("b", "")}).text()),
              testing::ElementsAre("", ""));
}

TEST(ZipArchive, MayHaveSizesAfterTheData) {
  RawZip zip = valid();
  for (RawMember& member : zip.members) member.descriptor = true;
  EXPECT_THAT(contents_of(zip.text()), testing::ElementsAre("stored", kContent));
}

TEST(ZipArchive, MayHaveAComment) {
  RawZip zip = valid();
  zip.comment = "PK\5\6 is no end record here";
  EXPECT_THAT(contents_of(zip.text()), testing::ElementsAre("stored", kContent));
}

TEST(ZipArchive, OfTheWriterIsReadWithAndWithout64Bits) {
  for (const Zip64 zip64 : {Zip64::kWhereNeeded, Zip64::kAlways}) {
    std::string text;
    ZipWriter writer([&](std::span<const std::byte> bytes) { text += zip::text(bytes, 0, std::ssize(bytes)); }, zip64);
    const std::string_view content = kContent;
    const auto bytes = std::as_bytes(std::span(content));
    writer.add("a", bytes.first(10), bytes.subspan(10), Compression::kStored);
    writer.add("b", bytes.first(10), bytes.subspan(10), Compression::kDeflated);
    writer.finish();
    EXPECT_THAT(contents_of(text), testing::ElementsAre(kContent, kContent));
    EXPECT_EQ(text.find("PK\6\6") != std::string::npos, zip64 == Zip64::kAlways);
  }
}

struct HostileZip {
  const char* name;
  std::string (*text)();
  const char* said;
};

template <class Spoil>
std::string spoilt(const Spoil& spoil) {
  RawZip zip = valid();
  spoil(zip);
  return zip.text();
}

std::string wide_end(std::uint64_t members, std::uint64_t bytes, std::uint64_t at, std::uint64_t locator_says) {
  zip::Record end;
  end.put32(zip::kEnd64)
      .put64(44)
      .put16(45)
      .put16(45)
      .put32(0)
      .put32(0)
      .put64(members)
      .put64(members)
      .put64(bytes)
      .put64(at);
  end.put32(zip::kLocator64).put32(0).put64(locator_says).put32(1);
  return std::string(zip::text(end.bytes(), 0, std::ssize(end.bytes())));
}

class RefusedZip : public testing::TestWithParam<HostileZip> {};

INSTANTIATE_TEST_SUITE_P(
    Archives, RefusedZip,
    testing::Values(
        HostileZip{"Nothing", [] { return std::string(); }, "it is no ZIP archive"},
        HostileZip{"Text", [] { return std::string(1000, 'x'); }, "it is no ZIP archive"},
        HostileZip{"BareArray", [] { return raw_npy("{}", ""); }, "it is a single array; expected an archive"},
        HostileZip{"CutShort", [] { return valid().text().substr(0, 100); }, "its end is missing"},
        HostileZip{"CutByOne",
                   [] {
                     const std::string all = valid().text();
                     return all.substr(0, all.size() - 1);
                   },
                   "its end is missing"},
        HostileZip{"InParts", [] { return spoilt([](RawZip& zip) { zip.disk = 1; }); },
                   "one part of an archive in several"},
        HostileZip{"MoreMembersThanThereAre", [] { return spoilt([](RawZip& zip) { zip.count = 3; }); },
                   "3 members cannot be in a directory of"},
        HostileZip{"TooManyMembers", [] { return spoilt([](RawZip& zip) { zip.count = 0xffff; }); },
                   "65535 members; at most"},
        HostileZip{"DirectoryOutside", [] { return spoilt([](RawZip& zip) { zip.directory_at = 0xfffffff0; }); },
                   "is not before its end record"},
        HostileZip{"DirectoryTooLarge", [] { return spoilt([](RawZip& zip) { zip.directory_bytes = 0xfffffff0; }); },
                   "a directory of 4294967280 bytes; at most"},
        HostileZip{"DirectoryElsewhere", [] { return spoilt([](RawZip& zip) { zip.directory_at = 0; }); },
                   "member 0: its entry is not in its place"},
        HostileZip{"NoEntry", [] { return spoilt([](RawZip& zip) { zip.members[1].entry_signature = 1; }); },
                   "member 1: its entry is not in its place"},
        HostileZip{"EntryCutShort", [] { return spoilt([](RawZip& zip) { zip.directory_bytes = 100; }); },
                   "member 1: its entry in the directory is cut short"},
        HostileZip{"Wide64Elsewhere",
                   [] { return spoilt([](RawZip& zip) { zip.before_end = wide_end(2, 104, 0, 7); }); },
                   "no 64-bit end record is where this says"},
        HostileZip{"Wide64Outside",
                   [] { return spoilt([](RawZip& zip) { zip.before_end = wide_end(2, 104, 0, ~std::uint64_t{0}); }); },
                   "no 64-bit end record is where this says"},
        HostileZip{"Wide64DirectoryOutside",
                   [] {
                     RawZip zip = valid();
                     zip.before_end = wide_end(2, 104, 0x8000000000000000, zip.text().size() - zip::kEndBytes);
                     return zip.text();
                   },
                   "is not before its end record"}),
    [](const auto& tested) { return tested.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Members, RefusedZip,
    testing::Values(
        HostileZip{"Encrypted", [] { return spoilt([](RawZip& zip) { zip.members[1].flags = 1; }); },
                   "second: it is encrypted"},
        HostileZip{"EncryptedOnlyThere", [] { return spoilt([](RawZip& zip) { zip.members[1].local_flags = 1; }); },
                   "second: it is encrypted"},
        HostileZip{"Bzip2", [] { return spoilt([](RawZip& zip) { zip.members[1].method = 12; }); },
                   "second: compression method 12 (bzip2); expected stored or deflated"},
        HostileZip{"Compressed64", [] { return spoilt([](RawZip& zip) { zip.members[1].method = 9; }); },
                   "compression method 9 (deflate64)"},
        HostileZip{"OtherMethodThere", [] { return spoilt([](RawZip& zip) { zip.members[1].local_method = 0; }); },
                   "second: byte 41: its compression differs there"},
        HostileZip{"OtherNameThere", [] { return spoilt([](RawZip& zip) { zip.members[1].local_name = "third!"; }); },
                   "second: byte 41: it has another name there"},
        HostileZip{"NoHeaderThere", [] { return spoilt([](RawZip& zip) { zip.members[1].local_signature = 7; }); },
                   "second: byte 41: it does not begin where the directory says"},
        HostileZip{"Outside", [] { return spoilt([](RawZip& zip) { zip.members[1].header_at = 0x7fffffff; }); },
                   "second: byte 2147483647: its data would lie behind the directory"},
        HostileZip{"LongName",
                   [] { return spoilt([](RawZip& zip) { zip.members[1].local_name = std::string(60000, 'x'); }); },
                   "second: byte 41: it has another name there"},
        HostileZip{
            "LongerThanTheFile",
            [] { return spoilt([](RawZip& zip) { zip.members[0].bytes = zip.members[0].packed_bytes = 0x7fffffff; }); },
            "first: it declares 2147483647 bytes in a file of"},
        HostileZip{
            "IntoTheDirectory",
            [] { return spoilt([](RawZip& zip) { zip.members[1].packed_bytes = zip.members[1].packed.size() + 1; }); },
            "second: byte 41: its data reach into the directory"},
        HostileZip{"Overlapping",
                   [] { return spoilt([](RawZip& zip) { zip.members[0].bytes = zip.members[0].packed_bytes = 7; }); },
                   "second: byte 41: it overlaps another member"},
        HostileZip{"SharedData",
                   [] {
                     return spoilt([](RawZip& zip) {
                       zip.members[1] = zip.members[0];
                       zip.members[1].name = "twin!";
                       zip.members[1].header_at = 0;
                     });
                   },
                   "twin!: byte 0: it has another name there"},
        HostileZip{"Twice", [] { return spoilt([](RawZip& zip) { zip.members[1] = zip.members[0]; }); },
                   "first: it is there twice"},
        HostileZip{"StoredInMoreThanItHas", [] { return spoilt([](RawZip& zip) { zip.members[0].bytes = 7; }); },
                   "first: it is stored in 6 bytes but declares 7"},
        HostileZip{"Bomb", [] { return spoilt([](RawZip& zip) { zip.members[1].bytes = 0x7fffffff; }); },
                   "second: it declares 2147483647 bytes, more than"},
        HostileZip{"LongerThanDeclared", [] { return spoilt([](RawZip& zip) { zip.members[1].bytes = 4999; }); },
                   "second: its data are longer than the 4999 declared bytes"},
        HostileZip{"ShorterThanDeclared", [] { return spoilt([](RawZip& zip) { zip.members[1].bytes = 5001; }); },
                   "second: its data end after 5000 bytes; 5001 are declared"},
        HostileZip{
            "DeflatedCutShort",
            [] { return spoilt([](RawZip& zip) { zip.members[1].packed.resize(zip.members[1].packed.size() - 2); }); },
            "second: its compressed data are cut short"},
        HostileZip{"Damaged", [] { return spoilt([](RawZip& zip) { zip.members[1].packed[0] = '\x07'; }); },
                   "second: its compressed data are damaged"},
        HostileZip{"Followed", [] { return spoilt([](RawZip& zip) { zip.members[1].packed += "x"; }); },
                   "second: something follows its compressed data"},
        HostileZip{"WrongChecksum", [] { return spoilt([](RawZip& zip) { zip.members[0].crc = 0x1234; }); },
                   "first: its checksum is 5643f90b; expected 00001234"},
        HostileZip{"No64BitSizes", [] { return spoilt([](RawZip& zip) { zip.members[0].bytes = 0xffffffff; }); },
                   "first: its 64-bit sizes are missing"},
        HostileZip{"Short64BitSizes",
                   [] {
                     return spoilt([](RawZip& zip) {
                       zip.members[0].bytes = zip.members[0].packed_bytes = 0xffffffff;
                       zip.members[0].extra = std::string("\1\0\10\0\6\0\0\0\0\0\0\0", 12);
                     });
                   },
                   "first: its 64-bit sizes are missing"},
        HostileZip{"Huge64BitSizes",
                   [] {
                     return spoilt([](RawZip& zip) {
                       zip.members[0].bytes = zip.members[0].packed_bytes = 0xffffffff;
                       zip.members[0].extra = std::string("\1\0\20\0", 4) + std::string(16, '\xff');
                     });
                   },
                   "first: it declares 9223372036854775807 bytes in a file of"}),
    [](const auto& tested) { return tested.param.name; });

TEST_P(RefusedZip, NamesFileMemberAndPlace) {
  const std::string message = refusal([] { contents_of(GetParam().text()); });
  EXPECT_THAT(message, StartsWith("a.npz: "));
  EXPECT_THAT(message, HasSubstr(GetParam().said));
}

TEST(ZipArchive, IsRefusedWhereverItIsCut) {
  const std::string whole = valid().text();
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_THAT(refusal([&] { contents_of(whole.substr(0, length)); }), StartsWith("a.npz: ")) << length;
  }
}

TEST(ZipArchive, IsRefusedWhereverAByteOfTheDataIsFlipped) {
  const std::string whole = RawZip({deflated_member("a", "0123456789abcdefghijklmnopqrst")}).text();
  const std::size_t begin = zip::kLocalHeaderBytes + 1, end = whole.find("PK\1\2") - 1;  // the last bits are padding
  for (std::size_t at = begin; at < end; ++at) {
    std::string flipped = whole;
    flipped[at] = static_cast<char>(flipped[at] ^ 0x10);
    EXPECT_THAT(refusal([&] { contents_of(flipped); }), StartsWith("a.npz: a: ")) << at;
  }
}

}  // namespace
}  // namespace tacit::gnn
