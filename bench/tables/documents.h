// The documents that Tacit answers, table by table: the document's statement, our measurement, and a verdict in a
// sentence. All are computed from our measurements and from bench/others/, so that the numbers support every claim of
// a page.
#pragma once

#include <string>
#include <vector>

#include "bench/tables/measurements.h"

namespace tacit::launcher {

struct Answered {
  std::string place;    // "cloud nodes: data per epoch"
  std::string theirs;   // the document's numbers, with units
  std::string ours;     // "": not measured
  std::string verdict;  // "29 to 66 x less"
  std::string bench;    // the measurements that answer it, for `tacit bench`
};

struct Document {
  std::string name;  // "A GCN in CrypTen"
  std::vector<Answered> places;
};

// Returns every document, even without a measurement of ours.
std::vector<Document> documents(const std::vector<Measurements>& all);

}  // namespace tacit::launcher
