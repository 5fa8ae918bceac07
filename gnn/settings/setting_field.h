// SettingField — one setting while a visitor looks at it: its value, its limits, and how the value is read and written.
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

  // Throws ConfigError with the allowed values and the present one: "expected a whole number, 1 ... 100, not 0".
  virtual void read(const SettingValue& value) = 0;
  virtual SettingValue value() const = 0;   // read() accepts it if it is within the limits
  virtual std::string allowed() const = 0;  // "a whole number, 1 ... 100"
  // The words of a field that has a few; a tool that lists settings tries each of them.
  virtual std::span<const std::string_view> words() const { return {}; }
};

[[noreturn]] void expected(const std::string& allowed, const SettingValue& instead);
// The text without control characters, of at most so many bytes; null if the value is another.
const std::string* clean_text(const SettingValue& value, std::int64_t most_bytes);

// A whole number within limits, in a variable of any integer type that holds them.
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

// A number of epochs, or "off": 0.
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

// One of a few whole numbers.
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

// One of a few words, by its index.
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

// Text of at most kMostTextBytes without control characters. `what` the text is, for errors: "a file's path".
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

// Who learns a value: "everyone", "nobody" or a rank.
class AudienceField final : public SettingField {
 public:
  explicit AudienceField(std::optional<mpc::To>& value) : value_(value) {}
  void read(const SettingValue& value) override;
  SettingValue value() const override;
  std::string allowed() const override;

 private:
  std::optional<mpc::To>& value_;
};

// Who holds a part of the graph, as parse_ownership() reads it.
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
