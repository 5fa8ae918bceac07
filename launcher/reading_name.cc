#include "launcher/reading_name.h"

#include "gnn/data/class_names.h"
#include "net/decimal.h"

namespace tacit::launcher {

namespace {

constexpr std::string_view kClass = "_class_", kDigits = "0123456789";

// "_class_1" and what follows its digits, "_in_64_bins", become " of fraud_in_64_bins".
std::string with_class(const std::string& what, const std::string& name) {
  const std::size_t begin = what.find(kClass);
  if (name.empty() || begin == std::string::npos) return what;
  const std::size_t end = what.find_first_not_of(kDigits, begin + kClass.size());
  return what.substr(0, begin) + " of " + name + (end == std::string::npos ? "" : what.substr(end));
}

}  // namespace

std::string class_name_of(const gnn::Revealed& what, std::span<const std::string> class_names) {
  if (!what.of_class || *what.of_class >= std::ssize(class_names)) return "";
  return gnn::name_of_class(class_names, *what.of_class);
}

std::string shown_name(const gnn::Revealed& what, std::span<const std::string> class_names) {
  return with_class(name_of(what), class_name_of(what, class_names));
}

std::string shown_name(const std::string& what, std::span<const std::string> class_names) {
  const std::size_t begin = what.find(kClass);
  if (begin == std::string::npos) return what;
  const std::string_view digits = std::string_view(what).substr(begin + kClass.size());
  const auto number =
      net::parse_decimal(digits.substr(0, digits.find_first_not_of(kDigits)), 0, std::ssize(class_names) - 1);
  return number ? with_class(what, gnn::name_of_class(class_names, *number)) : what;
}

std::string shown_name(const ToldReading& reading) {
  return with_class(reading.what, reading.class_name.text) + (reading.counts.rows.empty() ? "" : " (accuracy)");
}

}  // namespace tacit::launcher
