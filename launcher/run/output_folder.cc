#include "launcher/run/output_folder.h"

#include <fmt/format.h>

#include "gnn/data/atomic_file.h"
#include "launcher/job/job_agreement.h"
#include "launcher/job/read_job.h"
#include "launcher/run/event_log.h"
#include "net/error.h"
#include "net/private_folder.h"

namespace tacit::launcher {

namespace fs = std::filesystem;

namespace {

constexpr const char* kRemedy = "name another folder with --output, or say --afresh, which moves this one aside";
// Advice: a new run would reveal everything again, but a resume from the last checkpoint prints the
// results again.
constexpr const char* kTellAgain = "to print its results again, say --resume at every rank";

std::string text_of(const Json& event, const char* key) {
  const auto found = event.find(key);
  return found != event.end() && found->is_string() ? found->get<std::string>() : "";
}

// Shares do not depend on the source of correlations, so a training may go on with another one. With a table [privacy], the
// sources of noise differ, and with them the account.
bool may_have_other_source(const gnn::Plans& before, const gnn::Plans& now) {
  return !before.training.privacy && !now.training.privacy && !before.training.aggregates() &&
         !now.training.aggregates();
}

// The first setting that differs and may not, as more epochs may; "" if no setting differs.
std::string difference_to(const fs::path& file, const Job& now) {
  try {
    Job before = read_job(load_document(file)).job;
    const std::string any = first_difference(before, now);
    before.training.epochs = std::max(before.training.epochs, now.training.epochs);
    if (may_have_other_source(before, now)) before.training.correlations = now.training.correlations;
    const std::string other = first_difference(before, now);
    return other.empty() ? any : other;
  } catch (const ConfigError&) {
    return fmt::format("its {} cannot be read, so nobody can tell which setting differs", file.filename().string());
  }
}

// True if the run with this digest is the same training with fewer epochs, with less patience of early stopping, or with another
// source of correlations: then it may go on.
bool may_go_on(const fs::path& file, Job job, const std::string& digest) {
  try {
    const gnn::Plans plans = read_job(load_document(file)).job;
    const gnn::TrainingPlan& before = plans.training;
    if (before.epochs > job.training.epochs) return false;
    if (may_have_other_source(plans, job)) job.training.correlations = before.correlations;
    job.training.epochs = before.epochs;
    if (before.stopping && job.training.stopping) {
      std::int64_t& patience = job.training.stopping->judged.patience;
      if (before.stopping->judged.patience > patience) return false;
      patience = before.stopping->judged.patience;
    }
    return digest == hex(training_digest(job));
  } catch (const ConfigError&) {
    return false;
  }
}

// True if the noise of the run in the folder is the least with its privacy.epsilon in its number of epochs, and the job has
// another number of epochs.
bool has_noise_for_other_epochs(const fs::path& file, const Job& job) {
  if (!job.training.privacy || job.training.privacy->noise || job.training.model.perturbed) return false;
  try {
    return read_job(load_document(file)).job.training.epochs != job.training.epochs;
  } catch (const ConfigError&) {
    return false;
  }
}

}  // namespace

OutputFolder::OutputFolder(const fs::path& output, int rank) : path_(output / fmt::format("rank{}", rank)) {}

bool OutputFolder::was_begun_by(const std::string& launch) const {
  if (launch.empty()) return false;
  const std::vector<Json> started = EventLog::read(events(), {"started"});
  return !started.empty() && text_of(started.back(), "launch") == launch;
}

net::Descriptor OutputFolder::hold() const { return EventLog::hold(events()); }

fs::path OutputFolder::aside() const {
  fs::path aside;
  for (int i = 1; aside.empty() || fs::exists(fs::symlink_status(aside)); ++i) {
    aside = fmt::format("{}.{}", path_.string(), i);
  }
  return aside;
}

std::string OutputFolder::move_aside() const {
  if (!fs::exists(fs::symlink_status(path_))) return "";
  const fs::path aside = this->aside();
  std::error_code failed;
  fs::rename(path_, aside, failed);
  if (failed) {
    throw ConfigError(fmt::format("{} cannot be moved aside to {}: {}; name another folder with --output",
                                  path_.string(), aside.string(), failed.message()),
                      "", "cannot be moved aside: " + failed.message());
  }
  return aside.string();
}

void OutputFolder::expect_free_for(const Job& job, bool finished_too) const {
  const auto refuse = [this](const std::string& why, const std::string& difference, const std::string& also = "") {
    const std::string more = also.empty() ? "" : "; " + also;
    throw ConfigError(
        fmt::format("{} {}{}{}{}; {}", path_.string(), why, difference.empty() ? "" : ": ", difference, more, kRemedy),
        "", why + more);
  };
  std::string last_job;   // the digest that belongs to job.toml
  std::string later_job;  // the digest of the last run, which may have failed before it replaced job.toml
  bool trains = false;
  for (const Json& event : EventLog::read(events(), {"started", "finished", kReplaces})) {
    const std::string what = text_of(event, "event");
    if (what == kReplaces) {
      if (trains) last_job = later_job;
      continue;
    }
    trains = text_of(event, "command") == "train";  // a prediction does not change a training
    if (!trains) continue;
    if (what == "started") {
      later_job = text_of(event, "training_digest");
      const auto keeps = event.find(kKeepsFinished);
      if (keeps == event.end() || *keeps != true) last_job = later_job;
    } else if (!finished_too) {
      refuse("holds the results of a run that has finished", "", job.training.checkpoint_every > 0 ? kTellAgain : "");
    }
  }
  const bool trained = !EventLog::read(events(), {"epoch"}, 1).empty();
  if (trained && has_noise_for_other_epochs(this->job(), job)) {
    refuse("holds a private training, whose noise follows from privacy.epsilon and its number of epochs",
           difference_to(this->job(), job), "a training with privacy.noise may go on with more epochs");
  }
  if (!trained || last_job == hex(training_digest(job)) || may_go_on(this->job(), job, last_job)) return;
  refuse("holds a run of another job", difference_to(this->job(), job));
}

std::string OutputFolder::put_predictions_aside() const {
  const auto is_there = [](const fs::path& path) { return fs::exists(fs::symlink_status(path)); };
  const auto numbered = [](const fs::path& file, int number) {
    return file.parent_path() / fmt::format("{}.{}{}", file.stem().string(), number, file.extension().string());
  };
  if (!is_there(predictions())) return "";
  int number = 1;
  while (is_there(numbered(predictions(), number)) || is_there(numbered(predictions_table(), number))) ++number;
  fs::rename(predictions(), numbered(predictions(), number));
  if (is_there(predictions_table())) fs::rename(predictions_table(), numbered(predictions_table(), number));
  return numbered(predictions(), number).string();
}

void OutputFolder::make() const { net::make_private_folder(path_, "output folder", "name another with --output"); }

void OutputFolder::write(const std::string& name, const std::string& text) const {
  gnn::AtomicFile file(path_ / name);
  file.write(std::as_bytes(std::span(text)));
  file.commit();
}

}  // namespace tacit::launcher
