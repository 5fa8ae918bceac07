#include "bench/tables/preprocessing.h"

#include <fmt/format.h>

#include <chrono>
#include <deque>
#include <filesystem>
#include <functional>

#include "bench/baselines/map_reduce_cleaning.h"
#include "bench/data/census.h"
#include "gnn/clean/cleaning.h"
#include "launcher/data/cleaning_rules.h"
#include "launcher/launch/local.h"
#include "launcher/processes/scratch_folder.h"
#include "launcher/processes/watch.h"
#include "launcher/run/run_failed.h"
#include "mpc/sealed/storage_key.h"
#include "net/error.h"

namespace tacit::launcher {

namespace {

namespace fs = std::filesystem;

constexpr const char* kPython = "/usr/bin/python3";

bool runs_well(const std::vector<std::string>& words, Console& console) {
  Command command;
  command.arguments = words;
  EndSignals signals;
  std::deque<std::string> last;
  Watch watch(signals, console, [&](int, std::string_view line) {
    constexpr std::size_t kMost = 20;
    last.emplace_back(line);
    if (last.size() > kMost) last.pop_front();
  });
  watch.start(command);
  const Watch::Outcome outcome = watch.run();
  if (outcome.interrupted != 0) throw RunFailed(128 + outcome.interrupted, "interrupted", "");
  return outcome.well();
}

mpc::Digest digest_of_file(const fs::path& path) {
  const gnn::FileSource file(path);
  std::vector<std::byte> bytes(static_cast<std::size_t>(file.size()));
  file.read(0, bytes);
  return mpc::digest_of(bytes);
}

void write_file(const fs::path& path, const std::function<void(const std::function<void(std::string_view)>&)>& fill) {
  gnn::AtomicFile file(path);
  fill([&file](std::string_view text) { file.write(std::as_bytes(std::span(text))); });
  file.commit();
}

// One table of records, and all ways to clean it.
class CleaningTrial {
 public:
  CleaningTrial(const PreprocessingOptions& options, const fs::path& folder, int percent, Table& table,
                Console& console)
      : options_(options), folder_(folder), percent_(percent), table_(table), console_(console) {
    const std::int64_t records = std::max<std::int64_t>(1, options.records * percent / 100);
    write_file(raw(), [&](const auto& sink) { gnn::make_census({records, 1}, sink); });
    // Modes are counted in the data, so that the first pass matters.
    std::string text = gnn::census_rules();
    for (const std::string constant : {"constant = 0", "constant = 1"}) {
      for (std::size_t at = 0; (at = text.find(constant)) != std::string::npos;) {
        text.replace(at, constant.size(), "impute = \"mode\"");
      }
    }
    write_file(rules_file(), [&](const auto& sink) { sink(text); });
    rules_ = load_cleaning_rules(rules_file());
  }

  void in_threads(const std::string& way, int threads) {
    measure(way, threads, [&] {
      const gnn::FileSource file(raw());
      gnn::Cleaning cleaning(file, rules_, {.threads = threads});
      const gnn::CleaningStatistics counted = cleaning.count();
      cleaning.write(folder_ / "nodes.csv", gnn::PartFormat::Kind::kCsv, counted);
    });
  }

  void by_map_reduce(int workers) {
    measure("map, sort, reduce through files", workers,
            [&] { gnn::clean_by_map_reduce(raw(), rules_, folder_, workers); });
  }

  void with_dask(const std::string& script, const std::string& program, int workers) {
    measure("Dask, with the start of its processes", workers, [&] {
      const std::vector<std::string> words = {kPython,
                                              script,
                                              raw(),
                                              rules_file(),
                                              folder_,
                                              "--ranges",
                                              std::to_string(workers * 2),
                                              "--workers",
                                              std::to_string(workers),
                                              "--tacit",
                                              program};
      if (!runs_well(words, console_)) throw RunFailed(static_cast<int>(Exit::kBug), script + " failed", "");
    });
  }

 private:
  std::string raw() const { return folder_ / fmt::format("raw{}.csv", percent_); }
  std::string rules_file() const { return folder_ / fmt::format("rules{}.toml", percent_); }

  template <typename Clean>
  void measure(const std::string& way, int cores, const Clean& clean) {
    console_.say(fmt::format("preprocessing: {} % of the records, {}, {}", percent_, way, cores));
    console_.flush(std::chrono::seconds(1));
    Row& row = table_.add({{"records", fmt::format("{} %", percent_)}, {"way", way}, {"cores", std::to_string(cores)}});
    for (int repeat = 0; repeat < options_.repeats; ++repeat) {
      const fs::path cleaned = folder_ / "nodes.csv";
      fs::remove(cleaned);
      const auto begin = std::chrono::steady_clock::now();
      clean();
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
      row.figure("time", "s").add(took.count());
      const mpc::Digest digest = digest_of_file(cleaned);
      if (!first_) first_ = digest;
      if (digest != *first_)
        throw RunFailed(static_cast<int>(Exit::kBug), way + " wrote other rows than the others", "");
    }
  }

  const PreprocessingOptions& options_;
  fs::path folder_;
  int percent_;
  Table& table_;
  Console& console_;
  gnn::CleaningRules rules_;
  std::optional<mpc::Digest> first_;
};

}  // namespace

Measurements measure_preprocessing(const PreprocessingOptions& options, const std::string& command, Console& console) {
  const ScratchFolder folder("tacit-bench");
  Measurements made("preprocessing", command);
  Table& table = made.table("preprocessing", fmt::format("A raw table of {} records in 12 columns is cleaned: rows are "
                                                         "dropped, modes imputed. All ways write equal bytes.",
                                                         options.records));
  const fs::path own = own_program();
  const std::string program = options.program.empty() ? own.string() : options.program;
  const fs::path beside = own.parent_path().parent_path().parent_path().parent_path() / "tools/data/clean_with_dask.py";
  const std::string script = options.dask.empty() ? beside.string() : options.dask;
  const bool dask = fs::exists(script) && runs_well({kPython, "-c", "import distributed"}, console);
  if (!dask) made.note("Dask was not measured: python3-distributed or tools/data/clean_with_dask.py is missing.");
  for (const int percent : options.percents) {
    CleaningTrial trial(options, folder.path(), percent, table, console);
    trial.in_threads("sequential", 1);
    for (const int cores : options.cores) {
      if (cores > 1) trial.in_threads("threads", cores);
    }
    for (const int cores : options.cores) trial.by_map_reduce(cores);
    for (const int cores : options.cores) {
      if (dask) trial.with_dask(script, program, cores);
    }
  }
  made.note("Times include reading the table and writing the rows to the disk. More threads than cores gain nothing.");
  return made;
}

}  // namespace tacit::launcher
