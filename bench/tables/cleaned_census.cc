#include "bench/tables/cleaned_census.h"

#include <filesystem>

#include "gnn/clean/cleaning.h"
#include "gnn/data/atomic_file.h"
#include "gnn/data/graph_npz.h"
#include "launcher/data/cleaning_rules.h"
#include "launcher/settings/threads.h"

namespace tacit::launcher {

gnn::GraphData cleaned_census(const gnn::CensusOptions& records, const ScratchFolder& folder) {
  const std::filesystem::path raw = folder.path() / "raw.csv", rules = folder.path() / "rules.toml",
                              cleaned = folder.path() / "cleaned.npz";
  {
    gnn::AtomicFile file(raw);
    gnn::make_census(records, [&](std::string_view text) { file.write(std::as_bytes(std::span(text))); });
    file.commit();
  }
  {
    const std::string text = gnn::census_rules();
    gnn::AtomicFile file(rules);
    file.write(std::as_bytes(std::span(text)));
    file.commit();
  }
  constexpr int kMostUseful = 16;
  const gnn::FileSource file(raw);
  gnn::Cleaning cleaning(file, load_cleaning_rules(rules), {.threads = std::min(usable_cores(), kMostUseful)});
  cleaning.write(cleaned, gnn::PartFormat::Kind::kNpz, cleaning.count());
  return gnn::read_graph_npz(gnn::Npz(cleaned));
}

}  // namespace tacit::launcher
