// AtomicFile — a file that is there as a whole or not at all, whatever happens meanwhile.
//
// It is written beside `path` under a name of its own; commit() makes it durable and gives it its name. A program that
// is killed before leaves the old file as it was, and a leftover `.name.XXXXXX` that nobody reads.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

#include "net/descriptor.h"

namespace tacit::gnn {

class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path path);  // throws ConfigError, as everything below
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();  // without commit(): as if it had never been

  void write(std::span<const std::byte> bytes);
  void commit();

 private:
  [[noreturn]] void fail() const;

  std::filesystem::path path_;
  std::string temporary_;
  net::Descriptor file_;
};

}  // namespace tacit::gnn
