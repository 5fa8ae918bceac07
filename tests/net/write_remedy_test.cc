#include "net/write_remedy.h"

#include <gmock/gmock.h>

#include <cerrno>

namespace tacit::net {
namespace {

using testing::HasSubstr;

TEST(WriteRemedy, IsOfTheErrorThatThereWas) {
  EXPECT_THAT(write_remedy(ENOSPC), HasSubstr("free some space"));
  EXPECT_THAT(write_remedy(EROFS), HasSubstr("let this user write"));
  EXPECT_THAT(write_remedy(ENOENT), HasSubstr("make the folder"));
  EXPECT_THAT(write_remedy(EISDIR), HasSubstr("name a file"));
  for (const int error : {EMFILE, ENFILE}) EXPECT_THAT(write_remedy(error), HasSubstr("ulimit -n"));
  EXPECT_EQ(write_remedy(ENAMETOOLONG), "give it a shorter name");
  EXPECT_EQ(write_remedy(EROFS), remedy_in_place(EROFS) + std::string(", or name another place"));
  EXPECT_THAT(write_remedy(EIO), HasSubstr("check the disk"));
}

}  // namespace
}  // namespace tacit::net
