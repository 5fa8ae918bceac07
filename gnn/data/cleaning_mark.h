// CleaningMark — the origin of a part that `tacit data clean` made: the raw table, and the numbers that replaced its missing
// values. A job with [privacy] refuses imputed numbers that its account does not cover.
//
// The mark is its owner's word about the owner's own rows. No other rank can check the mark, and
// a file without a mark is accepted.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "gnn/data/graph_data.h"
#include "gnn/data/npz.h"

namespace tacit::gnn {

struct CleaningMark {
  enum class Imputed {
    kConstants,  // or nothing
    kExact,      // statistics of rows: each row moved the numbers of others
    kNoisy,      // statistics with noise; the session's ledgers have the epsilon
  };
  Imputed imputed = Imputed::kConstants;
  std::string table;    // 32 hexadecimal digits (clean/table_print.h); "": unknown
  std::string session;  // of kNoisy, 64 hexadecimal digits

  std::string text() const;
  NamedArray array() const;  // of an .npz file
  static std::optional<CleaningMark> parse(std::string_view text);
};

// The mark in a part's file; empty if it has none, as a folder of CSV files. Throws ConfigError for a damaged one.
std::optional<CleaningMark> cleaning_mark_in(const std::filesystem::path& file);
// Does the same as write_graph_npz(), and adds the mark of the part from which `data` were made.
void write_marked_npz(const std::filesystem::path& path, const GraphData& data,
                      const std::optional<CleaningMark>& mark);

}  // namespace tacit::gnn
