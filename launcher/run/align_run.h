// `tacit data align`: private set intersection (PSI) on the nodes' ids. A party writes a copy of its part with the nodes that
// all parties have, in an order that is the same at all parties. A second alignment keeps the order, if the common nodes are the same.
#pragma once

#include "launcher/run/errand.h"

namespace tacit::launcher {

struct AlignOrder {
  ErrandOrder errand;
  std::string out;     // "": the aligned name, beside the party's file
  bool force = false;  // replaces a file with other nodes, or in another order (launcher/run/kept_order.h)
};

// The verb at one rank, or for all parties in this process; the latter does not use `out`. Throws ConfigError if the
// job or a party's file cannot be aligned, or if the parties have no common node.
Answer run_align(const AlignOrder& order, const net::GetVariable& get);
Answer run_align_of_all(const AlignOrder& order, const net::GetVariable& get);

}  // namespace tacit::launcher
