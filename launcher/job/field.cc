#include "launcher/job/field.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "net/error.h"
#include "net/world.h"

namespace tacit::launcher {

namespace {

constexpr std::int64_t kMostOwnershipBytes = 16 * 1024;  // a number for each of a thousand ranks
constexpr std::size_t kMostErrorBytes = 600;

bool is_control(char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }

std::string in_quotes(std::string_view text) {
  std::string all = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') all += '\\';
    all += c;
  }
  return all + '"';
}

// As text that TOML reads back to the same bits.
std::string real_text(double value) { return fmt::format("{}", value + 0.0); }

const std::string* clean_text(const DocumentValue& value, std::int64_t most_bytes) {
  const auto* text = std::get_if<std::string>(&value.content);
  if (text == nullptr || text->empty() || std::ssize(*text) > most_bytes) return nullptr;
  return std::any_of(text->begin(), text->end(), is_control) ? nullptr : text;
}

}  // namespace

void expected(const std::string& allowed, const DocumentValue& instead) {
  throw ConfigError(fmt::format("expected {}, not {}", allowed, describe(instead)));
}

std::string either_of(std::span<const std::string_view> words) {
  std::string all;
  for (std::size_t i = 0; i < words.size(); ++i) {
    all += i == 0 ? "" : i + 1 == words.size() ? " or " : ", ";
    all += in_quotes(words[i]);
  }
  return all;
}

void WholeField::read(const DocumentValue& value) {
  const auto* number = std::get_if<std::int64_t>(&value.content);
  if (number == nullptr || *number < least_ || *number > most_) expected(allowed(), value);
  value_ = *number;
}

std::string WholeField::allowed() const { return fmt::format("a whole number, {} ... {}", least_, most_); }

void PeriodField::read(const DocumentValue& value) {
  const auto* text = std::get_if<std::string>(&value.content);
  const auto* number = std::get_if<std::int64_t>(&value.content);
  const bool off = text != nullptr && *text == "off";
  if (!off && (number == nullptr || *number < 1 || *number > most_)) expected(allowed(), value);
  value_ = off ? 0 : *number;
}

std::string PeriodField::allowed() const { return fmt::format("a whole number, 1 ... {}, or \"off\"", most_); }

void WholeOfField::read(const DocumentValue& value) {
  const auto* number = std::get_if<std::int64_t>(&value.content);
  if (number == nullptr || std::find(known_.begin(), known_.end(), *number) == known_.end()) {
    expected(allowed(), value);
  }
  value_ = *number;
}

std::string WholeOfField::allowed() const {
  std::string all;
  for (std::size_t i = 0; i < known_.size(); ++i) {
    all += i == 0 ? "" : i + 1 == known_.size() ? " or " : ", ";
    all += std::to_string(known_[i]);
  }
  return all;
}

bool Interval::contains(double value) const {
  const bool above = without_least ? value > least : value >= least;
  return above && (without_most ? value < most : value <= most);
}

std::string Interval::text() const {
  return fmt::format("{} {} and {} {}", without_least ? "above" : "at least", least, without_most ? "below" : "at most",
                     most);
}

void RealField::read(const DocumentValue& value) {
  double number = 0;
  if (const auto* real = std::get_if<double>(&value.content)) {
    number = *real;
  } else if (const auto* whole = std::get_if<std::int64_t>(&value.content)) {
    number = static_cast<double>(*whole);
  } else {
    expected(allowed(), value);
  }
  if (!within_.contains(number)) expected(allowed(), value);
  value_ = number;
}

std::string RealField::allowed() const { return "a number " + within_.text(); }
std::string RealField::toml() const { return real_text(value_); }

void FlagField::read(const DocumentValue& value) {
  const bool* flag = std::get_if<bool>(&value.content);
  if (flag == nullptr) expected(allowed(), value);
  value_ = *flag;
}

void TextField::read(const DocumentValue& value) {
  const std::string* text = clean_text(value, most_bytes_);
  if (text == nullptr) expected(allowed(), value);
  value_ = *text;
}

std::string TextField::allowed() const {
  return fmt::format("{} as text of 1 ... {} bytes without control characters", what_, most_bytes_);
}
std::string TextField::toml() const { return in_quotes(value_); }

void AudienceField::read(const DocumentValue& value) {
  const auto* text = std::get_if<std::string>(&value.content);
  const auto* rank = std::get_if<std::int64_t>(&value.content);
  if (text != nullptr && *text == "everyone") {
    value_ = mpc::To::everyone();
  } else if (text != nullptr && *text == "nobody") {
    value_.reset();
  } else if (rank != nullptr && *rank >= 0 && *rank < net::kMaxWorldSize) {
    value_ = mpc::To::rank(static_cast<int>(*rank));
  } else {
    expected(allowed(), value);
  }
}

std::string AudienceField::allowed() const { return "\"everyone\", \"nobody\" or the number of a party's rank"; }

std::string AudienceField::toml() const {
  if (!value_) return "\"nobody\"";
  return value_->party < 0 ? "\"everyone\"" : std::to_string(value_->party);
}

void OwnershipField::read(const DocumentValue& value) {
  const std::string* text = clean_text(value, kMostOwnershipBytes);
  if (text == nullptr) expected(allowed(), value);
  try {
    value_ = gnn::parse_ownership(*text, part_);
  } catch (const ConfigError& error) {
    std::string_view what = error.what();
    const std::string name = fmt::format("{}: ", gnn::name_of(part_));
    if (what.starts_with(name)) what.remove_prefix(name.size());  // the setting's own name says it
    if (what.size() > kMostErrorBytes) expected(allowed(), value);
    throw ConfigError(std::string(what));
  }
}

std::string OwnershipField::allowed() const {
  return fmt::format("text that says who holds the {}, as \"rank 0\" or \"public\"", gnn::name_of(part_));
}
std::string OwnershipField::toml() const { return in_quotes(gnn::to_text(value_)); }

void RankFilesField::read(const DocumentValue& value) {
  RankFiles files;
  if (const auto* list = std::get_if<DocumentValue::List>(&value.content)) {
    if (list->empty() || list->size() > net::kMaxWorldSize) expected(allowed(), value);
    for (const DocumentValue& item : *list) {
      const std::string* text = clean_text(item, kMostTextBytes);
      if (text == nullptr) expected(allowed(), item);
      files.each.push_back(*text);
    }
  } else {
    const std::string* text = clean_text(value, kMostTextBytes);
    if (text == nullptr) expected(allowed(), value);
    files.pattern = *text;
  }
  value_ = files;
}

std::string RankFilesField::allowed() const {
  return "a file's path, in which {rank} stands for a rank's number, or a list of paths, one for each rank";
}

std::string RankFilesField::toml() const {
  if (!value_.pattern.empty()) return in_quotes(value_.pattern);
  std::string all = "[";
  for (std::size_t i = 0; i < value_.each.size(); ++i) all += (i == 0 ? "" : ", ") + in_quotes(value_.each[i]);
  return all + "]";
}

}  // namespace tacit::launcher
