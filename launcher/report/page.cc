#include "launcher/report/page.h"

#include <fmt/format.h>

#include "launcher/report/draw.h"

namespace tacit::launcher {

namespace {

constexpr const char* kPolicy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

constexpr const char* kContentsHere = "<!--contents-->";

constexpr const char* kStyle = R"(
*{box-sizing:border-box}
body{margin:0 auto;padding:2.5rem 1.25rem 4rem;max-width:68rem;background:var(--page);color:var(--text);
font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
h1{font-size:1.7rem;line-height:1.2;margin:0;font-weight:650;letter-spacing:-.01em;overflow-wrap:anywhere}
h2{font-size:1.1rem;margin:0 0 .25rem;font-weight:650}
section{margin-top:2.5rem;padding-top:1.25rem;border-top:1px solid var(--grid)}
p{margin:.3rem 0 .8rem;max-width:46rem;overflow-wrap:anywhere}
.under,.about{color:var(--quiet)}.under{margin-bottom:1rem;max-width:none}
.warning{border-left:3px solid var(--c1);padding-left:.75rem}
.note{border-left:3px solid var(--frame);padding-left:.75rem}
dl.facts{display:grid;grid-template-columns:repeat(auto-fill,minmax(8rem,1fr));gap:1.1rem 1.25rem;margin:1.5rem 0 0}
dl.facts div{min-width:0}
dt{color:var(--quiet);font-size:.85rem}
dd{margin:0;font-size:1.3rem;line-height:1.3;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
dd small{display:block;color:var(--quiet);font-size:.8rem}
.figures{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(25rem,100%),1fr));gap:1.5rem 2rem;margin-top:1rem}
.figures svg{width:100%;max-width:33rem;height:auto;display:block}
.wide{overflow-x:auto;margin:.75rem 0}
table{border-collapse:collapse;font-size:.87rem;font-variant-numeric:tabular-nums}
th{font-weight:600;color:var(--quiet);text-align:right;vertical-align:bottom}
td,th{padding:.3rem .9rem .3rem 0;border-bottom:1px solid var(--grid);white-space:nowrap}
td{text-align:right}.word{text-align:left}td.word{white-space:normal;overflow-wrap:break-word;min-width:7rem;max-width:28rem}
td:last-child,th:last-child{padding-right:0}
tbody tr:last-child td{border-bottom-color:var(--frame)}thead th{border-bottom-color:var(--frame)}
nav{margin:1.25rem 0;display:flex;flex-wrap:wrap;gap:.25rem 1.25rem}nav a{color:inherit}
@media (max-width:40rem){table,thead,tbody,tr,td{display:block}thead{display:none}.wide{overflow:visible}
tbody tr{padding:.5rem 0;border-bottom:1px solid var(--frame)}
td,td.word{border:0;padding:.1rem 0;text-align:left;white-space:normal;overflow-wrap:break-word;max-width:none}
td[data-label]::before{content:attr(data-label) " ";color:var(--quiet)}}
details{margin-top:1rem}summary{cursor:pointer;color:var(--quiet)}
footer{margin-top:3rem;color:var(--quiet);font-size:.85rem;overflow-wrap:anywhere}
@page{size:landscape;margin:12mm}
@media print{nav{display:none}body{max-width:none;padding:0;font-size:11px}h2,summary,.about{break-after:avoid}svg,tr{break-inside:avoid}
.figures{grid-template-columns:1fr 1fr 1fr;gap:1rem}.wide{overflow:visible}table{font-size:7px}
td,th{white-space:normal;padding-right:.6em}td.word{min-width:0;overflow-wrap:normal}}
)";

}  // namespace

Page::Page(const std::string& title) {
  markup_.literal("<!DOCTYPE html>\n");
  markup_.open("html", {{"lang", "en"}}).open("head");
  markup_.empty("meta", {{"charset", "utf-8"}});
  markup_.empty("meta", {{"http-equiv", "Content-Security-Policy"}, {"content", kPolicy}});
  markup_.empty("meta", {{"name", "viewport"}, {"content", "width=device-width, initial-scale=1"}});
  markup_.empty("meta", {{"name", "referrer"}, {"content", "no-referrer"}});
  markup_.element("title", title);
  markup_.open("style").literal("\n" + figure_style(":root") + kStyle).close();
  markup_.close().open("body");
}

void Page::heading(const std::string& text, const std::string& under) {
  markup_.open("header").element("h1", text).element("p", under, {{"class", "under"}}).close();
  markup_.literal(kContentsHere);
}

void Page::paragraph(const std::string& text, const std::string& kind) {
  markup_.element("p", text, {{"class", kind}});
}

void Page::begin_section(const std::string& title, const std::string& about) {
  sections_.push_back(title);
  markup_.open("section", {{"id", fmt::format("section{}", sections_.size())}}).element("h2", title);
  if (!about.empty()) paragraph(about, "about");
}

void Page::facts(const std::vector<Fact>& facts) {
  markup_.open("dl", {{"class", "facts"}});
  for (const Fact& fact : facts) {
    markup_.open("div").element("dt", fact.name).open("dd").text(fact.value);
    if (!fact.more.empty()) markup_.element("small", fact.more);
    markup_.close().close();
  }
  markup_.close();
}

void Page::table(const Row& header, const std::vector<Row>& rows, std::size_t words) {
  const auto kind_of = [&](std::size_t column) { return std::string(column < words ? "word" : ""); };
  markup_.open("div", {{"class", "wide"}}).open("table").open("thead").open("tr");
  for (std::size_t i = 0; i < header.size(); ++i) {
    markup_.element("th", header[i], {{"scope", "col"}, {"class", kind_of(i)}});
  }
  markup_.close().close().open("tbody");
  for (const Row& row : rows) {
    markup_.open("tr");
    for (std::size_t i = 0; i < row.size(); ++i) {
      markup_.element("td", row[i], {{"class", kind_of(i)}, {"data-label", i < header.size() ? header[i] : ""}});
    }
    markup_.close();
  }
  markup_.close().close().close();
}

void Page::figures(const std::vector<Figure>& figures) {
  markup_.open("div", {{"class", "figures"}});
  for (const Figure& figure : figures) {
    if (is_empty(figure)) continue;
    markup_.literal(draw(figure, fmt::format("figure{}", ++figures_)).take()).literal("\n");
  }
  markup_.close();
}

void Page::begin_details(const std::string& summary) { markup_.open("details").element("summary", summary); }

std::string Page::contents() const {
  Markup nav;
  nav.open("nav", {{"aria-label", "contents"}});
  for (std::size_t i = 0; i < sections_.size(); ++i) {
    nav.element("a", sections_[i], {{"href", fmt::format("#section{}", i + 1)}});
  }
  return nav.close().take();
}

std::string Page::take() {
  std::string page = markup_.close().close().take();
  const std::size_t here = page.find(kContentsHere);  // texts are escaped: none of them looks like it
  if (here != std::string::npos) page.replace(here, std::string_view(kContentsHere).size(), contents());
  return page;
}

}  // namespace tacit::launcher
