#include <fmt/format.h>

#include "gnn/clean/statistics.h"
#include "gnn/data/atomic_file.h"
#include "launcher/commands/verb.h"
#include "launcher/data/new_file.h"
#include "launcher/text_file.h"
#include "net/error.h"

namespace tacit::launcher {

namespace {

struct MergeOptions {
  std::vector<std::string> files;
  std::string out;
  bool force = false;
};

gnn::CleaningStatistics load_statistics(const std::string& file) {
  return gnn::parse_statistics(read_text_file(file, gnn::kMostStatisticsBytes, "statistics"), file);
}

Answer merge_statistics(const MergeOptions& options) {
  expect_absent(options.out, options.force);
  gnn::CleaningStatistics sum = load_statistics(options.files.front());
  for (auto file = options.files.begin() + 1; file != options.files.end(); ++file) {
    try {
      sum.add(load_statistics(*file));
    } catch (const ConfigError& error) {
      throw ConfigError(fmt::format("{} and {}: {}", options.files.front(), *file, error.what()));
    }
  }
  const std::string text = text_of(sum);
  gnn::AtomicFile out(options.out);
  out.write(std::as_bytes(std::span(text)));
  out.commit();
  Answer answer;
  answer.text = fmt::format("{}: {} rows in {} bytes, {} kept, from {} files\n", options.out, sum.rows, sum.bytes,
                            sum.kept, options.files.size());
  answer.json = {{"file", options.out}, {"rows", sum.rows}, {"bytes", sum.bytes}, {"kept", sum.kept}};
  return answer;
}

}  // namespace

void add_data_merge_statistics(CLI::App& data, Choice& choice) {
  const auto options = std::make_shared<MergeOptions>();
  CLI::App* verb = add_verb(data, choice, "merge-statistics",
                            "add up the counts that `tacit data clean --range --statistics` made of ranges of a file",
                            "tacit data merge-statistics counts0 counts1 --out counts",
                            [options] { return merge_statistics(*options); });
  verb->add_option("FILE", options->files, "statistics of each range")->required();
  verb->add_option("--out", options->out, "the file to write")->required();
  verb->add_flag("--force", options->force, kForceHelp);
}

}  // namespace tacit::launcher
