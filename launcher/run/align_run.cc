#include "launcher/run/align_run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <thread>

#include "gnn/data/align.h"
#include "gnn/data/graph_file.h"
#include "gnn/data/graph_npz.h"
#include "gnn/data/node_ids.h"
#include "gnn/data/unfinished_files.h"
#include "launcher/data/contents.h"
#include "launcher/data/new_file.h"
#include "launcher/run/interruption.h"
#include "launcher/run/member.h"
#include "launcher/run/progress.h"
#include "launcher/run/run_failed.h"
#include "launcher/settings/threads.h"
#include "mpc/sets/intersection.h"
#include "net/memory/memory_mesh.h"

namespace tacit::launcher {

namespace {

constexpr std::chrono::hours kPatienceWithLists{24};             // the ranks' lists may differ much in length
constexpr std::chrono::milliseconds kPatienceWithTerminal{200};  // time to print the last words
constexpr std::string_view kOwnIds = "its part of the data";

// A party's part of the data, the file that it was read from, and the file to write.
struct AlignedPart {
  int rank = 0;
  std::string file, out;
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
  if (aligned.out == aligned.file) {
    throw ConfigError(
        fmt::format("{} is an aligned part already; name the file that it was made of with --data", aligned.file));
  }
  if (!out.empty()) expect_absent(out, order.force);
  aligned.part = gnn::read_graph(aligned.file, nullptr, nullptr, job.data.class_names);
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

// Removes the unfinished file of a process that was killed while writing.
void remove_unfinished_part(const std::filesystem::path& out) {
  const std::filesystem::path folder = out.has_parent_path() ? out.parent_path() : ".";
  gnn::remove_unfinished(folder, out.filename().string());
}

Json align_over(net::Mesh& mesh, const AlignedPart& own, int threads, Progress& progress) {
  const std::vector<std::string> ids = gnn::normalised_ids(*own.part.ids);
  const mpc::Intersection common = mpc::intersect(mesh, ids, {threads, telling(progress)});
  if (common.own.empty()) {
    throw ConfigError(
        "no id is held by all parties: the owners should compare the kind of ids in their files, and the way they are "
        "written");
  }
  const gnn::Aligned aligned = gnn::aligned(own.part, common.own);
  about_own(kOwnIds, [&] {
    remove_unfinished_part(own.out);
    gnn::write_graph_npz(own.out, aligned.data);
  });
  return {{"rank", own.rank},
          {"file", own.file},
          {"aligned", own.out},
          {"nodes", aligned.data.nodes},
          {"nodes_left_out", aligned.nodes_left_out},
          {"edges_left_out", aligned.edges_left_out},
          {"nodes_by_party", common.counts},
          {"contents", contents_json(aligned.data)}};
}

std::string text_of(const Json& json) {
  return fmt::format("rank {}: {}: {} that all {} parties have; left out: {} of {}, {}\n", json["rank"].get<int>(),
                     json["aligned"].get<std::string>(), several(json["nodes"].get<std::int64_t>(), "node"),
                     json["nodes_by_party"].size(), json["nodes_left_out"].get<std::int64_t>(),
                     several(json["nodes"].get<std::int64_t>() + json["nodes_left_out"].get<std::int64_t>(), "node"),
                     several(json["edges_left_out"].get<std::int64_t>(), "edge"));
}

// "": a dealer has none, and a party without data cannot take part.
std::string file_to_write(const Job& job, const Member& member, const AlignOrder& order) {
  const std::string file = member.is_party() ? job.files.of(member.rank()) : "";
  return file.empty() ? "" : order.out.empty() ? aligned_file(file) : order.out;
}

std::string words_of(const std::exception& error) {
  const auto* ours = dynamic_cast<const Error*>(&error);
  if (ours == nullptr) return "it ended with an error; see its own log";
  return ours->told().empty() ? ours->what() : ours->told();
}

// The work of one rank. `own` gets the rank's part of the data as soon as it is read.
Answer align_as(const Member& member, const AlignOrder& order, int threads, std::optional<AlignedPart>& own,
                Progress& progress, Interruption& interruption) {
  const Job& job = order.job.job;
  std::exception_ptr refusal;
  std::string why;
  try {
    if (member.is_party()) {
      own = about_own(kOwnIds, [&] { return read_part(job, member.rank(), order, order.out); });
    }
  } catch (const Error& error) {  // the other ranks wait for this one
    refusal = std::current_exception();
    why = words_of(error);
  }
  net::RendezvousOptions options;
  options.deadline = order.deadline;
  options.log = [&, own = fmt::format("rank {} ", member.rank())](const std::string& line) {
    progress.note(line.starts_with(own) ? line.substr(own.size()) : line);  // note() adds this prefix
  };
  options.objection = [&]() -> std::exception_ptr {
    if (const int signal = interruption.signal(); signal != 0) {
      return std::make_exception_ptr(NetError(interrupted(member.rank(), signal), member.rank()));
    }
    if (!refusal) return nullptr;
    return std::make_exception_ptr(ConfigError(fmt::format("rank {} cannot take part: {}", member.rank(), why)));
  };
  std::unique_ptr<net::Mesh> mesh;
  try {
    mesh = join(member, job, "data align", std::nullopt, options, {.patience = kPatienceWithLists});
  } catch (const Error&) {
    if (refusal) std::rethrow_exception(refusal);
    throw;
  }
  interruption.tell([&] { mesh->abort(Exit::kNet, interrupted(member.rank(), interruption.signal()), -1); });
  try {
    if (refusal) std::rethrow_exception(refusal);
    Answer answer;
    if (own) {
      progress.follow(mesh.get());
      answer.json = align_over(*mesh, *own, threads, progress);
      answer.text = text_of(answer.json);
      progress.follow(nullptr);
    } else {
      answer.json = {{"rank", member.rank()}, {"role", "dealer"}};
      answer.text = "the dealer has no nodes; the parties have finished, and sent it nothing\n";
    }
    mesh->close();
    interruption.tell({});
    return answer;
  } catch (const std::exception& error) {
    interruption.tell({});
    progress.follow(nullptr);
    mesh->abort(exit_of(error), words_of(error), -1);
    throw;
  }
}

}  // namespace

Answer run_align(const AlignOrder& order, const net::GetVariable& get) {
  const Job& job = order.job.job;
  expect_alignable(job);
  const Member member = find_member(order.job, order.seat, get);
  const int threads = find_threads(order.threads, get, member.ranks_here()).value;
  Console console(STDERR_FILENO);
  Progress progress(member.rank(), progress_style(order.quiet), console);
  std::optional<AlignedPart> own;
  const std::string out = file_to_write(job, member, order);
  Interruption interruption([&](int signal) {  // during the reading or writing of the part
    if (!out.empty()) remove_unfinished_part(out);
    progress.leave_with("tacit: " + interrupted(member.rank(), signal), kPatienceWithTerminal);
  });
  try {
    return align_as(member, order, threads, own, progress, interruption);
  } catch (const Error& error) {
    const int signal = interruption.signal();
    if (signal == 0 || error.exit() != Exit::kNet) throw;
    throw RunFailed(Interruption::exit_code(signal), interrupted(member.rank(), signal), "", interruption.held_back());
  }
}

Answer run_align_of_all(const AlignOrder& order, const net::GetVariable& get) {
  const Job& job = order.job.job;
  expect_alignable(job);
  const int parties = static_cast<int>(job.parties);
  std::vector<AlignedPart> parts;
  for (int rank = 0; rank < parties; ++rank) parts.push_back(read_part(job, rank, order, ""));
  std::vector<std::unique_ptr<net::Mesh>> meshes = net::memory_mesh(parties, 0, {.patience = kPatienceWithLists});
  std::vector<Json> told_by(parts.size());
  std::vector<std::exception_ptr> errors(parts.size());
  std::vector<std::thread> threads;
  const int each = find_threads(order.threads, get, parties).value;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    threads.emplace_back([&, i] {
      Console console(STDERR_FILENO);
      Progress progress(static_cast<int>(i), progress_style(order.quiet || i > 0), console);
      try {
        told_by[i] = align_over(*meshes[i], parts[i], each, progress);
        meshes[i]->close();
      } catch (const std::exception& error) {
        errors[i] = std::current_exception();
        meshes[i]->abort(exit_of(error), words_of(error), -1);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
  Answer answer;
  for (const Json& json : told_by) answer.text += text_of(json);
  answer.json = {{"parts", told_by}};
  return answer;
}

}  // namespace tacit::launcher
