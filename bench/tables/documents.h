// The documents that Tacit answers, table by table: what each states, what was measured here, and a verdict in a sentence.
// All is computed from measurements of ours and from bench/others/, so a page never claims what its numbers do not.
#pragma once

#include <string>
#include <vector>

#include "bench/tables/measurements.h"

namespace tacit::launcher {

struct Answered {
  std::string place;    // "cloud nodes: data per epoch"
  std::string theirs;   // as the document has it, with units
  std::string ours;     // "": not measured
  std::string verdict;  // "29 to 66 x less"
  std::string bench;    // the measurements that answer it, for `tacit bench`
};

struct Document {
  std::string name;  // "A GCN in CrypTen"
  std::vector<Answered> places;
};

// Every document, also where nothing of ours is measured.
std::vector<Document> documents(const std::vector<Measurements>& all);

}  // namespace tacit::launcher
