#include "gnn/clean/cleaning.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "gnn/clean/number_bins.h"
#include "gnn/data/node_ids.h"
#include "net/error.h"
#include "net/printable.h"

namespace tacit::gnn {

namespace {

using Verdict = RecordParser::Verdict;

// Thrown in a pass by pieces: a quoted field has a line end, so no piece can tell where its records begin.
struct QuotedLine {
  std::int64_t at = 0;
};

std::uint64_t hash_of(const std::string& name) { return std::hash<std::string>()(normalised_id(name)); }

void count_part(RowPart part, CleaningStatistics& to) {
  if (part == RowPart::kTrain) ++to.train;
  if (part == RowPart::kValidation) ++to.validation;
  if (part == RowPart::kTest) ++to.test;
}

std::int64_t characters_in(std::string_view name) {
  return std::count_if(name.begin(), name.end(), [](char c) { return (c & 0xc0) != 0x80; });
}

}  // namespace

Cleaning::Cleaning(const ByteSource& file, CleaningRules rules, CleaningOptions options)
    : file_(file), rules_(std::move(rules)), options_(options), fate_(rules_) {
  TACIT_CHECK(options.threads >= 1 && options.piece_bytes >= 1 && options.piece_bytes <= kMostLineBytes);
  check(rules_);
  header_ = read_header(file, rules_);
  names_ = rules_.with(CleaningColumn::Role::kName) != nullptr;
  for (std::size_t i = 0; i < rules_.columns.size(); ++i) {
    if (rules_.columns[i].uses_statistic()) counting_.push_back(i);
  }
  if (!options.range) return;
  const auto [first, last] = *options.range;
  if (first < 0 || last < first || last > file.size()) {
    throw ConfigError(fmt::format("the range {}:{} is not in the file, which has {} bytes", first, last, file.size()));
  }
}

std::int64_t Cleaning::begin() const {
  return std::max(options_.range ? options_.range->first : 0, header_.data_begin);
}

std::optional<std::int64_t> Cleaning::lines_before() const {
  if (!options_.range || options_.range->first <= header_.data_begin) return 0;
  if (options_.counted.empty() || options_.counted.back().end != file_.size())
    return std::nullopt;  // the ranges belong to another table
  std::int64_t at = header_.data_begin, lines = 0;
  for (const CountedRange& one : options_.counted) {
    if (at == options_.range->first) return lines;
    if (one.end <= at) continue;
    if (one.begin > at || (one.begin < at && at > header_.data_begin)) return std::nullopt;
    at = one.end;
    lines += one.lines;
  }
  return at == options_.range->first ? std::optional(lines) : std::nullopt;
}

std::int64_t Cleaning::end() const { return options_.range ? options_.range->second : file_.size(); }

template <typename Begin, typename Visit, typename End, typename Take>
void Cleaning::pass(const Begin& begin_piece, const Visit& visit, const End& end_piece, const Take& take) const {
  if (quoted_lines_) return pass_in_one_piece(begin_piece, visit, end_piece, take);
  const std::int64_t first = begin(), last = end();
  const std::int64_t pieces = first < last ? (last - first + options_.piece_bytes - 1) / options_.piece_bytes : 0;
  std::vector<RecordParser> parsers(static_cast<std::size_t>(options_.threads), RecordParser(rules_, header_.rules));
  in_order(
      pieces, options_.threads,
      [&](std::int64_t piece, int thread) {
        RecordParser& parser = parsers[static_cast<std::size_t>(thread)];
        const std::int64_t from = first + piece * options_.piece_bytes;
        const Lines lines = lines_from(file_, header_.data_begin, from, std::min(from + options_.piece_bytes, last));
        auto result = begin_piece(thread, piece);
        const char* at = lines.bytes.data();
        const char* const end_of_lines = at + lines.bytes.size();
        while (at < end_of_lines) {
          const char* const begins = at;
          const std::int64_t place = lines.at + (at - lines.bytes.data());
          const Verdict verdict = parser.read(at, end_of_lines, false);
          if (verdict == Verdict::kUnfinished) throw QuotedLine{place};
          visit(result, parser, verdict, place, std::string_view(begins, static_cast<std::size_t>(at - begins)));
        }
        end_piece(result, std::min(lines.at + std::ssize(lines.bytes), file_.size()) - lines.at);
        return result;
      },
      [&](std::int64_t, auto&& result) { take(result); });
}

template <typename Begin, typename Visit, typename End, typename Take>
void Cleaning::pass_in_one_piece(const Begin& begin_piece, const Visit& visit, const End& end_piece,
                                 const Take& take) const {
  RecordParser parser(rules_, header_.rules);
  std::int64_t piece_bytes = options_.piece_bytes, piece = 0;
  for (std::int64_t from = header_.data_begin; from < file_.size();) {
    const Lines lines = lines_from(file_, from, from, from + piece_bytes);
    auto result = begin_piece(0, piece);
    const char* at = lines.bytes.data();
    const char* const end_of_lines = at + lines.bytes.size();
    std::int64_t place = from;
    while (at < end_of_lines) {
      const char* const begins = at;
      const Verdict verdict = parser.read(at, end_of_lines, true);
      if (verdict == Verdict::kUnfinished) break;
      visit(result, parser, verdict, place, std::string_view(begins, static_cast<std::size_t>(at - begins)));
      place = from + (at - lines.bytes.data());
    }
    place = std::min(place, file_.size());
    if (place == from) {
      if (lines.at + std::ssize(lines.bytes) >= file_.size() || std::ssize(lines.bytes) > kMostLineBytes) {
        file_.place().wrong(
            fmt::format("byte {}: a quoted field has no end within {} bytes; expected a closing quote, and quotes in a "
                        "field doubled",
                        from, std::min<std::int64_t>(kMostLineBytes, file_.size() - from)));
      }
      piece_bytes *= 2;
      continue;
    }
    piece_bytes = options_.piece_bytes;
    end_piece(result, place - from);
    take(result);
    from = place;
    ++piece;
  }
}

const CleaningStatistics& Cleaning::count() {
  try {
    counted_ = counted();
  } catch (const QuotedLine& line) {
    if (options_.range) {
      file_.place().wrong(
          fmt::format("byte {}: a quoted field has a line end, so the file cannot be cut into ranges; clean it without "
                      "--range",
                      line.at));
    }
    quoted_lines_ = true;
    counted_ = counted();
  }
  return counted_;
}

CleaningStatistics Cleaning::counted() {
  struct alignas(128) Counts {  // as RecordParser: one for each thread
    CleaningStatistics sums;
    std::vector<std::int64_t> not_utf8;  // for each rule
    std::int64_t name_width = 0;
    std::vector<std::uint64_t> names = {};  // hashes of the names of kept rows
  };
  struct Piece {
    Counts* counts = nullptr;
    std::int64_t first_malformed = -1;
    std::int64_t lines = 0;
    std::vector<std::int64_t> to_draw = {};  // numbers of lines
  };
  const std::vector<std::int64_t> none(rules_.columns.size());
  std::vector<Counts> of_threads(static_cast<std::size_t>(options_.threads), {CleaningStatistics(rules_), none});
  std::int64_t first_malformed = -1;
  // Sums of ranges have these counts for all rows or for none.
  const auto before = options_.range && options_.counted.empty() ? std::nullopt : lines_before();
  lines_.clear();
  CleaningStatistics all(rules_);
  std::int64_t lines = 0;
  pass([&](int thread, std::int64_t) { return Piece{&of_threads[static_cast<std::size_t>(thread)]}; },
       [&](Piece& piece, const RecordParser& row, Verdict verdict, std::int64_t at, std::string_view record) {
         if (verdict == Verdict::kEmptyLine) return;
         Counts& counts = *piece.counts;
         counts.sums.table.add(record);
         ++counts.sums.rows;
         const std::int64_t number = piece.lines++;
         if (verdict == Verdict::kMalformed) {
           ++counts.sums.malformed;
           if (piece.first_malformed < 0) piece.first_malformed = at;
           return;
         }
         const bool kept = !fate_.drops(row);
         count_row(row, kept, counts.sums);
         if (kept && before && fate_.draws(row)) piece.to_draw.push_back(number);
         for (std::size_t i = 0; i < none.size() && !row.complete(); ++i) {
           if (row.found()[i] == RecordParser::kInvalid && !row.is_utf8(i)) ++counts.not_utf8[i];
         }
         if (names_ && kept) {
           counts.name_width = std::max(counts.name_width, characters_in(row.name()));
           counts.names.push_back(hash_of(row.name()));
         }
       },
       [](Piece& piece, std::int64_t bytes) { piece.counts->sums.bytes += bytes; },
       [&](const Piece& piece) {
         if (first_malformed < 0) first_malformed = piece.first_malformed;
         for (const std::int64_t number : piece.to_draw) count_part(fate_.drawn(*before + lines + number), all);
         lines += piece.lines;
         lines_.push_back(piece.lines);
       });
  all.ranges = {{options_.range ? options_.range->first : 0, end(), lines}};
  name_width_ = 0;
  not_utf8_ = none;
  std::vector<std::uint64_t> names;
  for (Counts& counts : of_threads) {
    all.add(counts.sums);
    name_width_ = std::max(name_width_, counts.name_width);
    for (std::size_t i = 0; i < none.size(); ++i) not_utf8_[i] += counts.not_utf8[i];
    names.insert(names.end(), counts.names.begin(), counts.names.end());
    counts.names = {};
  }
  if (all.malformed > 0 && !rules_.drop_malformed) {
    file_.place().wrong(
        fmt::format("byte {}: the line has not a field for each of the {} columns, or a quote in the wrong place; {} "
                    "of {} lines are "
                    "so: mend the file, or say malformed = \"drop\" in the rules",
                    first_malformed, header_.rules.size(), all.malformed, all.rows));
  }
  expect_different_names(std::move(names));
  return all;
}

// Names that may be the same are read once more, since two names may have one hash.
void Cleaning::expect_different_names(std::vector<std::uint64_t> hashes) const {
  std::sort(hashes.begin(), hashes.end());
  std::vector<std::uint64_t> twice;
  for (std::size_t i = 1; i < hashes.size(); ++i) {
    if (hashes[i] == hashes[i - 1] && (twice.empty() || twice.back() != hashes[i])) twice.push_back(hashes[i]);
  }
  if (twice.empty()) return;
  using Named = std::vector<std::pair<std::string, std::int64_t>>;  // with the places of the rows
  std::map<std::string, std::int64_t> first;
  pass([](int, std::int64_t) { return Named(); },
       [&](Named& names, const RecordParser& row, Verdict verdict, std::int64_t at, std::string_view) {
         if (verdict != Verdict::kRow || fate_.drops(row)) return;
         if (std::binary_search(twice.begin(), twice.end(), hash_of(row.name()))) names.emplace_back(row.name(), at);
       },
       [](const Named&, std::int64_t) {},
       [&](const Named& names) {
         for (const auto& [name, at] : names) {
           const auto [known, is_new] = first.emplace(normalised_id(name), at);
           if (is_new) continue;
           file_.place().wrong(
               fmt::format(
                   "bytes {} and {}: two rows have the same name, apart from spaces and case, and every row of a "
                   "part has a name of its own: leave one of the rows out, or do not use the column as names",
                   known->second, at),
               fmt::format("the name is \"{}\"", net::printable(name, 80)));
         }
       });
}

void Cleaning::count_row(const RecordParser& row, bool kept, CleaningStatistics& to) const {
  const std::vector<RecordParser::Found>& found = row.found();
  if (!row.complete()) {
    bool blamed = false;
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (found[i] >= RecordParser::kNumber) continue;
      ColumnStatistics& column = to.columns[i];
      ++(found[i] == RecordParser::kMissing ? column.missing : column.invalid);
      if (kept) {
        ++column.imputed;
      } else if (!blamed && rules_.columns[i].repair == CleaningColumn::Repair::kDrop) {
        blamed = true;
        ++column.dropped;
      }
    }
  }
  if (!kept) return;
  ++to.kept;
  if (!fate_.draws(row)) count_part(fate_.part_of(row, 0), to);
  for (const std::size_t i : counting_) {
    const CleaningColumn& rule = rules_.columns[i];
    if (found[i] >= RecordParser::kFirstCode) {
      ++to.columns[i].counts[found[i] - RecordParser::kFirstCode];
    } else if (found[i] == RecordParser::kNumber && rule.repair == CleaningColumn::Repair::kMean) {
      to.columns[i].sum += unit_of(rule, row.number(i));
    } else if (found[i] == RecordParser::kNumber) {
      ++to.columns[i].counts[bin_of(rule, row.number(i))];
    }
  }
}

// `all`: over the tables of several parties, including this party's.
void Cleaning::expect_among(const CleaningStatistics& all) const {
  if (all.noise) return;  // its counts may be smaller
  bool among = counted_.kept <= all.kept;
  for (std::size_t i = 0; i < rules_.columns.size() && among; ++i) {
    among = !rules_.columns[i].uses_statistic() || counted_.columns[i].imputed <= all.columns[i].imputed;
  }
  if (among) return;
  file_.place().wrong(
      "the statistics of all parties have fewer rows or missing values than this table alone; count it again, and add "
      "up "
      "again (tacit data sum-statistics)");
}

// After count(), and after a check that the statistics were counted over these rows.
CleaningMark Cleaning::mark_of(const CleaningStatistics& all) const {
  CleaningMark mark;
  for (const std::size_t i : counting_) {
    if (counted_.columns[i].imputed == 0) continue;
    mark.imputed = all.noise ? CleaningMark::Imputed::kNoisy : CleaningMark::Imputed::kExact;
  }
  if (mark.imputed == CleaningMark::Imputed::kNoisy) mark.session = all.noise->session;
  if (all.parties == 0) mark.table = all.table.text();
  if (all.parties > 0 && !options_.range) mark.table = counted_.table.text();
  return mark;
}

// Names the columns that dropped the rows: often one column has all its values in another form than its rule expects.
void Cleaning::refuse_to_keep_none() const {
  constexpr std::size_t kMostNamed = 5;
  if (counted_.rows == 0) file_.place().wrong("there are no rows below the names of the columns");
  std::vector<std::pair<std::int64_t, std::string>> droppers;
  if (counted_.malformed > 0) droppers.emplace_back(counted_.malformed, "malformed lines");
  for (std::size_t i = 0; i < rules_.columns.size(); ++i) {
    const ColumnStatistics& column = counted_.columns[i];
    if (column.dropped == 0) continue;
    droppers.emplace_back(column.dropped,
                          fmt::format("column \"{}\" ({} missing, {} invalid)",
                                      net::printable(rules_.columns[i].name, 80), column.missing, column.invalid));
  }
  std::ranges::stable_sort(droppers, std::greater<>(), &std::pair<std::int64_t, std::string>::first);
  std::string named;
  for (std::size_t i = 0; i < std::min(droppers.size(), kMostNamed); ++i) {
    named += fmt::format("{}{} for {}", i == 0 ? "" : ", ", droppers[i].first, droppers[i].second);
  }
  file_.place().wrong(
      fmt::format("no row is left of {}: dropped were {}{}; check the rules, and how values are written", counted_.rows,
                  named, droppers.size() > kMostNamed ? ", ..." : ""));
}

void Cleaning::write(const std::filesystem::path& path, PartFormat::Kind kind, const CleaningStatistics& all) {
  TACIT_CHECK(counted_.columns.size() == rules_.columns.size() && all.rules == counted_.rules);
  if (all.parties > 0) {
    expect_among(all);
  } else if (all.bytes != data_bytes()) {
    throw ConfigError(
        fmt::format("the statistics are of {} bytes, and {} has {} bytes of lines; count each range of the "
                    "file once, and merge the statistics",
                    all.bytes, file_.place().text(), data_bytes()));
  }
  if (!options_.range && counted_.kept == 0) refuse_to_keep_none();
  if (options_.place && (options_.place->first < 0 || counted_.kept > options_.place->of - options_.place->first)) {
    throw ConfigError(fmt::format("{} rows from row {} are not within the {} rows of all parties", counted_.kept,
                                  options_.place->first, options_.place->of));
  }
  const CleaningMark mark = mark_of(all);
  if (mark.imputed == CleaningMark::Imputed::kNoisy && kind == PartFormat::Kind::kCsv) {
    throw ConfigError(
        fmt::format("{}: a CSV file has no place to say by which statistics with noise it was made, and a private "
                    "training must know; write an .npz file",
                    path.string()));
  }
  const PartFormat format(rules_, replacements(rules_, all), kind, name_width_);
  const bool with_header = !options_.range || (options_.range->first == 0 && options_.range->second > 0);
  PartWriter writer(path, format, counted_.kept, with_header, options_.place, mark);
  std::optional<std::int64_t> before = rules_.split ? lines_before() : 0;
  if (!before) {  // the ranges were counted with other cuts: read the lines before this one once more
    const std::pair<std::int64_t, std::int64_t> earlier{0, options_.range->first};
    before = Cleaning(file_, rules_, {.threads = options_.threads, .range = earlier}).count().rows;
  }
  std::vector<std::int64_t> begins = {*before};
  for (const std::int64_t lines : lines_) begins.push_back(begins.back() + lines);
  struct Numbered {
    RowBlock block;
    std::int64_t number = 0;
  };
  try {
    pass(
        [&](int, std::int64_t piece) {
          return Numbered{format.block(), begins[static_cast<std::size_t>(piece)]};
        },
        [&](Numbered& rows, const RecordParser& row, Verdict verdict, std::int64_t, std::string_view) {
          if (verdict == Verdict::kEmptyLine) return;
          if (verdict == Verdict::kRow && !fate_.drops(row))
            format.append(row, fate_.part_of(row, rows.number), rows.block);
          ++rows.number;
        },
        [&](Numbered& rows, std::int64_t) { format.seal(rows.block); },
        [&](const Numbered& rows) { writer.take(rows.block); });
  } catch (...) {
    file_.expect_unchanged();  // other rows than in the first pass lead to errors of all kinds
    throw;
  }
  file_.expect_unchanged();
  writer.finish();
}

}  // namespace tacit::gnn
