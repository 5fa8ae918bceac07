#include "launcher/doctor/machine.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/timex.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <ctime>

#include "launcher/settings/threads.h"
#include "launcher/unit_text.h"
#include "mpc/kernels/cpu.h"

namespace tacit::launcher {

namespace {

namespace fs = std::filesystem;
using Kind = Finding::Kind;

Finding examine_aes() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("aes") != 0) return {Kind::kOk, "AES", "in hardware"};
#endif
  return {Kind::kNote, "AES",
          "in software: masks and TLS take several times longer; a machine with AES instructions helps"};
}

Finding examine_open_files(int ranks) {
  constexpr rlim_t kOthers = 64;
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  const rlim_t needed = static_cast<rlim_t>(ranks) + kOthers;
  if (limit.rlim_cur >= needed) return {Kind::kOk, "open files", fmt::format("{} may be open", limit.rlim_cur)};
  return {Kind::kWrong, "open files",
          fmt::format("{} may be open, and {} ranks need {}: raise it with `ulimit -n {}`", limit.rlim_cur, ranks,
                      needed, needed)};
}

Finding examine_clock() {
  const std::string now = fmt::format("{:%Y-%m-%d %H:%M:%S} UTC", fmt::gmtime(std::time(nullptr)));
  timex state{};
  const bool set = ::adjtimex(&state) >= 0 && (state.status & STA_UNSYNC) == 0;
  return {Kind::kOk, "clock", now + (set ? ", set by NTP" : "; the system does not know that NTP sets it")};
}

}  // namespace

std::string machine_in_words() {
  return fmt::format("{} cores, {}", usable_cores(), mpc::name(mpc::best_instructions()));
}

std::vector<Finding> examine_machine(int ranks) {
  return {{Kind::kOk, "processor", machine_in_words()}, examine_aes(), examine_open_files(ranks), examine_clock()};
}

Finding examine_memory(const std::optional<NeededMemory>& need, std::string_view remedy) {
  const MemoryAtHand have = memory_at_hand();
  if (have.bytes < 0) return {Kind::kNote, "memory", "the system does not say how much is free"};
  const auto text = [](std::int64_t bytes) { return bytes_text(static_cast<double>(bytes)); };
  const std::string at_hand = fmt::format("{} leaves {}", have.limit, text(have.bytes));
  if (!need) return {Kind::kNote, "memory", at_hand + "; `tacit plan` states the job's need"};
  const std::string lack = lack_of_memory(*need, have, remedy);
  if (!lack.empty()) return {Kind::kWrong, "memory", lack};
  return {Kind::kOk, "memory",
          fmt::format("{}; the job needs about {} here{}", at_hand, text(need->here),
                      need->ranks > 1 ? fmt::format(" for its {} ranks", need->ranks) : "")};
}

Finding examine_folder(const fs::path& folder) {
  // The nearest existing ancestor, in which the missing folders would be made.
  fs::path there = fs::absolute(folder);
  std::error_code error;
  std::size_t longest = 0;  // bytes of a name that is not there yet
  while (!fs::exists(there, error) && there.has_relative_path()) {
    longest = std::max(longest, there.filename().native().size());
    there = there.parent_path();
  }
  if (!fs::is_directory(there, error)) {
    return {Kind::kWrong, "output", fmt::format("{} is no folder: choose another with --output", there.string())};
  }
  if (longest > NAME_MAX) {
    return {Kind::kWrong, "output",
            fmt::format("a name of {} bytes is too long for a folder, which may have {}: choose another with --output",
                        longest, NAME_MAX)};
  }
  std::string name = (there / ".tacit-doctor-XXXXXX").string();
  const int file = ::mkstemp(name.data());
  if (file < 0) {
    return {Kind::kWrong, "output",
            fmt::format("{} cannot be written ({}): choose another with --output", there.string(),
                        std::generic_category().message(errno))};
  }
  ::close(file);
  ::unlink(name.c_str());
  constexpr double kLittle = 1e9;
  const auto free = static_cast<double>(fs::space(there, error).available);
  const std::string text = fmt::format("{} can be written, {} free", folder.string(), bytes_text(free));
  return {free < kLittle ? Kind::kNote : Kind::kOk, "output", text};
}

}  // namespace tacit::launcher
