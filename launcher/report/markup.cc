#include "launcher/report/markup.h"

#include <cstdint>

#include "launcher/report/utf8.h"
#include "net/error.h"

namespace tacit::launcher {

namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";

bool is_shown(char32_t c) {
  if (c == '\t' || c == '\n') return true;
  if (c < 0x20 || (c >= 0x7f && c < 0xa0)) return false;
  if ((c >= 0x200e && c <= 0x200f) || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069)) return false;
  return c != 0xfffe && c != 0xffff;
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string safe;
  safe.reserve(text.size());
  while (!text.empty()) {
    const Utf8Character next = first_character(text);
    const std::string_view bytes = text.substr(0, next.bytes);
    text.remove_prefix(next.bytes);
    if (!next.valid || !is_shown(next.code)) {
      safe += kReplacement;
    } else if (next.code == '&') {
      safe += "&amp;";
    } else if (next.code == '<') {
      safe += "&lt;";
    } else if (next.code == '>') {
      safe += "&gt;";
    } else if (next.code == '"') {
      safe += "&quot;";
    } else if (next.code == '\'') {
      safe += "&#39;";
    } else {
      safe += bytes;
    }
  }
  return safe;
}

void Markup::begin(std::string_view tag, Attributes attributes) {
  out_.append("<").append(tag);
  for (const auto& [name, value] : attributes) {
    out_.append(" ").append(name).append("=\"").append(escaped(value)).append("\"");
  }
}

Markup& Markup::open(std::string_view tag, Attributes attributes) {
  begin(tag, attributes);
  out_ += ">";
  open_.emplace_back(tag);
  return *this;
}

Markup& Markup::close() {
  TACIT_CHECK(!open_.empty());
  out_.append("</").append(open_.back()).append(">");
  open_.pop_back();
  if (open_.size() < 6) out_ += "\n";  // lines of a length that an editor bears
  return *this;
}

Markup& Markup::empty(std::string_view tag, Attributes attributes) {
  begin(tag, attributes);
  out_ += "/>";
  return *this;
}

Markup& Markup::text(std::string_view text) {
  out_ += escaped(text);
  return *this;
}

Markup& Markup::literal(std::string_view markup) {
  out_ += markup;
  return *this;
}

std::string Markup::take() {
  TACIT_CHECK(open_.empty());
  return std::move(out_);
}

}  // namespace tacit::launcher
