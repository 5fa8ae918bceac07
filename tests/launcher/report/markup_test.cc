#include "launcher/report/markup.h"

#include <gmock/gmock.h>

#include "launcher/report/utf8.h"
#include "tests/launcher/report/well_formed.h"

namespace tacit::launcher {
namespace {

TEST(Markup, EscapesTextAndAttributes) {
  Markup markup;
  markup.open("p", {{"title", "a\"><script>"}}).text("<script>alert('1') & more</script>").empty("br").close();
  const std::string text = markup.take();
  EXPECT_EQ(
      text,
      "<p title=\"a&quot;&gt;&lt;script&gt;\">&lt;script&gt;alert(&#39;1&#39;) &amp; more&lt;/script&gt;<br/></p>\n");
  EXPECT_EQ(what_is_wrong_with(text), "");
}

TEST(Markup, ReplacesWhatIsNoTextOrTurnsItAround) {
  EXPECT_EQ(escaped("a\x01\x7f"), "a\ufffd\ufffd");
  EXPECT_EQ(escaped("\u202eevil\u2066"), "\ufffdevil\ufffd");
  EXPECT_EQ(escaped("\xff\xc3"), "\ufffd\ufffd") << "no UTF-8";
  EXPECT_EQ(escaped("\xc0\xbc"), "\ufffd\ufffd") << "\"<\" in too many bytes";
  EXPECT_EQ(escaped("\xed\xa0\x80"), "\ufffd\ufffd\ufffd") << "a surrogate";
  EXPECT_EQ(escaped("Zürich 城\n"), "Zürich 城\n");
  EXPECT_EQ(escaped(std::string_view("\0", 1)), "\ufffd");
}

TEST(Markup, IsShortenedBetweenCharacters) {
  EXPECT_EQ(shortened("Zürich", 10), "Zürich");
  EXPECT_EQ(shortened("Zürich", 6), "Zürich");
  EXPECT_EQ(shortened("üüüüü", 3), "üü…");
}

TEST(WellFormed, RefusesWhatIsNot) {
  for (const char* wrong : {"<p>", "</p>", "<p></q>", "<p>a & b</p>", "<p a=b></p>", "<p>a > b</p>", "<p a=\"<\"></p>",
                            "<p a=\"&bad;\"></p>", "<p", "<1></1>"}) {
    EXPECT_NE(what_is_wrong_with(wrong), "") << wrong;
  }
  EXPECT_EQ(what_is_wrong_with("<!DOCTYPE html>\n<p a=\"b\" c=\"d\"><b/>x &amp; y</p>\n"), "");
}

}  // namespace
}  // namespace tacit::launcher
