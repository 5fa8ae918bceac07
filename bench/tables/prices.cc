#include "bench/tables/prices.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "launcher/job/document.h"
#include "launcher/settings/nearest_name.h"
#include "net/decimal.h"
#include "net/error.h"
#include "net/printable.h"

namespace tacit::launcher {

namespace {

constexpr double kHourOfAWorker = 1.14;
constexpr std::size_t kMostCurrency = 12;  // bytes

[[noreturn]] void refuse_price(const Source& source, std::string_view entry, const std::string& what) {
  throw ConfigError(fmt::format("{}: {}: {}", source.place(), net::printable(entry, 80), what));
}

std::string read_currency(const DocumentValue::Entry& entry) {
  const auto* text = std::get_if<std::string>(&entry.value.content);
  if (text == nullptr || text->empty() || text->size() > kMostCurrency || net::printable(*text) != *text) {
    refuse_price(entry.value.source, entry.key,
                 fmt::format("expected a text of 1 to {} printable ASCII characters, as \"USD\", not {}", kMostCurrency,
                             describe(entry.value)));
  }
  return *text;
}

// A number of workers, or a layout, as people write it: "4", not "04".
void expect_workers_or_layout(const DocumentValue::Entry& entry) {
  constexpr int kMost = kMostPartiesOfLayout * kMostThreadsOfLayout;
  const auto workers = net::parse_decimal(entry.key, 1, kMost);
  if (workers && std::to_string(*workers) == entry.key) return;
  try {
    parse_layout(entry.key);
  } catch (const ConfigError&) {
    refuse_price(entry.source, "hour." + entry.key,
                 fmt::format("expected a number of workers, 1 to {}, or a layout, as 2x4: up to {} parties with up to "
                             "{} threads each",
                             kMost, kMostPartiesOfLayout, kMostThreadsOfLayout));
  }
}

double read_price(const DocumentValue::Entry& entry) {
  std::optional<double> price;
  if (const auto* whole = std::get_if<std::int64_t>(&entry.value.content)) price = static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&entry.value.content)) price = *real;
  if (!price || !std::isfinite(*price) || *price < 0 || *price > kMostOfAnHour) {
    refuse_price(entry.value.source, "hour." + entry.key,
                 fmt::format("expected the price of an hour, a number from 0 to {:g}, not {}", kMostOfAnHour,
                             describe(entry.value)));
  }
  return *price;
}

}  // namespace

Prices::Prices(const std::filesystem::path& file) : file_(net::printable(file.string())) {
  constexpr std::array<std::string_view, 2> kKeys = {"currency", "hour"};
  const DocumentValue document = load_document(file);
  for (const DocumentValue::Entry& entry : *document.table()) {
    if (std::find(kKeys.begin(), kKeys.end(), entry.key) != kKeys.end()) continue;
    const std::string_view meant = nearest_name(entry.key, kKeys);
    refuse_price(entry.source, entry.key,
                 meant.empty() ? "a file of prices has no such entry; expected currency and the table [hour]"
                               : fmt::format("a file of prices has no such entry; did you mean {}?", meant));
  }
  if (const DocumentValue::Entry* currency = document.find("currency")) currency_ = read_currency(*currency);
  const DocumentValue::Entry* hour = document.find("hour");
  if (hour == nullptr) {
    throw ConfigError(fmt::format(
        "{} has no table [hour]; add one with the price of an hour for each number of workers, as 1 = 1.14", file_));
  }
  const DocumentValue::Table* prices = hour->value.table();
  if (prices == nullptr) {
    refuse_price(hour->value.source, hour->key,
                 fmt::format("expected a table with the price of an hour for each number of workers, not {}",
                             describe(hour->value)));
  }
  if (prices->size() > kMostPrices) {
    refuse_price(hour->source, hour->key,
                 fmt::format("the table has {} prices; expected {} at most", prices->size(), kMostPrices));
  }
  for (const DocumentValue::Entry& entry : *prices) {
    expect_workers_or_layout(entry);
    by_name_.emplace_back(entry.key, read_price(entry));
  }
}

double Prices::of_an_hour(const Layout& layout) const {
  if (file_.empty()) return kHourOfAWorker * layout.workers();
  for (const std::string& name : {layout.text(), std::to_string(layout.workers())}) {
    const auto found =
        std::find_if(by_name_.begin(), by_name_.end(), [&](const auto& one) { return one.first == name; });
    if (found != by_name_.end()) return found->second;
  }
  throw ConfigError(
      fmt::format("{} has no price for the layout {}: add \"{} = ...\" to the table [hour] for every layout with as "
                  "many workers, or "
                  "\"{} = ...\" for this layout, or leave the layout out of --layouts",
                  file_, layout.text(), layout.workers(), layout.text()));
}

std::string Prices::origin() const {
  return file_.empty() ? fmt::format("{:g} an hour for each worker, which is the default", kHourOfAWorker)
                       : fmt::format("an hour's price by {}", file_);
}

}  // namespace tacit::launcher
