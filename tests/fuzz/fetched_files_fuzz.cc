#include "launcher/launch/fetched_files.h"

#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <map>

#include "net/error.h"
#include "tests/fuzz/fuzz.h"
#include "tests/temporary_folder.h"

namespace tacit::net {

std::vector<std::string> fuzz_seeds() {
  return {"files of 1234\nfile events.jsonl 3\n{}\nfile summary.json 2\n{}file job.toml 0\nend\n",
          "Last login: today\n\x1b[0mfiles of 1234\nfile model.npz 4\nPK\x03\x04"
          "file predictions.npz 1\nxend\n",
          "files of 1234\nfile ../../.ssh/authorized_keys 3\nabcend\n", "files of 1234\nfile job.toml 1048577\n",
          "files of 1234\nfile job.toml 1\nafile job.toml 1\nbend\n"};
}

}  // namespace tacit::net

namespace {

namespace fs = std::filesystem;
using tacit::launcher::FetchedFiles;
using tacit::net::fuzz_require;

// The files left in the folder, and why the transfer ended; "": by the rules.
struct Fetched {
  std::map<std::string, std::string> files;
  std::string refusal;

  bool operator==(const Fetched&) const = default;
};

// The bytes come in pieces of `size`.
Fetched fetched(std::string_view bytes, std::size_t piece) {
  const tacit::TemporaryFolder folder;
  Fetched all;
  try {
    FetchedFiles files(folder.path(), "1234");
    for (; !bytes.empty(); bytes.remove_prefix(std::min(piece, bytes.size()))) files.take(bytes.substr(0, piece));
    files.expect_end();
  } catch (const tacit::ProtocolError& error) {
    all.refusal = error.what();
  } catch (const tacit::ConfigError& error) {
    all.refusal = error.what();
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(folder.path())) {
    struct stat about {};
    fuzz_require(::lstat(entry.path().c_str(), &about) == 0 && S_ISREG(about.st_mode));
    fuzz_require((about.st_mode & 07777) == 0600);
    std::ifstream file(entry.path());
    all.files[entry.path().filename()] = {std::istreambuf_iterator<char>(file), {}};
  }
  return all;
}

}  // namespace

// For any bytes of a host, in any pieces: the folder gets files of the known names, and no others.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes = tacit::net::fuzz_text(tacit::net::fuzz_bytes(data, size));
  const Fetched all = fetched(bytes, std::max<std::size_t>(1, bytes.size()));
  for (const auto& file : all.files) {
    const std::string &name = file.first, &text = file.second;  // clang 14's lambdas take no structured bindings
    const auto kind = std::find_if(std::begin(FetchedFiles::kKinds), std::end(FetchedFiles::kKinds),
                                   [&](const FetchedFiles::Kind& one) { return one.name == name; });
    fuzz_require(kind != std::end(FetchedFiles::kKinds) && static_cast<std::int64_t>(text.size()) <= kind->most);
    fuzz_require(text.empty() || bytes.find(text) != std::string::npos);
  }
  fuzz_require(fetched(bytes, 1 + bytes.size() % 7) == all);
  return 0;
}
