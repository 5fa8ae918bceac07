// Field — one setting of a job: how it is read from a document, and how it is written. A kind of setting is a class
// here; which settings there are is for job_fields.cc to say.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "launcher/job/document.h"
#include "launcher/job/job.h"

namespace tacit::launcher {

class Field {
 public:
  virtual ~Field() = default;

  // Throws ConfigError, without a place: what is allowed, and what is there instead.
  virtual void read(const DocumentValue& value) = 0;
  virtual std::string allowed() const = 0;  // "a whole number, 1 ... 100"
  virtual std::string toml() const = 0;     // equal for equal values; read() takes it back
};

class WholeField final : public Field {
 public:
  WholeField(std::int64_t& value, std::int64_t least, std::int64_t most) : value_(value), least_(least), most_(most) {}
  void read(const DocumentValue& value) override;
  std::string allowed() const override;
  std::string toml() const override { return std::to_string(value_); }

 private:
  std::int64_t& value_;
  std::int64_t least_, most_;
};

// Every so many epochs, or "off": 0.
class PeriodField final : public Field {
 public:
  PeriodField(std::int64_t& value, std::int64_t most) : value_(value), most_(most) {}
  void read(const DocumentValue& value) override;
  std::string allowed() const override;
  std::string toml() const override { return value_ == 0 ? "\"off\"" : std::to_string(value_); }

 private:
  std::int64_t& value_;
  std::int64_t most_;
};

// One of a few whole numbers.
class WholeOfField final : public Field {
 public:
  WholeOfField(std::int64_t& value, std::span<const std::int64_t> known) : value_(value), known_(known) {}
  void read(const DocumentValue& value) override;
  std::string allowed() const override;
  std::string toml() const override { return std::to_string(value_); }

 private:
  std::int64_t& value_;
  std::span<const std::int64_t> known_;
};

struct Interval {
  double least = 0, most = 0;
  bool without_least = false, without_most = false;

  bool contains(double value) const;  // never NaN
  std::string text() const;
};

class RealField final : public Field {
 public:
  RealField(double& value, const Interval& within) : value_(value), within_(within) {}
  void read(const DocumentValue& value) override;
  std::string allowed() const override;
  std::string toml() const override;

 private:
  double& value_;
  Interval within_;
};

class FlagField final : public Field {
 public:
  explicit FlagField(bool& value) : value_(value) {}
  void read(const DocumentValue& value) override;
  std::string allowed() const override { return "true or false"; }
  std::string toml() const override { return value_ ? "true" : "false"; }

 private:
  bool& value_;
};

// Text without control characters, of at most kMostTextBytes. `what` it is, for errors: "a file's path".
inline constexpr std::int64_t kMostTextBytes = 4096;
class TextField final : public Field {
 public:
  TextField(std::string& value, std::string_view what, std::int64_t most_bytes = kMostTextBytes)
      : value_(value), what_(what), most_bytes_(most_bytes) {}
  void read(const DocumentValue& value) override;
  std::string allowed() const override;
  std::string toml() const override;

 private:
  std::string& value_;
  std::string_view what_;
  std::int64_t most_bytes_;
};

// One of a few words, each for a value of an enumeration.
template <typename Enum>
using Words = std::span<const std::pair<Enum, std::string_view>>;

std::string either_of(std::span<const std::string_view> words);
[[noreturn]] void expected(const std::string& allowed, const DocumentValue& instead);

template <typename Enum>
class WordField final : public Field {
 public:
  WordField(Enum& value, Words<Enum> words) : value_(value), words_(words) {}

  void read(const DocumentValue& value) override {
    const auto* text = std::get_if<std::string>(&value.content);
    for (const auto& [kind, word] : words_) {
      if (text == nullptr || *text != word) continue;
      value_ = kind;
      return;
    }
    expected(allowed(), value);
  }
  std::string allowed() const override {
    std::vector<std::string_view> names;
    for (const auto& one : words_) names.push_back(one.second);
    return either_of(names);
  }
  std::string toml() const override {
    for (const auto& [kind, word] : words_) {
      if (kind == value_) return '"' + std::string(word) + '"';
    }
    return "";
  }

 private:
  Enum& value_;
  Words<Enum> words_;
};

// "everyone", "nobody", or a rank.
class AudienceField final : public Field {
 public:
  explicit AudienceField(Audience& value) : value_(value) {}
  void read(const DocumentValue& value) override;
  std::string allowed() const override;
  std::string toml() const override;

 private:
  Audience& value_;
};

// Who holds a part of the data, as gnn::parse_ownership reads it.
class OwnershipField final : public Field {
 public:
  OwnershipField(gnn::PartOwnership& value, gnn::GraphPart part) : value_(value), part_(part) {}
  void read(const DocumentValue& value) override;
  std::string allowed() const override;
  std::string toml() const override;

 private:
  gnn::PartOwnership& value_;
  gnn::GraphPart part_;
};

class RankFilesField final : public Field {
 public:
  explicit RankFilesField(RankFiles& value) : value_(value) {}
  void read(const DocumentValue& value) override;
  std::string allowed() const override;
  std::string toml() const override;

 private:
  RankFiles& value_;
};

}  // namespace tacit::launcher
