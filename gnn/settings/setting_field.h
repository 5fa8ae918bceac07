// SettingField — one setting as a visitor sees it: the value, its limits, and how the value is
// parsed and written.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gnn/data/ownership.h"
#include "gnn/settings/setting_value.h"
#include "gnn/settings/setting_visitor.h"
#include "mpc/session/session.h"

namespace tacit::gnn {

class SettingField {
 public:
  virtual ~SettingField() = default;

  // Parses the value. Throws ConfigError with the allowed values and the given one:
  // "expected a whole number, 1 ... 100, not 0".
  virtual void read(const SettingValue& value) = 0;
  virtual SettingValue value() const = 0;   // read() accepts it if it is within the limits
  virtual std::string allowed() const = 0;  // "a whole number, 1 ... 100"
  // The allowed words of a WordField; empty for other fields. A tool that lists settings tries each
  // word.
  virtual std::span<const std::string_view> words() const { return {}; }
};

[[noreturn]] void expected(const std::string& allowed, const SettingValue& instead);
// The text of the value. Null if the value is no text, has a control character, or is longer than
// `most_bytes`.
const std::string* clean_text(const SettingValue& value, std::int64_t most_bytes);

// A whole number within limits. The variable has any integer type that holds the limits.
class WholeField final : public SettingField {
 public:
  template <typename Integer>
  WholeField(Integer& value, std::int64_t least, std::int64_t most)
      : number_(static_cast<std::int64_t>(value)),
        least_(least),
        most_(most),
        variable_(&value),
        store_([](void* variable, std::int64_t number) {
          *static_cast<Integer*>(variable) = static_cast<Integer>(number);
        }) {}
  void read(const SettingValue& value) override;
  SettingValue value() const override { return {number_}; }
  std::string allowed() const override;

 private:
  std::int64_t number_, least_, most_;
  void* variable_;
  void (*store_)(void* variable, std::int64_t number);
};

// A number of epochs. The word "off" stands for 0.
class PeriodField final : public SettingField {
 public:
  PeriodField(std::int64_t& value, std::int64_t most) : value_(value), most_(most) {}
  void read(const SettingValue& value) override;
  SettingValue value() const override { return value_ == 0 ? SettingValue{"off"} : SettingValue{value_}; }
  std::string allowed() const override;

 private:
  std::int64_t& value_;
  std::int64_t most_;
};

// A whole number from a short list.
class WholeOfField final : public SettingField {
 public:
  WholeOfField(int& value, std::span<const std::int64_t> known) : value_(value), known_(known) {}
  void read(const SettingValue& value) override;
  SettingValue value() const override { return {std::int64_t{value_}}; }
  std::string allowed() const override;

 private:
  int& value_;
  std::span<const std::int64_t> known_;
};

class RealField final : public SettingField {
 public:
  RealField(double& value, const Interval& within) : value_(value), within_(within) {}
  void read(const SettingValue& value) override;
  SettingValue value() const override { return {value_}; }
  std::string allowed() const override;

 private:
  double& value_;
  Interval within_;
};

class FlagField final : public SettingField {
 public:
  explicit FlagField(bool& value) : value_(value) {}
  void read(const SettingValue& value) override;
  SettingValue value() const override { return {value_}; }
  std::string allowed() const override { return "true or false"; }

 private:
  bool& value_;
};

// A word from a short list. The field stores the word's index.
class WordField final : public SettingField {
 public:
  WordField(std::size_t& index, std::span<const std::string_view> words) : index_(index), words_(words) {}
  void read(const SettingValue& value) override;
  SettingValue value() const override;
  std::string allowed() const override;
  std::span<const std::string_view> words() const override { return words_; }

 private:
  std::size_t& index_;
  std::span<const std::string_view> words_;
};

// Text without control characters, by default at most kMostTextBytes long. `what` names the text in
// errors: "a file's path".
inline constexpr std::int64_t kMostTextBytes = 4096;
class TextField final : public SettingField {
 public:
  TextField(std::string& value, std::string_view what, std::int64_t most_bytes = kMostTextBytes)
      : value_(value), what_(what), most_bytes_(most_bytes) {}
  void read(const SettingValue& value) override;
  SettingValue value() const override { return {value_}; }
  std::string allowed() const override;

 private:
  std::string& value_;
  std::string_view what_;
  std::int64_t most_bytes_;
};

// The audience of a revealed value: "everyone", "nobody" or a rank.
class AudienceField final : public SettingField {
 public:
  // `of_someone`: "nobody" is not offered, and the caller refuses it.
  explicit AudienceField(std::optional<mpc::To>& value, bool of_someone = false)
      : value_(value), of_someone_(of_someone) {}
  void read(const SettingValue& value) override;
  SettingValue value() const override;
  std::string allowed() const override;

 private:
  std::optional<mpc::To>& value_;
  bool of_someone_;
};

// The owner of a part of the graph, in the syntax of parse_ownership().
class OwnershipField final : public SettingField {
 public:
  OwnershipField(PartOwnership& value, GraphPart part) : value_(value), part_(part) {}
  void read(const SettingValue& value) override;
  SettingValue value() const override { return {to_text(value_)}; }
  std::string allowed() const override;

 private:
  PartOwnership& value_;
  GraphPart part_;
};

}  // namespace tacit::gnn
