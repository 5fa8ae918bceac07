#include "gnn/privacy/privacy_ledger.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <system_error>

#include "gnn/privacy/ledger_lines.h"
#include "net/private_folder.h"
#include "net/write_remedy.h"

namespace tacit::gnn {

namespace {

namespace fs = std::filesystem;

constexpr int kOpen = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;

// Not negative, even if the clock says so: the file has no place for that.
std::int64_t seconds_now() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return std::max<std::int64_t>(std::chrono::duration_cast<std::chrono::seconds>(since).count(), 0);
}

std::string hex(const std::array<std::byte, 32>& bytes) { return fmt::format("{:02x}", fmt::join(bytes, "")); }

[[noreturn]] void cannot(const fs::path& path, std::string_view what, int error) {
  if (error == ELOOP) {
    throw ConfigError(fmt::format("the privacy ledger {} is a symbolic link; name the file itself", path.string()), "",
                      "is a symbolic link");
  }
  // Another place would be a new ledger, with nothing spent and without a budget.
  const std::string why = fmt::format("cannot be {}: {}", what, std::system_category().message(error));
  throw ConfigError(fmt::format("the privacy ledger {} {}; {}", path.string(), why, net::remedy_in_place(error)), "",
                    why);
}

fs::path folder_of(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : fs::path("."); }

void write_whole(const net::Descriptor& file, std::string_view text, std::int64_t at, const fs::path& path) {
  const ssize_t written = ::pwrite(file.get(), text.data(), text.size(), static_cast<off_t>(at));
  if (written != std::ssize(text)) cannot(path, "written", written < 0 ? errno : ENOSPC);
  if (::fsync(file.get()) != 0) cannot(path, "written", errno);
}

// A file with the first line appears under its name as a whole, or not at all.
void make_ledger(const fs::path& path) {
  const fs::path folder = folder_of(path);
  if (!fs::exists(fs::symlink_status(folder))) {
    net::make_private_folder(folder, "folder of the privacy ledger", "name another ledger");
  }
  std::string temporary = (folder / fmt::format(".{}.XXXXXX", path.filename().string())).string();
  const net::Descriptor file(::mkostemp(temporary.data(), O_CLOEXEC));
  if (!file) cannot(path, "made", errno);
  try {
    write_whole(file, kLedgerHead, 0, path);
    if (::link(temporary.c_str(), path.c_str()) != 0 && errno != EEXIST) cannot(path, "made", errno);
  } catch (...) {
    ::unlink(temporary.c_str());
    throw;
  }
  ::unlink(temporary.c_str());
  const net::Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened || ::fsync(opened.get()) != 0) cannot(path, "made", errno);
}

std::string text_of(const net::Descriptor& file, const fs::path& path) {
  struct stat about {};
  if (::fstat(file.get(), &about) != 0) cannot(path, "read", errno);
  if (!S_ISREG(about.st_mode)) {
    throw ConfigError(fmt::format("{} is not a regular file, so it is no privacy ledger; name another", path.string()),
                      "", "has no privacy ledger at the name in the job");
  }
  if (about.st_size > kMostLedgerBytes) {
    throw ConfigError(
        fmt::format("{} has {} bytes; a privacy ledger has at most {}", path.string(), about.st_size, kMostLedgerBytes),
        "", "is too long");
  }
  std::string text(static_cast<std::size_t>(about.st_size), '\0');
  for (std::size_t got = 0; got < text.size();) {
    const ssize_t n = ::pread(file.get(), text.data() + got, text.size() - got, static_cast<off_t>(got));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) cannot(path, "read", errno);
    if (n == 0) text.resize(got);
    got += static_cast<std::size_t>(n);
  }
  return text;
}

}  // namespace

mpc::Digest digest_of_table(std::string_view print) { return mpc::digest_of(std::as_bytes(std::span(print))); }

PrivacyLedger::PrivacyLedger(fs::path path, std::string owner) : path_(std::move(path)), owner_(std::move(owner)) {
  file_ = net::Descriptor(::open(path_.c_str(), O_RDWR | kOpen));
  if (!file_ && errno == ENOENT) {
    make_ledger(path_);
    is_new_ = true;
    file_ = net::Descriptor(::open(path_.c_str(), O_RDWR | kOpen));
  }
  if (!file_) cannot(path_, "opened", errno);
  if (::flock(file_.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) cannot(path_, "locked", errno);
    throw ConfigError(
        fmt::format("another process uses the privacy ledger {}: a job runs on these data; wait for its end",
                    path_.string()),
        "", "has data on which another job runs");
  }
  const std::string text = text_of(file_, path_);
  LedgerReading reading = parse_ledger(text, path_.string());
  content_ = std::move(reading.content);
  size_ = reading.whole;
  hash_ = std::move(reading.hash);
  if (reading.incomplete == 0) return;
  recover(reading.incomplete, reading.assumed_step);
}

// Overwrites the incomplete line and then cuts off its rest, so a second crash leaves an incomplete line again.
void PrivacyLedger::recover(std::int64_t bytes, std::optional<std::int64_t> step) {
  const std::string text = recovered_text(seconds_now(), bytes, step), line = ledger_line(hash_, text);
  write_whole(file_, line, size_, path_);
  size_ += std::ssize(line);
  if (::ftruncate(file_.get(), static_cast<off_t>(size_)) != 0 || ::fsync(file_.get()) != 0)
    cannot(path_, "written", errno);
  hash_ = ledger_hash(hash_, text);
  recovered_ = bytes;
}

LedgerContent PrivacyLedger::read(const fs::path& path) {
  const net::Descriptor file(::open(path.c_str(), O_RDONLY | kOpen));
  if (!file) cannot(path, "read", errno);
  return parse_ledger(text_of(file, path), path.string()).content;
}

// After a failure it is unknown whether the line is on the disk. The file is closed, so no later line can follow it.
void PrivacyLedger::append(const std::string& text) {
  TACIT_CHECK(file_);
  const std::string line = ledger_line(hash_, text);
  TACIT_CHECK(line.size() <= kMostLedgerLine);
  struct stat about {
  }, named{};
  if (::fstat(file_.get(), &about) != 0) cannot(path_, "written", errno);
  const bool is_there =
      ::lstat(path_.c_str(), &named) == 0 && named.st_ino == about.st_ino && named.st_dev == about.st_dev;
  if (!is_there || about.st_size != size_) {
    throw ConfigError(
        fmt::format("somebody changed, moved or removed the privacy ledger {} while this job uses it: bring it back",
                    path_.string()),
        "", "was changed during the job");
  }
  if (size_ + std::ssize(line) > kMostLedgerBytes) {
    throw ConfigError(fmt::format("the privacy ledger {} is full ({} bytes); begin another one with the rest of the "
                                  "budget",
                                  path_.string(), kMostLedgerBytes),
                      "", "is full");
  }
  try {
    write_whole(file_, line, size_, path_);
  } catch (...) {
    static_cast<void>(!::ftruncate(file_.get(), static_cast<off_t>(size_)));
    file_.reset();
    throw;
  }
  size_ += std::ssize(line);
  hash_ = ledger_hash(hash_, text);
}

void PrivacyLedger::allow(const Budget& budget) {
  check_delta(budget.delta);
  if (!(budget.epsilon >= 0 && budget.epsilon <= 1e6)) {
    throw ConfigError(fmt::format("a budget of epsilon {:g}: expected a number from 0 to 1000000", budget.epsilon));
  }
  append(allowed_text(seconds_now(), budget));
  content_.allowed = budget;
}

// The table that data were made from, as the ledger has it.
std::string PrivacyLedger::table_of(const CleaningMark& cleaning) const {
  const LedgerSession* statistics = content_.find(cleaning.session);
  if (!cleaning.session.empty() && statistics == nullptr) {
    throw ConfigError(
        fmt::format(
            "the data were cleaned by statistics with noise, and the privacy ledger {} does not list the epsilon "
            "that these spent (session {}): name the ledger of `tacit data sum-statistics`",
            path_.string(), cleaning.session.substr(0, 8)),
        "", "does not list the statistics by which its data were cleaned");
  }
  if (!cleaning.table.empty()) return hex(mpc::digest_of(digest_of_table(cleaning.table)));
  return statistics == nullptr ? "" : statistics->data;
}

LedgerSession PrivacyLedger::session_of(const SessionStart& start, const PrivacyPlan& plan) const {
  check_plan(plan);
  LedgerSession session;
  session.id = hex(start.session);
  session.job = hex(start.job);
  session.data = hex(mpc::digest_of(start.data));
  if (start.cleaning) session.table = table_of(*start.cleaning);
  session.began = seconds_now();
  session.plan = plan;
  if (!start.from) return session;
  const std::string from = hex(start.from->session);
  for (std::size_t i = 0; i < content_.sessions.size(); ++i) {
    if (content_.sessions[i].id == from) session.from = i;
  }
  session.from_step = start.from->step;
  if (!session.from) {
    throw ConfigError(
        fmt::format(
            "the checkpoint comes from a session that the privacy ledger {} does not list: it is an "
            "older copy, or another ledger. Bring the right one back: no other lists the epsilon of that session",
            path_.string()),
        "", "does not know the checkpoint");
  }
  const LedgerSession& before = content_.sessions[*session.from];
  TACIT_CHECK(session.from_step >= before.from_step && session.from_step <= std::min(before.plan.steps, plan.steps));
  return session;
}

// A session that did not end left its reservation open. The same job may continue it, or start afresh.
bool PrivacyLedger::continues_open(const LedgerSession& next) const {
  return next.from && content_.first_of_job(*next.from) == content_.first_of_job(*content_.open);
}

void PrivacyLedger::expect_no_other_job(const LedgerSession& next) const {
  if (!content_.open || continues_open(next)) return;
  const LedgerSession& open = content_.sessions[*content_.open];
  if (open.job == next.job) return;
  throw ConfigError(
      fmt::format(
          "the privacy ledger {} has the reservation of another job, {}, which began at {:%Y-%m-%d %H:%M} UTC and "
          "has not ended: resume that job, or end it with `tacit privacy end {}`",
          path_.string(), open.job.substr(0, 8), fmt::gmtime(static_cast<std::time_t>(open.began)), path_.string()),
      "", "has data on which another job has not ended");
}

Charge PrivacyLedger::reserve(const SessionStart& start, const PrivacyPlan& plan) {
  LedgerSession next = session_of(start, plan);
  if (!content_.is_of(next)) {
    throw ConfigError(
        fmt::format("the privacy ledger {} belongs to other data. Name another ledger for these data; if they "
                    "share rows with the other data, a row's privacy was spent in both",
                    path_.string()),
        "", "is of other data");
  }
  if (!content_.sessions.empty() && content_.sessions.front().plan.unit != plan.unit) {
    throw ConfigError(
        fmt::format("the privacy ledger {} counts the privacy of one {}, and this job has the unit {}: their "
                    "epsilons do not add up; name another ledger for this unit",
                    path_.string(), content_.sessions.front().plan.unit, plan.unit),
        "", "is of another unit");
  }
  if (content_.find(next.id) != nullptr || content_.sessions.size() == kMostLedgerSessions) {
    throw ConfigError(
        fmt::format("the privacy ledger {} takes no further session: it lists this one already, or {} others",
                    path_.string(), kMostLedgerSessions),
        "", "takes no further session");
  }
  expect_no_other_job(next);
  const Charge charge = charge_within_budget(content_, next, owner_);
  if (content_.open && !continues_open(next)) ended();
  content_.add_data_of(next);
  append(session_text(content_, next));
  content_.open = content_.sessions.size();
  content_.sessions.push_back(std::move(next));
  return charge;
}

void PrivacyLedger::revealed(std::string_view what, std::string_view to, std::int64_t step) {
  TACIT_CHECK(content_.open && is_ledger_text(what) && is_ledger_text(to));
  LedgerSession& session = content_.sessions[*content_.open];
  TACIT_CHECK(step >= session.from_step && step <= session.plan.steps);
  for (const LedgerReveal& one : session.reveals) {
    if (one.what == what && one.to == to && one.step >= step) return;
  }
  LedgerReveal reveal = {std::string(what), std::string(to), step};
  append(revealed_text(seconds_now(), reveal));
  session.reveals.push_back(std::move(reveal));
}

void PrivacyLedger::ended() {
  TACIT_CHECK(content_.open);
  append(ended_text(seconds_now()));
  content_.open.reset();
}

}  // namespace tacit::gnn
