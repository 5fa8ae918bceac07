#include "gnn/clean/cleaning.h"
#include "net/error.h"
#include "tests/fuzz/fuzz.h"

namespace {

using namespace tacit::gnn;

constexpr char kTable = 't', kCounts = 'c';  // the first byte: is the rest a table, or counts?

CleaningRules rules() {
  CleaningRules rules;
  rules.drop_malformed = true;
  rules.columns.resize(4);
  rules.columns[0].name = "a";
  rules.columns[0].codes = {{"0", 0}, {"1", 1}, {"no", 2}};
  rules.columns[0].repair = CleaningColumn::Repair::kMode;
  rules.columns[1].name = "b";
  rules.columns[1].range = {-10, 1e6};
  rules.columns[1].repair = CleaningColumn::Repair::kMedian;
  rules.columns[2].name = "c";
  rules.columns[2].range = {0, 1};
  rules.columns[2].repair = CleaningColumn::Repair::kMean;
  rules.columns[3].name = "id";
  rules.columns[3].role = CleaningColumn::Role::kName;
  rules.columns[3].missing = {"NA"};
  return rules;
}

// Every cut counts the same.
void count(const std::string& table) {
  const MemorySource file("raw.csv", std::as_bytes(std::span(table)));
  const CleaningRules by = rules();
  Cleaning whole(file, by, {});
  const auto text = [](CleaningStatistics counted) {
    counted.ranges = {};
    return text_of(counted);
  };
  const std::string counted = text(whole.count());
  tacit::net::fuzz_require(text(Cleaning(file, by, {.piece_bytes = 7}).count()) == counted);
  replacements(by, whole.count());
  if (!whole.splittable()) return;
  CleaningStatistics sum(by);
  const std::int64_t cut = file.size() / 2;
  sum.add(Cleaning(file, by, {.range = {{0, cut}}}).count());
  sum.add(Cleaning(file, by, {.range = {{cut, file.size()}}}).count());
  tacit::net::fuzz_require(text(sum) == counted);
}

}  // namespace

namespace tacit::net {

std::vector<std::string> fuzz_seeds() {
  CleaningStatistics some(rules()), noisy(rules());
  noisy.parties = 2;
  noisy.noise = NoiseOnCounts{2.5, std::string(64, 'a')};
  noisy.kept = 3;
  noisy.columns[0].counts = {-3, 2, 4};
  noisy.columns[1].counts[7] = 9;
  return {std::string(1, kTable) + "a,b,c,id\n0,1,0.5,x\n1,-7e2,,\"y, z\"\r\nno,NA,1,NA\n\n1.0,3\n",
          std::string(1, kTable) + "\"c\",x,id,a,b\n1,\"two\nlines\",n,1,1\n0,,m,0,+2",
          std::string(1, kCounts) + text_of(some), std::string(1, kCounts) + text_of(noisy)};
}

}  // namespace tacit::net

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = tacit::net::fuzz_text(tacit::net::fuzz_bytes(data, size));
  try {
    if (text.starts_with(kTable)) count(text.substr(1));
    if (text.starts_with(kCounts)) {
      CleaningStatistics read = parse_statistics(text.substr(1), "counts");
      tacit::net::fuzz_require(text_of(parse_statistics(text_of(read), "counts")) == text_of(read));
      if (read.parties == 0) read.add(read);
      replacements(rules(), parse_statistics(text_of(read), rules(), "counts"));
    }
  } catch (const tacit::ConfigError&) {
  }
  return 0;
}
