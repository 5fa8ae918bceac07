#include "launcher/untrusted_text.h"

#include <gmock/gmock.h>

#include "tests/launcher/report/well_formed.h"

namespace tacit::launcher {
namespace {

TEST(UntrustedText, IsEscapedInElementsAndAttributes) {
  const std::string text = escaped("a\"><script>alert('1') & more</script>");
  EXPECT_EQ(text, "a&quot;&gt;&lt;script&gt;alert(&#39;1&#39;) &amp; more&lt;/script&gt;");
  EXPECT_EQ(what_is_wrong_with("<p title=\"" + text + "\">" + text + "</p>"), "");
}

TEST(UntrustedText, OfJsonEndsNoScriptAndKeepsItsMeaning) {
  for (const char* hostile :
       {"</script><script>alert(1)</script>", "<!--<script>", "]]>", "a\xff\n\"\\\u2028", "&lt;"}) {
    const Json json = {{hostile, {hostile, 1.5}}};
    const std::string text = script_json(json);
    EXPECT_EQ(text.find('<'), std::string::npos) << text;
    EXPECT_EQ(Json::parse(text).dump(), Json::parse(json.dump(-1, ' ', false, Json::error_handler_t::replace)).dump());
  }
}

TEST(UntrustedText, HasNoControlCharactersAndNoMarksOfDirection) {
  EXPECT_EQ(escaped("a\x01\x7f"), "a\ufffd\ufffd");
  EXPECT_EQ(escaped("\u202eevil\u2066"), "\ufffdevil\ufffd");
  EXPECT_EQ(escaped("\xff\xc3"), "\ufffd\ufffd") << "no UTF-8";
  EXPECT_EQ(escaped("\xc0\xbc"), "\ufffd\ufffd") << "\"<\" in too many bytes";
  EXPECT_EQ(escaped("\xed\xa0\x80"), "\ufffd\ufffd\ufffd") << "a surrogate";
  EXPECT_EQ(escaped("Zürich 城\n"), "Zürich 城\n");
  EXPECT_EQ(escaped(std::string_view("\0", 1)), "\ufffd");
}

TEST(UntrustedText, IsShortenedBetweenCharacters) {
  EXPECT_EQ(shortened("Zürich", 10), "Zürich");
  EXPECT_EQ(shortened("Zürich", 6), "Zürich");
  EXPECT_EQ(shortened("üüüüü", 3), "üü…");
}

TEST(WellFormed, RefusesWhatIsNot) {
  for (const char* wrong : {"<p>", "</p>", "<p></q>", "<p>a & b</p>", "<p a=b></p>", "<p>a > b</p>", "<p a=\"<\"></p>",
                            "<p a=\"&bad;\"></p>", "<p", "<1></1>"}) {
    EXPECT_NE(what_is_wrong_with(wrong), "") << wrong;
  }
  EXPECT_EQ(what_is_wrong_with("<style>a > b</style><script>a < b && c</script>"), "");
  EXPECT_EQ(what_is_wrong_with("<!DOCTYPE html>\n<p a=\"b\" c=\"d\"><b/>x &amp; y</p>\n"), "");
}

}  // namespace
}  // namespace tacit::launcher
