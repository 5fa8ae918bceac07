#include "launcher/commands/verb.h"

namespace tacit::launcher {

void add_data(CLI::App& tacit, Choice& choice) {
  CLI::App* data = add_group(tacit, "data", "graph files: make, clean, split between parties, check, show",
                             "tacit data make sensors --out whole.npz");
  add_data_make(*data, choice);
  add_data_split(*data, choice);
  add_data_clean(*data, choice);
  add_data_merge_statistics(*data, choice);
  add_data_sum_statistics(*data, choice);
  add_data_check(*data, choice);
  add_data_align(*data, choice);
  add_data_show(*data, choice);
}

}  // namespace tacit::launcher
