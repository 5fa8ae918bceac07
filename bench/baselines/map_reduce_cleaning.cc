#include "bench/baselines/map_reduce_cleaning.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <sstream>

#include "gnn/clean/cleaning.h"
#include "net/error.h"

namespace tacit::gnn {

namespace {

namespace fs = std::filesystem;

std::string content_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return std::move(text).str();
}

void write(const fs::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush()) throw ConfigError(fmt::format("{}: cannot be written", path.string()));
}

class MapReduce {
 public:
  MapReduce(const fs::path& raw, const CleaningRules& rules, const fs::path& folder, int workers)
      : file_(raw), rules_(rules), folder_(folder), workers_(workers), header_(read_header(file_, rules)) {}

  void run() {
    each([this](int worker) { count(worker); });
    CleaningStatistics all(rules_);
    for (int worker = 0; worker < workers_; ++worker) {
      const fs::path counts = folder_ / fmt::format("counts{}", worker);
      all.add(parse_statistics(content_of(counts), rules_, counts.string()));
    }
    std::int64_t lines = 0;
    for (const CountedRange& range : all.ranges) {
      lines_before_.push_back(lines);
      lines += range.lines;
    }
    lines_ = lines;
    each([this](int worker) { map(worker); });
    const PartFormat format(rules_, replacements(rules_, all), PartFormat::Kind::kCsv, 1);
    each([&](int worker) { reduce(worker, format); });
    std::ofstream whole(folder_ / "nodes.csv", std::ios::binary);
    whole << format.header();
    for (int worker = 0; worker < workers_; ++worker) whole << content_of(part(worker));
    if (!whole.flush()) throw ConfigError(fmt::format("{}: cannot be written", (folder_ / "nodes.csv").string()));
  }

 private:
  template <typename Work>
  void each(const Work& work) const {
    in_order(
        workers_, workers_,
        [&](std::int64_t worker, int) {
          work(static_cast<int>(worker));
          return true;
        },
        [](std::int64_t, bool) {});
  }

  std::int64_t begin_of(int worker) const { return file_.size() / workers_ * worker; }
  std::int64_t end_of(int worker) const { return worker + 1 == workers_ ? file_.size() : begin_of(worker + 1); }
  fs::path mapped(int mapper, int reducer) const { return folder_ / fmt::format("mapped{}_{}", mapper, reducer); }
  fs::path part(int reducer) const { return folder_ / fmt::format("reduced{}", reducer); }

  void count(int worker) const {
    Cleaning cleaning(file_, rules_, {.range = {{begin_of(worker), end_of(worker)}}});
    write(folder_ / fmt::format("counts{}", worker), text_of(cleaning.count()));
  }

  // Emits key, tabulator and record. A key is the number of a line, without empty ones. Keys are spread over the reducers by their order.
  void map(int mapper) const {
    RecordParser parser(rules_, header_.rules);
    const RowFate fate(rules_);
    std::vector<std::string> emitted(static_cast<std::size_t>(workers_));
    std::int64_t number = lines_before_[static_cast<std::size_t>(mapper)];
    for (std::int64_t from = begin_of(mapper); from < end_of(mapper); from += kCleaningPiece) {
      const Lines lines = lines_from(file_, header_.data_begin, from, std::min(from + kCleaningPiece, end_of(mapper)));
      const char* at = lines.bytes.data();
      const char* const end = at + lines.bytes.size();
      while (at < end) {
        const char* const record = at;
        const RecordParser::Verdict verdict = parser.read(at, end, false);
        if (verdict == RecordParser::Verdict::kEmptyLine) continue;
        const std::int64_t key = number++;
        if (verdict != RecordParser::Verdict::kRow || fate.drops(parser)) continue;
        const auto reducer = static_cast<std::size_t>(key * workers_ / lines_);
        fmt::format_to(std::back_inserter(emitted[reducer]), "{}\t", key);
        emitted[reducer].append(record, at);
      }
    }
    for (int reducer = 0; reducer < workers_; ++reducer) {
      write(mapped(mapper, reducer), emitted[static_cast<std::size_t>(reducer)]);
    }
  }

  void reduce(int reducer, const PartFormat& format) const {
    std::string text;
    for (int mapper = 0; mapper < workers_; ++mapper) text += content_of(mapped(mapper, reducer));
    std::vector<std::pair<std::int64_t, const char*>> records;  // by key
    for (const char* at = text.data(); at < text.data() + text.size();) {
      std::int64_t key = 0;
      at = std::from_chars(at, text.data() + text.size(), key).ptr + 1;
      records.emplace_back(key, at);
      at = std::find(at, static_cast<const char*>(text.data() + text.size()), '\n') + 1;
    }
    std::sort(records.begin(), records.end());
    RecordParser parser(rules_, header_.rules);
    const RowFate fate(rules_);
    RowBlock block = format.block();
    for (const auto& [key, record] : records) {
      const char* at = record;
      TACIT_CHECK(parser.read(at, text.data() + text.size(), false) == RecordParser::Verdict::kRow);
      format.append(parser, fate.part_of(parser, key), block);
    }
    write(part(reducer), block.sections.front());
  }

  FileSource file_;
  const CleaningRules& rules_;
  fs::path folder_;
  int workers_;
  TableHeader header_;
  std::vector<std::int64_t> lines_before_;  // the number of lines before each worker's range
  std::int64_t lines_ = 0;
};

}  // namespace

void clean_by_map_reduce(const fs::path& raw, const CleaningRules& rules, const fs::path& folder, int workers) {
  fs::create_directories(folder);
  MapReduce(raw, rules, folder, workers).run();
}

}  // namespace tacit::gnn
