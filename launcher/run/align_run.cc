#include "launcher/run/align_run.h"

#include <fmt/format.h>

#include <memory>

#include "gnn/data/align.h"
#include "gnn/data/cleaning_mark.h"
#include "gnn/data/node_ids.h"
#include "gnn/data/part_digest.h"
#include "gnn/data/unfinished_files.h"
#include "launcher/data/contents.h"
#include "launcher/data/new_file.h"
#include "launcher/data/read_part.h"
#include "launcher/run/kept_order.h"
#include "mpc/sets/intersection.h"

namespace tacit::launcher {

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::hours kPatienceWithLists{24};  // the ranks' lists may differ much in length
constexpr std::string_view kOwnIds = "its part of the data";

// A party's part of the data, the file that it was read from, and the file to write.
struct AlignedPart {
  int rank = 0;
  std::string file, out;
  bool force = false;  // replaces `out`
  gnn::GraphData part;
};

void expect_alignable(const Job& job) {
  if (job.parties < 2) throw ConfigError("one party has all nodes: there is nothing to align");
  if (gnn::splits_nodes(job.data.ownership)) {
    throw ConfigError("the job splits nodes by rows, so that each node has one owner: there is nothing to align");
  }
  if (job.join == Job::Join::kIntersection) return;
  throw ConfigError(
      "the job does not say that nodes which only some parties have are left out: say join = \"intersection\" in its "
      "section [data], the same at every rank; training then reads the aligned parts");
}

AlignedPart read_part(const Job& job, int rank, const AlignOrder& order, const std::string& out) {
  AlignedPart aligned;
  aligned.rank = rank;
  aligned.file = job.files.of(rank);
  if (aligned.file.empty()) {
    throw ConfigError(
        fmt::format("rank {} is a party and has no data: say --data FILE, or data.files in the job", rank));
  }
  aligned.out = out.empty() ? aligned_file(aligned.file) : out;
  aligned.force = order.force;
  if (aligned.out == aligned.file) {
    throw ConfigError(
        fmt::format("{} is an aligned part already; name the file that it was made of with --data", aligned.file));
  }
  if (!out.empty()) expect_absent(out, order.force);  // may be a file of another kind
  aligned.part = read_whole(job, aligned.file);
  if (aligned.part.own_rows) {
    throw ConfigError(
        fmt::format("{}: the file has rows for some nodes only (own_rows); an alignment needs files with "
                    "rows for all their nodes",
                    aligned.file));
  }
  if (!aligned.part.graphs.empty()) {
    throw ConfigError(
        fmt::format("{}: the file has several graphs, and their nodes are not aligned: give all parties the same "
                    "graphs in one order",
                    aligned.file));
  }
  if (aligned.part.ids) return aligned;
  throw ConfigError(fmt::format("{} has no ids to find nodes by: add an array `ids` of strings, or a "
                                "column id in nodes.csv",
                                aligned.file),
                    "", "has no ids to find nodes by");
}

// Reports progress and the time to go every five seconds.
std::function<void(std::int64_t, std::int64_t)> telling(Progress& progress) {
  const auto begun = net::Clock::now();
  auto next = begun + std::chrono::seconds(5);
  return [&progress, begun, next](std::int64_t done, std::int64_t of) mutable {
    const auto now = net::Clock::now();
    if (now < next || done == 0) return;
    next = now + std::chrono::seconds(5);
    const double took = std::chrono::duration<double>(now - begun).count();
    const double left = took * static_cast<double>(of - done) / static_cast<double>(done);
    progress.note(fmt::format("common ids: {} of {} exponentiations, about {:.0f} s to go", done, of, left));
  };
}

// The content of an aligned file. No value if the file does not exist or cannot be read.
std::optional<gnn::GraphData> read_aligned(const Job& job, const std::string& file) {
  if (!fs::exists(file)) return std::nullopt;
  try {
    return read_whole(job, file);
  } catch (const ConfigError&) {
    return std::nullopt;
  }
}

// True if the aligned file has exactly these rows.
bool has_rows_of(const std::string& file, const std::optional<gnn::GraphData>& before, const gnn::GraphData& data,
                 const std::optional<gnn::CleaningMark>& mark) {
  if (!before || before->feature_names != data.feature_names) return false;
  if (gnn::part_digest(*before) != gnn::part_digest(data)) return false;
  const std::optional<gnn::CleaningMark> its = gnn::cleaning_mark_in(file);
  return its.has_value() == mark.has_value() && (!mark || its->text() == mark->text());
}

// The rows of the party's part, in the order of the aligned files if the parties keep this order, else in the order of the
// intersection.
std::vector<std::int64_t> rows_in_order(net::Mesh& mesh, const AlignedPart& own,
                                        const std::optional<gnn::GraphData>& before,
                                        const std::vector<std::string>& ids, const mpc::Intersection& common,
                                        bool& kept) {
  std::vector<std::string> shared;
  for (const std::int64_t row : common.own) shared.push_back(ids[static_cast<std::size_t>(row)]);
  AlignedBefore said;
  if (fs::exists(own.out)) {
    said = aligned_before(shared, before && before->ids ? *before->ids : std::vector<std::string>{}, own.force);
  }
  const auto order = agree_on_kept_order(mesh, std::move(said), std::ssize(common.own));
  kept = order.has_value();
  if (!order) return common.own;
  std::vector<std::int64_t> rows;
  for (const std::int64_t place : *order) rows.push_back(common.own[static_cast<std::size_t>(place)]);
  return rows;
}

Json align_over(net::Mesh& mesh, const Job& job, const AlignedPart& own, int threads, Progress& progress) {
  const std::vector<std::string> ids = gnn::normalised_ids(*own.part.ids);
  const mpc::Intersection common = mpc::intersect(mesh, ids, {threads, telling(progress)});
  if (common.own.empty()) {
    throw ConfigError(
        "no id is held by all parties: the owners should compare the kind of ids in their files, and the way they are "
        "written");
  }
  const std::optional<gnn::GraphData> before = read_aligned(job, own.out);
  bool kept = false;
  const gnn::Aligned aligned = gnn::aligned(own.part, rows_in_order(mesh, own, before, ids, common, kept));
  const bool written = about_own(kOwnIds, [&] {
    gnn::remove_unfinished_of(own.out);
    const std::optional<gnn::CleaningMark> mark = gnn::cleaning_mark_in(own.file);
    if (kept && has_rows_of(own.out, before, aligned.data, mark)) {
      std::error_code ignored;  // only a remark depends on the time
      fs::last_write_time(own.out, fs::file_time_type::clock::now(), ignored);
      return false;
    }
    gnn::write_marked_npz(own.out, aligned.data, mark);
    return true;
  });
  return {{"rank", own.rank},
          {"file", own.file},
          {"aligned", own.out},
          {"order", kept ? "kept" : "new"},
          {"written", written},
          {"nodes", aligned.data.graph_nodes()},
          {"nodes_left_out", aligned.nodes_left_out},
          {"edges_left_out", aligned.edges_left_out},
          {"nodes_by_party", common.counts},
          {"contents", contents_json(aligned.data)}};
}

std::string text_of(const Json& json) {
  const char* how = !json["written"].get<bool>() ? "; the file is aligned already, and was not changed"
                    : json["order"] == "kept"    ? "; in the order of the parties' aligned files"
                                                 : "";
  return fmt::format("rank {}: {}: {} that all {} parties have; left out: {} of {}, {}{}\n", json["rank"].get<int>(),
                     json["aligned"].get<std::string>(), several(json["nodes"].get<std::int64_t>(), "node"),
                     json["nodes_by_party"].size(), json["nodes_left_out"].get<std::int64_t>(),
                     several(json["nodes"].get<std::int64_t>() + json["nodes_left_out"].get<std::int64_t>(), "node"),
                     several(json["edges_left_out"].get<std::int64_t>(), "edge"), how);
}

Errand errand_of(const AlignOrder& order) {
  Errand errand;
  errand.name = "data align";
  errand.at_dealer = "the dealer has no nodes; the parties have finished, and sent it nothing";
  errand.patience = kPatienceWithLists;
  errand.part_of = [&order](int rank, int threads) {
    const Job& job = order.errand.job.job;
    const auto own = std::make_shared<AlignedPart>();
    const std::string file = job.files.of(rank);  // empty: read_part() refuses
    own->out = file.empty() ? "" : order.out.empty() ? aligned_file(file) : order.out;
    return Errand::Part{[&order, &job, own, rank] {
                          *own = about_own(kOwnIds, [&] { return read_part(job, rank, order, order.out); });
                        },
                        [&job, own, threads](net::Mesh& mesh, Progress& progress) {
                          Answer answer;
                          answer.json = align_over(mesh, job, *own, threads, progress);
                          answer.text = text_of(answer.json);
                          return answer;
                        },
                        [out = own->out] {
                          if (!out.empty()) gnn::remove_unfinished_of(out);
                        }};
  };
  return errand;
}

}  // namespace

Answer run_align(const AlignOrder& order, const net::GetVariable& get) {
  expect_alignable(order.errand.job.job);
  return run_errand(order.errand, errand_of(order), get);
}

Answer run_align_of_all(const AlignOrder& order, const net::GetVariable& get) {
  expect_alignable(order.errand.job.job);
  return run_errand_of_all(order.errand, errand_of(order), get);
}

}  // namespace tacit::launcher
