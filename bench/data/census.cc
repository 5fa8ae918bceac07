#include "bench/data/census.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "bench/data/random_source.h"
#include "net/error.h"

namespace tacit::gnn {

namespace {

// A column of 0 and 1. The raw table has one of the codes `yes` for 1, and one of the codes `no` for 0.
struct Feature {
  std::string_view name;
  double share = 0;   // the share of people with 1
  double weight = 0;  // the chance to be employed with 1, less the chance with 0
  std::string_view yes, no;
};

constexpr std::array<Feature, 9> kFeatures = {{
    {"sex", 0.49, 0.114, "1", "2"},
    {"married", 0.52, 0.08, "1", "2345"},
    {"black", 0.12, -0.07, "1", "0"},
    {"asian", 0.06, -0.023, "1", "0"},
    {"collegedegree", 0.31, 0.182, "1", "0"},
    {"militaryservice", 0.08, -0.182, "123", "4"},
    {"uscitizen", 0.93, -0.057, "1234", "5"},
    {"disability", 0.15, -0.365, "1", "2"},
    {"englishability", 0.95, 0.114, "12", "34"},
}};
constexpr std::string_view kEmployed = "12", kNotEmployed = "36";
constexpr std::size_t kLabelAt = 5;  // the column of the label in the raw table
constexpr double kBase = 0.5897;     // the chance of the average person to be employed
constexpr double kMissing = 0.02, kInvalid = 0.005;
constexpr std::size_t kPeople = std::size_t{1} << kFeatures.size();  // kinds of people

bool commoner(std::size_t feature) { return kFeatures[feature].share >= 0.5; }

double chance_of_work(std::size_t person) {
  double chance = kBase;
  for (std::size_t i = 0; i < kFeatures.size(); ++i) {
    const bool has = (person >> i & 1) != 0;
    chance += kFeatures[i].weight * ((has ? 1 : 0) - kFeatures[i].share);
  }
  return std::clamp(chance, 0.02, 0.98);
}

double share_of(std::size_t person) {
  double share = 1;
  for (std::size_t i = 0; i < kFeatures.size(); ++i) {
    share *= (person >> i & 1) != 0 ? kFeatures[i].share : 1 - kFeatures[i].share;
  }
  return share;
}

// How many people of each kind work and do not work, as shares of all.
struct Kind {
  double works = 0, rests = 0;
};

double best_accuracy(const std::vector<Kind>& kinds) {
  double best = 0;
  for (const Kind& kind : kinds) best += std::max(kind.works, kind.rests);
  return best;
}

class Writer {
 public:
  Writer(std::uint64_t seed, const std::function<void(std::string_view)>& sink) : random_(seed), sink_(sink) {}

  void header() {
    for (std::size_t i = 0; i < kFeatures.size(); ++i) {
      if (i == kLabelAt) text_ += "employed,";
      text_ += fmt::format("{},", kFeatures[i].name);
    }
    text_ += "region,quarter\n";
  }

  void record() {
    std::size_t person = 0;
    for (std::size_t i = 0; i < kFeatures.size(); ++i) person |= std::size_t{random_.chance(kFeatures[i].share)} << i;
    const bool employed = random_.chance(chance_of_work(person));
    for (std::size_t i = 0; i < kFeatures.size(); ++i) {
      if (i == kLabelAt) field(employed ? kEmployed : kNotEmployed);
      field((person >> i & 1) != 0 ? kFeatures[i].yes : kFeatures[i].no);
    }
    text_ += static_cast<char>('1' + random_.below(9));
    text_ += ',';
    text_ += static_cast<char>('1' + random_.below(4));
    text_ += '\n';
    constexpr std::size_t kMostText = 1 << 20;
    if (text_.size() > kMostText) flush();
  }

  void flush() {
    sink_(text_);
    text_.clear();
  }

 private:
  void field(std::string_view codes) {
    const double drawn = random_.uniform();
    const char code = codes[static_cast<std::size_t>(random_.below(std::ssize(codes)))];
    if (drawn < kMissing / 2) {
      text_ += 'N';
    } else if (drawn < kMissing + kInvalid && drawn >= kMissing) {
      text_ += '9';
    } else if (drawn >= kMissing) {
      text_ += code;
    }
    text_ += ',';
  }

  RandomSource random_;
  const std::function<void(std::string_view)>& sink_;
  std::string text_;
};

std::string codes_of(std::string_view yes, std::string_view no) {
  std::string codes;
  for (const char c : yes) codes += fmt::format("{}{} = 1", codes.empty() ? "" : ", ", c);
  for (const char c : no) codes += fmt::format(", {} = 0", c);
  return codes;
}

}  // namespace

CensusChances census_chances() {
  CensusChances chances;
  std::vector<Kind> kinds(kPeople);
  for (std::size_t person = 0; person < kPeople; ++person) {
    const double share = share_of(person), works = share * chance_of_work(person);
    kinds[person] = {works, share - works};
    chances.employed += works;
  }
  chances.best = best_accuracy(kinds);
  // Cleaning replaces a missing or invalid code by the commoner one, which moves these people to another kind.
  for (std::size_t i = 0; i < kFeatures.size(); ++i) {
    const std::size_t bit = std::size_t{1} << i;
    for (std::size_t person = 0; person < kPeople; ++person) {
      if (((person & bit) != 0) == commoner(i)) continue;
      Kind &from = kinds[person], &to = kinds[person ^ bit];
      const Kind moved = {from.works * (kMissing + kInvalid), from.rests * (kMissing + kInvalid)};
      from = {from.works - moved.works, from.rests - moved.rests};
      to = {to.works + moved.works, to.rests + moved.rests};
    }
  }
  chances.best_cleaned = best_accuracy(kinds);
  return chances;
}

void make_census(const CensusOptions& options, const std::function<void(std::string_view)>& sink) {
  constexpr std::int64_t kMostRecords = 1'000'000'000;
  if (options.records < 1 || options.records > kMostRecords) {
    throw ConfigError(fmt::format("records must be 1 ... {}", kMostRecords));
  }
  Writer writer(options.seed, sink);
  writer.header();
  for (std::int64_t i = 0; i < options.records; ++i) writer.record();
  writer.flush();
}

std::string census_rules() {
  std::string rules =
      "# Rules for the table of `tacit data make census`: ten columns of 0 and 1, of which `employed` is to be "
      "predicted.\n"
      "# The imputed constants are the commoner codes, known before the data: they tell nothing of a person in it.\n"
      "missing = [\"N\"]\n"
      "others = \"drop\"  # region and quarter\n"
      "split = { validation = 0.1, test = 0.1, seed = 1 }\n";
  for (std::size_t i = 0; i < kFeatures.size(); ++i) {
    if (i == kLabelAt) {
      rules += fmt::format("\n[columns.employed]\nrole = \"class\"\nallowed = {{ {} }}\ndrop = true\n",
                           codes_of(kEmployed, kNotEmployed));
    }
    rules += fmt::format("\n[columns.{}]\nallowed = {{ {} }}\nconstant = {}\n", kFeatures[i].name,
                         codes_of(kFeatures[i].yes, kFeatures[i].no), commoner(i) ? 1 : 0);
  }
  return rules;
}

}  // namespace tacit::gnn
