// Cleaning — makes a party's data from a raw table, by rules, in two passes.
//
// The first pass counts; the second one writes. Both read pieces of kCleaningPiece bytes, so memory depends on the number of
// threads and columns alone; names take 8 bytes a row, since no two kept rows may have the same. Every number of threads, and
// every cut of the file into ranges, gives the same rows.
//
//     Cleaning cleaning(file, rules, {.threads = 2});
//     const CleaningStatistics counted = cleaning.count();
//     cleaning.write("part.npz", PartFormat::Kind::kNpz, counted);
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <utility>

#include "gnn/clean/header.h"
#include "gnn/clean/part_rows.h"
#include "gnn/clean/pieces.h"
#include "gnn/clean/row_fate.h"
#include "gnn/clean/statistics.h"

namespace tacit::gnn {

inline constexpr std::int64_t kCleaningPiece = 1 << 20;

struct CleaningOptions {
  int threads = 1;
  std::optional<std::pair<std::int64_t, std::int64_t>> range =
      std::nullopt;  // bytes of the file; lines that begin in it
  // Of the whole file, as the statistics have them: the numbers of lines before a range, which are counted otherwise.
  std::vector<CountedRange> counted = {};
  std::optional<PartPlace> place = std::nullopt;
  std::int64_t piece_bytes = kCleaningPiece;  // smaller in tests
};

class Cleaning {
 public:
  // Reads the names of columns. Throws ConfigError, as do the others. The file must outlive the object.
  Cleaning(const ByteSource& file, CleaningRules rules, CleaningOptions options);
  Cleaning(const Cleaning&) = delete;
  Cleaning& operator=(const Cleaning&) = delete;

  // The first pass, over the range or the whole file.
  const CleaningStatistics& count();

  // After count(). `all`: the statistics of the whole file, or of all parties' tables. Without a range, a part without rows is refused.
  void write(const std::filesystem::path& path, PartFormat::Kind kind, const CleaningStatistics& all);

  // After count(): false if a quoted field has a line end, so that the file was read by one thread.
  bool splittable() const { return !quoted_lines_; }
  // After count(), for each rule: how many of the invalid values are not UTF-8.
  const std::vector<std::int64_t>& not_utf8() const { return not_utf8_; }
  std::int64_t data_bytes() const { return file_.size() - header_.data_begin; }

 private:
  // Calls visit(result, parser, verdict, at, bytes) for each record of each piece, then take(result), in the order of the file.
  // `begin(thread, piece)` makes a result, `end` completes it; both run in the piece's thread. Throws QuotedLine.
  template <typename Begin, typename Visit, typename End, typename Take>
  void pass(const Begin& begin, const Visit& visit, const End& end, const Take& take) const;
  template <typename Begin, typename Visit, typename End, typename Take>
  void pass_in_one_piece(const Begin& begin, const Visit& visit, const End& end, const Take& take) const;
  CleaningStatistics counted();

  void expect_different_names(std::vector<std::uint64_t> hashes) const;
  void expect_among(const CleaningStatistics& all) const;
  CleaningMark mark_of(const CleaningStatistics& all) const;
  [[noreturn]] void refuse_to_keep_none() const;
  void count_row(const RecordParser& row, bool kept, CleaningStatistics& to) const;
  // The number of lines before the range, if it is known.
  std::optional<std::int64_t> lines_before() const;
  std::int64_t begin() const;
  std::int64_t end() const;

  const ByteSource& file_;
  CleaningRules rules_;
  CleaningOptions options_;
  TableHeader header_;
  RowFate fate_;  // by rules_
  bool names_ = false;
  std::vector<std::size_t> counting_;  // the rules that use a statistic
  CleaningStatistics counted_;
  std::vector<std::int64_t> lines_;  // the number of lines of each piece, after the first pass
  std::int64_t name_width_ = 0;
  std::vector<std::int64_t> not_utf8_;
  bool quoted_lines_ = false;
};

}  // namespace tacit::gnn
