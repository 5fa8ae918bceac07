// AtomicFile — writes a file as a whole or not at all, even if the process or the machine stops.
//
// The content goes into a file without a name, in the folder of `path`; commit() makes it durable, names it and renames it
// to `path`. A program that is killed before leaves the old file, and nothing else. Where the file system has no files without
// a name (NFS), or /proc is not there, the content goes into a temporary file `.name.XXXXXX`, which a killed program leaves
// behind (unfinished_files.h). A symbolic link, a FIFO or a socket at `path` is replaced, a device is refused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "net/descriptor.h"

namespace tacit::gnn {

class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path path);  // throws ConfigError, as do write() and commit()
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();  // without commit(): removes the temporary file

  void write(std::span<const std::byte> bytes);
  void write_at(std::int64_t at, std::span<const std::byte> bytes);  // does not move where write() goes on
  void commit();

 private:
  net::Descriptor temporary_file();
  void copy_to_temporary_file();
  [[noreturn]] void fail() const;

  std::filesystem::path path_;
  std::string temporary_;
  net::Descriptor file_;
};

}  // namespace tacit::gnn
