// UntrustedFile — a stream over a regular file that another machine or another user may have written.
//
// Opening it follows no link and never waits: a symbolic link, a FIFO or a device is refused. The content still has to
// be read with limits (LineReader, a largest size).
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
  // The stream has failed if the file cannot be opened; refusal() says why.
  explicit UntrustedFile(const std::filesystem::path& path);

  const std::string& refusal() const { return refusal_; }  // "it is a symbolic link"; "": it is open
  bool missing() const { return missing_; }                // there is no file of that name
  std::int64_t size() const { return size_; }              // when it was opened

  void skip_to_last(std::int64_t bytes);  // before anything is read: only the end of the file is wanted

 private:
  std::streambuf::int_type underflow() override;

  net::Descriptor file_;
  std::string refusal_;
  bool missing_ = false;
  std::int64_t size_ = 0;
  std::array<char, 16384> piece_;
};

}  // namespace tacit::launcher
