#include "gnn/checkpoint/reveal_ledger.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <random>
#include <system_error>

#include "gnn/checkpoint/reveal_lines.h"
#include "gnn/data/atomic_file.h"
#include "net/write_remedy.h"

namespace tacit::gnn {

namespace {

constexpr std::int64_t kMostAccountBytes = 16 << 20;
constexpr std::int64_t kLongFile = 1 << 20;  // a longer file is written anew

template <typename Combine>
std::vector<mpc::Reveal> combined(std::vector<mpc::Reveal> a, const std::vector<mpc::Reveal>& b, Combine combine) {
  for (const mpc::Reveal& line : b) {
    const auto known = std::find_if(a.begin(), a.end(), [&](const mpc::Reveal& other) {
      return other.reason == line.reason && other.to == line.to;
    });
    if (known == a.end()) {
      a.push_back(line);
    } else {
      known->count = combine(known->count, line.count);
      known->elements = combine(known->elements, line.elements);
    }
  }
  return a;
}

mpc::Reveal found_in(const std::vector<mpc::Reveal>& all, const mpc::Reveal& line) {
  for (const mpc::Reveal& one : all) {
    if (one.reason == line.reason && one.to == line.to) return one;
  }
  mpc::Reveal none = line;
  none.count = none.elements = 0;
  return none;
}

[[noreturn]] void cannot_write(int error) {
  const std::string why = std::system_category().message(error);
  throw ConfigError(
      "cannot write the account of reveals: " + why + "; every reveal must be counted: make room, and resume", "",
      "cannot be written: " + why);
}

[[noreturn]] void refuse_account(const std::filesystem::path& path, const std::string& why) {
  throw ConfigError(
      fmt::format("{} {}: it is the account of reveals, which must be complete. Bring it back from a copy; or say "
                  "--afresh at every rank, which begins another account; or remove it: counting then continues from "
                  "the checkpoint's own account, which lacks the reveals after the checkpoint",
                  path.string(), why),
      "", "have an account of reveals that " + why);
}

}  // namespace

std::vector<mpc::Reveal> sum_of(std::vector<mpc::Reveal> a, const std::vector<mpc::Reveal>& b) {
  return combined(std::move(a), b, [](std::int64_t x, std::int64_t y) { return x + y; });
}

std::vector<mpc::Reveal> larger_of(std::vector<mpc::Reveal> a, const std::vector<mpc::Reveal>& b) {
  return combined(std::move(a), b, [](std::int64_t x, std::int64_t y) { return std::max(x, y); });
}

RevealLedger::RevealLedger(std::filesystem::path path, Account before, std::string boot)
    : path_(std::move(path)),
      boot_(std::move(boot)),
      saved_(before.saved),
      steps_(before.steps),
      before_(std::move(before.reveals)),
      written_(before_),
      reserved_(before_) {
  write_anew();
}

RevealLedger& RevealLedger::operator=(RevealLedger&& other) noexcept {
  if (this == &other) return *this;
  close();
  path_ = std::move(other.path_);
  boot_ = std::move(other.boot_);
  file_ = std::move(other.file_);
  size_ = other.size_;
  saved_ = other.saved_;
  steps_ = other.steps_;
  before_ = std::move(other.before_);
  written_ = std::move(other.written_);
  reserved_ = std::move(other.reserved_);
  largest_ = std::move(other.largest_);
  return *this;
}

RevealLedger::~RevealLedger() { close(); }

void RevealLedger::close() noexcept {
  if (!file_) return;
  try {
    add("closed");
    to_disk();
  } catch (const ConfigError&) {  // without the line "closed", a reader uses the reserved counts
  }
  file_.reset();
}

// Reserves as many counts as this session has used, at most kMostReserved. A model that is revealed once reserves none.
// Reveals of one reason may have different sizes, as the requests of a service have. Each reserved one has the largest size
// so far, and a reveal that exceeds the reserved numbers reserves anew.
void RevealLedger::write(const std::vector<mpc::Reveal>& session) {
  bool wait = false;
  for (const mpc::Reveal& line : session) {
    const mpc::Reveal now = sum_of({line}, {found_in(before_, line)}).front();
    const mpc::Reveal then = found_in(written_, line);
    if (now.count == then.count) continue;
    add(text_of(now));
    written_ = larger_of(std::move(written_), {now});
    mpc::Reveal one = line;
    one.count = 1;
    one.elements = (now.elements - then.elements) / (now.count - then.count);
    largest_ = larger_of(std::move(largest_), {one});
    const mpc::Reveal held = found_in(reserved_, line);
    if (now.count <= held.count && now.elements <= held.elements) continue;
    const std::int64_t ahead = std::min(kMostReserved, line.count) - 1;
    mpc::Reveal reserved = now;
    reserved.count += ahead;
    reserved.elements += ahead * found_in(largest_, line).elements;
    add("reserved " + text_of(reserved));
    reserved_ = larger_of(std::move(reserved_), {reserved});
    wait = true;
  }
  if (wait) to_disk();
  if (size_ > kLongFile) write_anew();
}

void RevealLedger::saved(std::int64_t epoch) {
  saved_ = epoch;
  add(fmt::format("saved {}", epoch));
  to_disk();
}

void RevealLedger::set_steps(std::int64_t steps) {
  if (steps <= steps_) return;
  steps_ = steps;
  add(fmt::format("steps {}", steps));
  to_disk();
}

// Appends a line. If the disk takes only a part, the file is cut back, so that the next line is
// whole.
void RevealLedger::add(std::string_view text) {
  const std::string line = ledger_line(size_, text);
  const ssize_t written = ::pwrite(file_.get(), line.data(), line.size(), size_);
  if (written != std::ssize(line)) {
    const int error = written < 0 ? errno : ENOSPC;
    if (::ftruncate(file_.get(), size_) != 0) file_.reset();
    cannot_write(error);
  }
  size_ += written;
}

void RevealLedger::to_disk() {
  if (::fdatasync(file_.get()) != 0) cannot_write(errno);
}

void RevealLedger::write_anew() {
  std::string text(kLedgerTitle);
  const auto add = [&](const std::string& line) { text += ledger_line(std::ssize(text), line); };
  add("boot " + boot_);
  if (saved_ > 0) add(fmt::format("saved {}", saved_));
  if (steps_ > 0) add(fmt::format("steps {}", steps_));
  for (const mpc::Reveal& line : written_) add(text_of(line));
  for (const mpc::Reveal& line : reserved_) add("reserved " + text_of(line));
  AtomicFile whole(path_);
  whole.write(std::as_bytes(std::span(text)));
  whole.commit();
  file_ = net::Descriptor(::open(path_.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW));
  if (!file_) cannot_write(errno);
  size_ = std::ssize(text);
}

RevealLedger::Account RevealLedger::read(const std::filesystem::path& path, std::string_view boot) {
  const net::Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW));
  if (!file && errno == ENOENT) return {};
  struct stat about {};
  if (!file || ::fstat(file.get(), &about) != 0)
    refuse_account(path, "cannot be read: " + std::system_category().message(errno));
  if (!S_ISREG(about.st_mode) || about.st_size > kMostAccountBytes)
    refuse_account(path, "is no file of the size of one");
  std::string text(static_cast<std::size_t>(about.st_size), '\0');
  for (std::size_t got = 0; got < text.size();) {
    const ssize_t n = ::pread(file.get(), text.data() + got, text.size() - got, static_cast<off_t>(got));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) refuse_account(path, "cannot be read to its end");
    got += static_cast<std::size_t>(n);
  }
  RevealLines content = parse_ledger(text);
  const bool exact = content.closed || content.boot == boot;
  if (content.damaged || (content.torn && exact && !content.cut))
    refuse_account(path, "is damaged: a line does not have the checksum in it");
  if (!exact) content.written = larger_of(std::move(content.written), content.reserved);
  return {std::move(content.written), content.saved, content.steps};
}

std::string RevealLedger::this_boot() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string id;
  if (std::getline(file, id) && !id.empty()) return id;
  std::random_device random;
  return fmt::format("unnamed-{:08x}{:08x}", random(), random());
}

}  // namespace tacit::gnn
