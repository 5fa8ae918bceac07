#include "gnn/data/zip_member_reader.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <new>

#include "gnn/data/zip_format.h"
#include "net/error.h"

namespace tacit::gnn {

namespace {}  // namespace

// Inflates raw deflate data (RFC 1951) from a part of a file.
class ZipMemberReader::Inflater {
 public:
  Inflater(const ByteSource& file, const ZipMember& member, const Place& place)
      : file_(file), place_(place), at_(member.data_at), left_(member.packed_bytes) {
    if (inflateInit2(&stream_, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() { inflateEnd(&stream_); }

  // Fills `into`. Returns less than its size only at the end of the stream.
  std::size_t read(std::span<std::byte> into) {
    const std::size_t wanted = into.size();
    while (!into.empty() && !ended_) into = into.subspan(step(into));
    return wanted - into.size();
  }

  bool used_up() const { return left_ == 0 && stream_.avail_in == 0; }

 private:
  std::size_t step(std::span<std::byte> into) {
    if (stream_.avail_in == 0) refill();
    stream_.next_out = reinterpret_cast<Bytef*>(into.data());
    stream_.avail_out = static_cast<uInt>(std::min(into.size(), zip::kMostStep));
    const uInt room = stream_.avail_out;
    const int result = inflate(&stream_, Z_NO_FLUSH);
    ended_ = result == Z_STREAM_END;
    if (!ended_ && result != Z_OK) {
      if (result == Z_BUF_ERROR && used_up()) place_.wrong("its compressed data are cut short; copy or write it again");
      place_.wrong(fmt::format("its compressed data are damaged before byte {}; copy or write it again", at_));
    }
    return room - stream_.avail_out;
  }

  void refill() {
    const auto part = std::span(input_).first(static_cast<std::size_t>(std::min(left_, std::ssize(input_))));
    file_.read(at_, part);
    at_ += std::ssize(part);
    left_ -= std::ssize(part);
    stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
    stream_.avail_in = static_cast<uInt>(part.size());
  }

  const ByteSource& file_;
  const Place& place_;
  std::int64_t at_, left_;
  bool ended_ = false;
  z_stream stream_{};
  std::array<std::byte, 64 * 1024> input_;
};

ZipMemberReader::ZipMemberReader(const ByteSource& file, const ZipMember& member, Place place)
    : place_(std::move(place)), file_(file), member_(member), left_(member.bytes) {
  if (member.deflated) inflater_ = std::make_unique<Inflater>(file, member, place_);
}

ZipMemberReader::~ZipMemberReader() = default;

void ZipMemberReader::read(std::span<std::byte> into) {
  TACIT_CHECK(std::ssize(into) <= left_);
  if (into.empty()) return;  // crc32_z would restart the checksum for a null pointer
  if (inflater_) {
    const std::size_t got = inflater_->read(into);
    if (got < into.size()) {
      place_.wrong(fmt::format("its data end after {} bytes; {} are declared: the file is damaged",
                               member_.bytes - left_ + static_cast<std::int64_t>(got), member_.bytes));
    }
  } else {
    file_.read(member_.data_at + (member_.bytes - left_), into);
  }
  crc_ = static_cast<std::uint32_t>(crc32_z(crc_, reinterpret_cast<const Bytef*>(into.data()), into.size()));
  left_ -= std::ssize(into);
}

void ZipMemberReader::finish() {
  TACIT_CHECK(left_ == 0);
  if (inflater_) {
    std::array<std::byte, 1> more;
    if (inflater_->read(more) != 0) {
      place_.wrong(fmt::format("its data are longer than the {} declared bytes: the file is damaged", member_.bytes));
    }
    if (!inflater_->used_up()) place_.wrong("something follows its compressed data: the file is damaged");
  }
  if (crc_ != member_.crc) {
    place_.wrong(fmt::format("its checksum is {:08x}; expected {:08x}: the file is damaged, copy or write it again",
                             crc_, member_.crc));
  }
}

}  // namespace tacit::gnn
