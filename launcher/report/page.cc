#include "launcher/report/page.h"

#include <fmt/format.h>

#include <map>

#include "launcher/untrusted_text.h"
#include "net/error.h"
#include "net/sha256.h"

namespace tacit::launcher {

std::vector<std::pair<std::string_view, std::string_view>> embedded_page();  // names and texts of files

namespace {

std::string_view part(std::string_view name) {
  for (const auto& [file, text] : embedded_page()) {
    if (file == name) return text;
  }
  TACIT_CHECK(false);
  return "";
}

// dygraphs without its last line, which would make a browser's developer tools request another file.
std::string_view library() {
  const std::string_view text = part("dygraph.min.js");
  return text.substr(0, text.find("\n//# sourceMappingURL"));
}

// The name of a style or a script in a content security policy.
std::string hash_source(std::string_view text) { return fmt::format("'sha256-{}'", net::sha256_base64(text)); }

// Replaces each {{name}} of the template. A value may contain {{...}}, which stays.
std::string filled(std::string_view page, const std::map<std::string_view, std::string_view>& values) {
  std::string text;
  for (std::size_t begin = 0;;) {
    const std::size_t open = page.find("{{", begin);
    text += page.substr(begin, open - begin);
    if (open == std::string_view::npos) return text;
    const std::size_t close = page.find("}}", open);
    text += values.at(page.substr(open + 2, close - open - 2));
    begin = close + 2;
  }
}

std::string with_class(const std::string& kind) {
  return kind.empty() ? "" : fmt::format(" class=\"{}\"", escaped(kind));
}

}  // namespace

void Page::element(const char* tag, const std::string& text, const std::string& kind) {
  body_ += fmt::format("<{}{}>{}</{}>\n", tag, with_class(kind), escaped(text), tag);
}

void Page::heading(const std::string& text, const std::string& under, const std::string& state) {
  body_ += "<header>\n";
  element("h1", text);
  const std::string badge = state.empty() ? "" : fmt::format("<span class=\"state {0}\">{0}</span>", escaped(state));
  body_ += fmt::format("<p class=\"under\">{}{}</p>\n</header>\n", badge, escaped(under));
}

void Page::paragraph(const std::string& text, const std::string& kind) { element("p", text, kind); }

void Page::begin_section(const std::string& title, const std::string& about) {
  ++sections_;
  contents_ += fmt::format("<li><a href=\"#section{}\">{}</a></li>\n", sections_, escaped(title));
  body_ += fmt::format("<section id=\"section{}\">\n", sections_);
  element("h2", title);
  if (!about.empty()) paragraph(about, "about");
}

void Page::facts(const std::vector<Fact>& facts, const std::string& kind) {
  body_ += fmt::format("<dl{}>\n", with_class(kind));
  for (const Fact& fact : facts) {
    body_ += fmt::format("<div><dt>{}</dt><dd>{}", escaped(fact.name), escaped(fact.value));
    if (!fact.more.empty()) body_ += fmt::format("<small>{}</small>", escaped(fact.more));
    body_ += "</dd></div>\n";
  }
  body_ += "</dl>\n";
}

void Page::table(const TextRow& header, const std::vector<TextRow>& rows, std::size_t words) {
  if (rows.empty()) return;
  const auto add_row = [&](const TextRow& row, const char* tag) {
    body_ += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) {
      body_ += fmt::format("<{}{}>{}</{}>", tag, i < words ? " class=\"word\"" : "", escaped(row[i]), tag);
    }
    body_ += "</tr>\n";
  };
  body_ += "<div class=\"wide\" tabindex=\"0\"><table><thead>";
  add_row(header, "th");
  body_ += "</thead><tbody>\n";
  for (const TextRow& row : rows) add_row(row, "td");
  body_ += "</tbody></table></div>\n";
}

void Page::figures(const std::vector<Figure>& figures) {
  std::size_t drawn = 0;
  for (const Figure& figure : figures) {
    if (is_empty(figure)) continue;
    if (drawn++ == 0) body_ += "<div class=\"figures\">\n";
    figures_.push_back(page_json(figure));
    body_ += fmt::format("<figure id=\"figure{}\"><figcaption>{}</figcaption>\n", figures_.size(),
                         escaped(title_of(figure)));
    const auto* lines = std::get_if<LineFigure>(&figure);
    if (const auto peak = lines != nullptr ? peak_of(*lines) : std::nullopt) paragraph(peak->sentence, "remark");
    const std::vector<TextRow> numbers = table_of(figure);
    body_ += "<details open=\"open\"><summary>numbers</summary>\n";  // the script folds it
    table(numbers.front(), {numbers.begin() + 1, numbers.end()});
    body_ += "</details></figure>\n";
  }
  if (drawn > 0) body_ += "</div>\n";
}

void Page::begin_details(const std::string& summary) {
  body_ += fmt::format("<details><summary>{}</summary>\n", escaped(summary));
}

std::string Page::take() {
  const std::string_view style = part("page.css"), script = part("page.js");
  const std::string policy =
      fmt::format("default-src 'none'; style-src {}; script-src {} {}; base-uri 'none'; form-action 'none'",
                  hash_source(style), hash_source(library()), hash_source(script));
  const std::string title = escaped(title_), licence = escaped(part("dygraphs.licence")),
                    figures = script_json(figures_);
  return filled(part("page.html"), {{"policy", policy},
                                    {"title", title},
                                    {"style", style},
                                    {"contents", contents_},
                                    {"body", body_},
                                    {"version", TACIT_VERSION},
                                    {"licence", licence},
                                    {"figures", figures},
                                    {"library", library()},
                                    {"script", script}});
}

}  // namespace tacit::launcher
