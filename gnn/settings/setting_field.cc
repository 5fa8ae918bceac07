#include "gnn/settings/setting_field.h"

#include <fmt/format.h>

#include <algorithm>

#include "net/error.h"
#include "net/world.h"

namespace tacit::gnn {

namespace {

constexpr std::int64_t kMostOwnershipBytes = 16 * 1024;  // enough for a number at each of a thousand ranks
constexpr std::size_t kMostErrorBytes = 600;

bool is_control(char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }

// Joins texts: "a, b or c".
template <typename All, typename Text>
std::string either_of(const All& all, const Text& text) {
  std::string joined;
  for (std::size_t i = 0; i < all.size(); ++i) {
    joined += i == 0 ? "" : i + 1 == all.size() ? " or " : ", ";
    joined += text(all[i]);
  }
  return joined;
}

}  // namespace

void expected(const std::string& allowed, const SettingValue& instead) {
  throw ConfigError(fmt::format("expected {}, not {}", allowed, describe(instead)));
}

const std::string* clean_text(const SettingValue& value, std::int64_t most_bytes) {
  const std::string* text = value.text();
  if (text == nullptr || text->empty() || std::ssize(*text) > most_bytes) return nullptr;
  return std::any_of(text->begin(), text->end(), is_control) ? nullptr : text;
}

bool Interval::contains(double value) const {
  const bool above = without_least ? value > least : value >= least;
  return above && (without_most ? value < most : value <= most);
}

std::string Interval::text() const {
  return fmt::format("{} {} and {} {}", without_least ? "above" : "at least", least, without_most ? "below" : "at most",
                     most);
}

void WholeField::read(const SettingValue& value) {
  const auto* number = std::get_if<std::int64_t>(&value.content);
  if (number == nullptr || *number < least_ || *number > most_) expected(allowed(), value);
  number_ = *number;
  store_(variable_, number_);
}

std::string WholeField::allowed() const { return fmt::format("a whole number, {} ... {}", least_, most_); }

void PeriodField::read(const SettingValue& value) {
  const std::string* text = value.text();
  const auto* number = std::get_if<std::int64_t>(&value.content);
  const bool off = text != nullptr && *text == "off";
  if (!off && (number == nullptr || *number < 1 || *number > most_)) expected(allowed(), value);
  value_ = off ? 0 : *number;
}

std::string PeriodField::allowed() const { return fmt::format("a whole number, 1 ... {}, or \"off\"", most_); }

void WholeOfField::read(const SettingValue& value) {
  const auto* number = std::get_if<std::int64_t>(&value.content);
  if (number == nullptr || std::find(known_.begin(), known_.end(), *number) == known_.end()) {
    expected(allowed(), value);
  }
  value_ = static_cast<int>(*number);
}

std::string WholeOfField::allowed() const {
  return either_of(known_, [](std::int64_t number) { return std::to_string(number); });
}

void RealField::read(const SettingValue& value) {
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

void FlagField::read(const SettingValue& value) {
  const bool* flag = std::get_if<bool>(&value.content);
  if (flag == nullptr) expected(allowed(), value);
  value_ = *flag;
}

void WordField::read(const SettingValue& value) {
  const std::string* text = value.text();
  const auto found = text == nullptr ? words_.end() : std::find(words_.begin(), words_.end(), *text);
  if (found == words_.end()) expected(allowed(), value);
  index_ = static_cast<std::size_t>(found - words_.begin());
}

SettingValue WordField::value() const { return {index_ < words_.size() ? std::string(words_[index_]) : ""}; }

std::string WordField::allowed() const {
  return either_of(words_, [](std::string_view word) { return to_text({std::string(word)}); });
}

void TextField::read(const SettingValue& value) {
  const std::string* text = clean_text(value, most_bytes_);
  if (text == nullptr) expected(allowed(), value);
  value_ = *text;
}

std::string TextField::allowed() const {
  return fmt::format("{} as text of 1 ... {} bytes without control characters", what_, most_bytes_);
}

void AudienceField::read(const SettingValue& value) {
  const std::string* text = value.text();
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

SettingValue AudienceField::value() const {
  if (!value_) return {"nobody"};
  return *value_ == mpc::To::everyone() ? SettingValue{"everyone"} : SettingValue{std::int64_t{value_->party}};
}

std::string AudienceField::allowed() const {
  return of_someone_ ? "\"everyone\" or the number of a party's rank"
                     : "\"everyone\", \"nobody\" or the number of a party's rank";
}

void OwnershipField::read(const SettingValue& value) {
  const std::string* text = clean_text(value, kMostOwnershipBytes);
  if (text == nullptr) expected(allowed(), value);
  try {
    value_ = parse_ownership(*text, part_);
  } catch (const ConfigError& error) {
    std::string_view what = error.what();
    const std::string name = fmt::format("{}: ", name_of(part_));
    if (what.starts_with(name)) what.remove_prefix(name.size());  // the setting's path names the part already
    if (what.size() > kMostErrorBytes) expected(allowed(), value);
    throw ConfigError(std::string(what));
  }
}

std::string OwnershipField::allowed() const {
  return fmt::format("text that says who holds the {}, as \"rank 0\" or \"public\"", name_of(part_));
}

}  // namespace tacit::gnn
