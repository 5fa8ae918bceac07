#include "launcher/data/own_part.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "gnn/train/prediction_agreement.h"
#include "launcher/data/findings.h"
#include "launcher/data/read_part.h"
#include "net/error.h"
#include "net/printable.h"

namespace tacit::launcher {

namespace fs = std::filesystem;

namespace {

void tell_ignored(const std::vector<std::string>& ignored, const std::string& file,
                  const std::function<void(const std::string&)>& note) {
  if (ignored.empty()) return;
  note(fmt::format("{}: {} arrays or columns in it are no part of a graph, and ignored; the first is \"{}\"", file,
                   ignored.size(), net::printable(ignored.front(), 60)));
}

std::string file_of(const Job& job, int rank) {
  std::string file = part_file(job, rank);
  if (is_to_be_aligned(job, file)) {
    throw ConfigError(fmt::format("{} is not there, and {}", file, kAlignFirst), "",
                      "is not aligned: run `tacit data align JOB` at every rank first");
  }
  if (!file.empty()) return file;
  throw ConfigError(fmt::format("rank {} is a party and has no data: say --data FILE, or data.files in the job", rank),
                    "", "is named nowhere");
}

}  // namespace

bool is_to_be_aligned(const Job& job, const std::string& file) {
  return job.join == Job::Join::kIntersection && !file.empty() && !fs::exists(file);
}

gnn::GraphData read_own_part(const Job& job, int rank, const std::function<void(const std::string&)>& note) {
  const std::string file = file_of(job, rank);
  std::vector<std::string> ignored;
  gnn::GraphData part = read_part(job, rank, file, &ignored);
  const Findings found = findings(part, job, rank, file);
  if (!found.wrong.empty()) {
    throw ConfigError(fmt::format("the data of rank {} do not fit the job; `tacit data check` says where", rank),
                      fmt::format("{}", fmt::join(found.wrong, "\n  ")),
                      "does not fit the job: `tacit data check` says where");
  }
  tell_ignored(ignored, file, note);
  if (const std::string newer = newer_than_aligned(job, rank); !newer.empty()) note(newer);
  return part;
}

gnn::GraphData read_prediction_part(const Job& job, int rank, const std::function<void(const std::string&)>& note) {
  const gnn::Ownership ownership = gnn::ownership_of_prediction(job.data.ownership);
  if (!gnn::takes_part(ownership, rank)) return {};
  const bool other = !job.predict_files.empty();
  const std::string file = other ? job.predict_files.of(rank) : file_of(job, rank);
  std::vector<std::string> ignored;
  gnn::GraphData part = (other ? read_other_part : read_part)(job, rank, file, &ignored);
  tell_ignored(ignored, file, note);
  return part;
}

}  // namespace tacit::launcher
