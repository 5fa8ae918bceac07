// A program of tests. --file=NAME runs the tests of NAME.cc alone: a test of ctest is one file. A filter of GoogleTest
// (--gtest_filter) goes before it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <malloc.h>

#include <cstdio>
#include <string>
#include <string_view>

namespace {

// The filter of GoogleTest for the file's tests; empty if the file has no test.
std::string tests_of(std::string_view file) {
  const std::string end = "/" + std::string(file) + ".cc";
  std::string filter;
  const ::testing::UnitTest& all = *::testing::UnitTest::GetInstance();
  for (int s = 0; s < all.total_test_suite_count(); ++s) {
    const ::testing::TestSuite& suite = *all.GetTestSuite(s);
    for (int t = 0; t < suite.total_test_count(); ++t) {
      const ::testing::TestInfo& test = *suite.GetTestInfo(t);
      if (std::string_view(test.file()).ends_with(end)) {
        filter += std::string(filter.empty() ? "" : ":") + suite.name() + "." + test.name();
      }
    }
  }
  return filter;
}

}  // namespace

int main(int count, char** arguments) {
#ifdef __GLIBC__
  // Freed memory is kept, as the command keeps it (launcher/commands/main.cc): pages that fault anew take half the time of an
  // account of privacy.
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
  ::testing::InitGoogleMock(&count, arguments);
  const std::string_view option = count == 2 ? arguments[1] : "";
  constexpr std::string_view kFile = "--file=";
  if (option.starts_with(kFile)) {
    const std::string filter = tests_of(option.substr(kFile.size()));
    if (filter.empty()) {
      std::fprintf(stderr, "%s: this program has no test of a file with that name\n", arguments[1]);
      return 2;
    }
    if (GTEST_FLAG_GET(filter) == "*") GTEST_FLAG_SET(filter, filter);
  } else if (count > 1) {
    std::fprintf(stderr, "%s is no option; expected: --file=NAME, or an option of GoogleTest\n", arguments[1]);
    return 2;
  }
  return RUN_ALL_TESTS();
}
