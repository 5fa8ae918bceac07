#include "gnn/settings/setting_value.h"

#include <fmt/format.h>

#include "net/printable.h"

namespace tacit::gnn {

namespace {

std::string in_quotes(const std::string& text) {
  std::string all = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') all += '\\';
    all += c;
  }
  return all + '"';
}

struct Describe {
  std::string operator()(bool flag) const { return flag ? "true" : "false"; }
  std::string operator()(std::int64_t number) const { return fmt::format("the number {}", number); }
  std::string operator()(double number) const { return describe_real(number); }
  std::string operator()(const std::string& text) const {
    return fmt::format("the text \"{}\"", net::printable(text, 80));
  }
  std::string operator()(const SettingValue::List& list) const { return fmt::format("a list of {}", list.size()); }
  std::string operator()(const SettingValue::Other& other) const { return other.what; }
};

struct Write {
  std::string operator()(bool flag) const { return flag ? "true" : "false"; }
  std::string operator()(std::int64_t number) const { return std::to_string(number); }
  std::string operator()(double number) const { return fmt::format("{}", number + 0.0); }  // writes -0 as 0
  std::string operator()(const std::string& text) const { return in_quotes(text); }
  std::string operator()(const SettingValue::List& list) const {
    std::string all = "[";
    for (std::size_t i = 0; i < list.size(); ++i) all += (i == 0 ? "" : ", ") + to_text(list[i]);
    return all + "]";
  }
  std::string operator()(const SettingValue::Other& other) const { return other.what; }
};

}  // namespace

std::string describe_real(double number) {
  const std::string digits = fmt::format("{}", number);
  const bool is_plain = digits.find_first_not_of("-0123456789") == std::string::npos;
  return fmt::format("the number {}{}", digits, is_plain ? ".0" : "");
}

std::string describe(const SettingValue& value) { return std::visit(Describe(), value.content); }
std::string to_text(const SettingValue& value) { return std::visit(Write(), value.content); }

}  // namespace tacit::gnn
