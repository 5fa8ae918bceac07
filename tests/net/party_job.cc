#include "tests/net/party_job.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

namespace tacit::net {
namespace {

// One line of `text` that contains all phrases.
bool has_line_with(const std::string& text, std::initializer_list<std::string_view> phrases) {
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    if (std::all_of(phrases.begin(), phrases.end(),
                    [line](std::string_view phrase) { return line.find(phrase) != std::string_view::npos; })) {
      return true;
    }
    begin = end + 1;
  }
  return false;
}

}  // namespace

Job::Job(int parties, int helpers) : ensemble_(parties, helpers) {
  for (int rank = 0; rank < size(); ++rank) ensemble_.identities[static_cast<std::size_t>(rank)].save(key(rank));
  std::ofstream(roster()) << ensemble_.roster.text();
}

Job::Job(const Hosts& hosts, int parties, int helpers) : Job(parties, helpers) { hosts_ = &hosts; }

std::string Job::key(int rank) const { return folder_.path() / fmt::format("rank{}.key", rank); }
std::string Job::roster() const { return folder_.path() / "roster"; }

Command Job::command(int rank, const std::vector<std::string>& flags) const {
  return command_of(TACIT_MESH_PARTY, rank, flags);
}

Command Job::command_of(const std::string& program, int rank, const std::vector<std::string>& flags) const {
  Command command;
  command.arguments = {program, "--key", key(rank), "--roster", roster()};
  for (const char* word : {"--deadline", "20000", "--heartbeat", "200"}) command.arguments.emplace_back(word);
  command.arguments.insert(command.arguments.end(), {"--silence", std::to_string(kSilence.count())});
  command.arguments.insert(command.arguments.end(), flags.begin(), flags.end());
  command.environment = {{"RANK", std::to_string(rank)},
                         {"WORLD_SIZE", std::to_string(size())},
                         {"MASTER_ADDR", hosts_ != nullptr ? hosts_->address(0) : "127.0.0.1"},
                         {"MASTER_PORT", std::to_string(port())}};
  if (hosts_ != nullptr) command.network = hosts_->network(rank);
  return command;
}

std::vector<Process> Job::start_all(const std::vector<std::string>& flags) const {
  std::vector<Process> processes;
  for (int rank = 0; rank < size(); ++rank) processes.push_back(start(rank, flags));
  return processes;
}

void expect_standing(std::vector<Process>& processes) {
  for (Process& process : processes) {
    ASSERT_TRUE(process.prints("standing", kSoon)) << process.wait(std::chrono::seconds(0));
  }
}

void expect_success(Process& process) {
  const Ended ended = process.wait(kSoon);
  EXPECT_EQ(ended.exit_code, static_cast<int>(Exit::kOk)) << ended;
}

void expect_failure(Process& process, Exit exit, std::initializer_list<std::string_view> phrases,
                    std::chrono::milliseconds within) {
  const Ended ended = process.wait(within);
  EXPECT_FALSE(ended.overdue) << "still running after " << within.count() << " ms";
  EXPECT_EQ(ended.exit_code, static_cast<int>(exit)) << ended;
  EXPECT_TRUE(has_line_with(ended.err, phrases))
      << "no line with all of \"" << fmt::format("{}", fmt::join(phrases, "\", \"")) << "\"\n"
      << ended;
}

}  // namespace tacit::net
