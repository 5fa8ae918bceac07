// The settings that name classes: the list of names, and one class.
#pragma once

#include "gnn/data/class_names.h"
#include "gnn/settings/setting_field.h"

namespace tacit::gnn {

// A list of names, one for each class.
class ClassNamesField final : public SettingField {
 public:
  explicit ClassNamesField(ClassNames& names) : names_(names) {}
  void read(const SettingValue& value) override;
  SettingValue value() const override;
  std::string allowed() const override;

 private:
  ClassNames& names_;
};

// A class by its number, or by its name if the job names its classes. A job with names is written with the name.
class ClassField final : public SettingField {
 public:
  ClassField(std::int64_t& number, std::span<const std::string> names) : number_(number), names_(names) {}
  void read(const SettingValue& value) override;
  SettingValue value() const override;
  std::string allowed() const override;

 private:
  static constexpr std::int64_t kMostClasses = 1'000'000;

  std::int64_t& number_;
  std::span<const std::string> names_;
};

}  // namespace tacit::gnn
