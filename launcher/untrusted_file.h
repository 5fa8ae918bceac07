// UntrustedFile — a stream over a regular file that another machine or another user may have
// written.
//
// Opening follows no link and never waits: a symbolic link, a FIFO or a device is refused. The
// reader still has to limit the content (LineReader, a largest size).
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <istream>
#include <streambuf>
#include <string>

#include "net/descriptor.h"

namespace tacit::launcher {

class UntrustedFile : private std::streambuf, public std::istream {
 public:
  // If the file cannot be opened, the stream has failed and refusal() returns the reason.
  explicit UntrustedFile(const std::filesystem::path& path);

  const std::string& refusal() const { return refusal_; }  // "it is a symbolic link"; "": the file is open
  bool missing() const { return missing_; }                // no file of this name exists
  std::int64_t size() const { return size_; }              // at the time of opening

  void skip_to_last(std::int64_t bytes);  // call before reading, to read only the end of the file

 private:
  std::streambuf::int_type underflow() override;

  net::Descriptor file_;
  std::string refusal_;
  bool missing_ = false;
  std::int64_t size_ = 0;
  std::array<char, 16384> piece_;
};

}  // namespace tacit::launcher
