// Messages between ranks go through net::printable(), which would turn a letter beyond ASCII into
// "\xe2\x80".
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace tacit {
namespace {

namespace fs = std::filesystem;

// Text for the local user only: pages for a browser, bars on a terminal.
bool is_for_eyes_here(const std::string& path) {
  return path.starts_with("launcher/report/") || path == "launcher/data/histogram.cc" ||
         path == "launcher/untrusted_text.cc";
}

// A line of C++ without its comment.
std::string code_of(const std::string& line) {
  bool quoted = false;
  for (std::size_t i = 0; i + 1 < line.size(); ++i) {
    if (quoted && line[i] == '\\') {
      ++i;
    } else if (line[i] == '"') {
      quoted = !quoted;
    } else if (!quoted && line.compare(i, 2, "//") == 0) {
      return line.substr(0, i);
    }
  }
  return line;
}

bool is_ascii(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

TEST(Messages, AreAsciiWhereOtherRanksMayReadThem) {
  std::vector<std::string> others;
  int files = 0;
  for (const char* layer : {"net", "mpc", "gnn", "launcher", "python"}) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(fs::path(TACIT_SOURCE_DIR) / layer)) {
      const fs::path path = fs::relative(entry.path(), TACIT_SOURCE_DIR);
      const bool source = path.extension() == ".cc" || path.extension() == ".h";
      if (!source || is_for_eyes_here(path.string())) continue;
      ++files;
      std::ifstream in(entry.path());
      int number = 0;
      for (std::string line; std::getline(in, line);) {
        ++number;
        if (!is_ascii(code_of(line))) others.push_back(fmt::format("{}:{}", path.string(), number));
      }
    }
  }
  EXPECT_GT(files, 100) << "hardly a source was found under " << TACIT_SOURCE_DIR;
  EXPECT_THAT(others, testing::IsEmpty());
}

}  // namespace
}  // namespace tacit
