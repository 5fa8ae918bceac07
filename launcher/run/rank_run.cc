#include "launcher/run/rank_run.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <new>

#include "gnn/data/cleaning_mark.h"
#include "gnn/data/part_digest.h"
#include "gnn/run/openings.h"
#include "gnn/run/planned_prediction.h"
#include "gnn/run/planned_run.h"
#include "gnn/run/service_run.h"
#include "launcher/data/contents.h"
#include "launcher/data/node_list.h"
#include "launcher/data/own_part.h"
#include "launcher/event_json.h"
#include "launcher/job/job_agreement.h"
#include "launcher/job/job_text.h"
#include "launcher/plan/implied.h"
#include "launcher/plan/memory_need.h"
#include "launcher/plan/privacy_account.h"
#include "launcher/run/interruption.h"
#include "launcher/run/member.h"
#include "launcher/run/metrics.h"
#include "launcher/run/progress.h"
#include "launcher/run/rank_device.h"
#include "launcher/run/results.h"
#include "launcher/run/run_failed.h"
#include "launcher/run/service_doors.h"
#include "launcher/run/store_options.h"
#include "launcher/run/text_server.h"
#include "launcher/settings/threads.h"
#include "launcher/unit_text.h"
#include "net/printable.h"

namespace tacit::launcher {

namespace {

constexpr std::int64_t kMostOfError = 500;
constexpr std::chrono::milliseconds kPatienceWithReader{200};  // time to print the last words

std::string agreed_start(Goal goal, Start start) {
  if (goal != Goal::kTrain) return goal == Goal::kServe ? "serve" : "predict";
  return start == Start::kResume ? "train --resume" : start == Start::kAfresh ? "train --afresh" : "train";
}

// The names of this rank's own things in messages to other ranks.
constexpr std::string_view kFolder = "its output folder", kData = "its part of the data", kKey = "its storage key",
                           kMemory = "its memory", kNodes = "its list of nodes", kDevice = "its device";

const char* summary_of(Goal goal) {
  return goal == Goal::kTrain ? kTrainingSummary : goal == Goal::kServe ? kServiceSummary : kPredictionSummary;
}

// The message about an error here, for the other ranks.
std::string told(const std::exception& error) { return reason_for_others(error, "; its own log says more"); }

class RankRun {
 public:
  RankRun(const RankOrder& order, const net::GetVariable& get)
      : order_(order),
        job_(order.job.job),
        member_(find_member(order.job, order.seat, get)),
        threads_(find_threads(order.threads, get, order.own_cpus ? 1 : member_.ranks_here())),
        device_choice_(find_device_choice(order.device, get)),
        device_(device_choice_, member_.ranks_here() > 1 ? member_.rank() : 0),
        plans_(job_),
        folder_(job_.output, member_.rank()),
        progress_(member_.rank(), progress_style(order.quiet), console_),
        interruption_([this](int signal) { last_words(signal); }),
        metrics_(job_.name, member_.rank(), job_.training.epochs) {
    if (const char* wanted = get(kEventsVariable); wanted != nullptr && *wanted != '\0')
      event_lines_.emplace(STDOUT_FILENO);
    if (order.start == Start::kResume && job_.training.checkpoint_every == 0) {
      throw ConfigError("--resume: the job keeps no checkpoints; say in it how often, as checkpoints.every = 50");
    }
    options_.threads = threads_.value;
    if (order.metrics) server_.emplace(*order.metrics, "--metrics", "/metrics", [this] { return metrics_.text(); });
    if (order.goal == Goal::kTrain) return;
    if (!gnn::tells_predictions(plans_.training)) {
      throw ConfigError(
          "the job reveals predictions to nobody: name a rank, with --set reveal.predictions=0 at every rank");
    }
    plans_.training.model_to = std::nullopt;
    if (order.goal != Goal::kServe) return;
    if (job_.data.snapshots > 1) throw ConfigError(std::string(kNoServiceOfSnapshots));
    doors_.emplace(job_, member_.rank(), folder_, metrics_, [this](const std::string& text) { progress_.note(text); });
  }

  Answer run() {
    try {
      prepare_or_object();
      const std::unique_ptr<net::Mesh> mesh = joined();
      over(*mesh);
      record_->finished();
    } catch (const Error& error) {
      fail(static_cast<int>(error.exit()), error.what(), error.local_detail());
    } catch (const std::filesystem::filesystem_error& error) {
      fail(static_cast<int>(Exit::kConfig), net::printable(error.what(), kMostOfError), "");
    } catch (const std::bad_alloc&) {
      fail(static_cast<int>(Exit::kConfig), out_of_memory(), "");
    } catch (const std::exception& error) {
      fail(static_cast<int>(Exit::kBug), error.what(), "");
    }
    Answer answer;
    answer.text = closing_text(record_->summary(), folder_);
    answer.json = record_->summary();
    return answer;
  }

 private:
  // An error here is also sent to the other ranks, since they wait for this one.
  void prepare_or_object() {
    try {
      prepare();
    } catch (const Error& error) {
      progress_.note(fmt::format("{}; telling the other ranks, if they are there", error.what()));
      refusal_ = std::current_exception();
      refusal_text_ = told(error);
    }
  }

  // Leaves a folder that will be moved aside unchanged until all ranks have joined and agreed on
  // it.
  void prepare() {
    const std::string digest = hex(training_digest(job_));
    about_own(kFolder, [&] {
      if (afresh_) {
        held_ = folder_.hold();
        return;
      }
      // A launch may restart all ranks because one was lost at the very end. Other ranks have
      // finished then.
      const bool finished_too = order_.start == Start::kResume || folder_.was_begun_by(order_.launch);
      if (order_.goal == Goal::kTrain) folder_.expect_free_for(job_, finished_too);
      begin_account(digest);
    });
    if (member_.is_party()) {
      const bool training = order_.goal == Goal::kTrain;
      part_ = about_own(kData, [&] {
        return (training ? read_own_part : read_prediction_part)(
            job_, member_.rank(), [this](const std::string& text) { progress_.note(text); });
      });
      options_.data_name = (training ? part_file : prediction_file)(job_, member_.rank());
      if (training && plans_.training.privacy && !job_.ledger.empty()) {
        options_.ledger = {job_.ledger.of(member_.rank()), fmt::format("rank {}", member_.rank()),
                           training_digest(job_), gnn::part_digest(*part_),
                           about_own(kData, [&] { return gnn::cleaning_mark_in(options_.data_name); })};
      }
      if (!training) name_nodes();
    }
    if (!afresh_) keep_checkpoints();
  }

  void name_nodes() {
    options_.other_data = !job_.predict_files.empty();
    if (job_.predict_nodes.empty() || order_.goal == Goal::kServe) return;
    options_.nodes =
        about_own(kNodes, [&] { return read_node_list(job_.predict_nodes, *part_, job_.data.links.has_value()); });
  }

  void begin_account(const std::string& digest) {
    folder_.make();
    record_.emplace(folder_, summary_of(order_.goal), order_.goal == Goal::kTrain ? resolved_job() : "", about(digest),
                    begun_, job_.data.class_names, event_lines_ ? &*event_lines_ : nullptr);
  }

  void keep_checkpoints() {
    if (!member_.is_party() || (order_.goal == Goal::kTrain && job_.training.checkpoint_every == 0)) return;
    options_.checkpoints = about_own(
        kKey, [&] { return store_options(job_, member_.rank(), part_.value(), folder_, order_.goal == Goal::kTrain); });
  }

  void begin_afresh() {
    about_own(kFolder, [&] {
      const std::string aside = folder_.move_aside();
      held_.reset();
      if (!aside.empty())
        progress_.note(fmt::format("the contents of {} are in {} now", folder_.path().string(), aside));
      begin_account(hex(training_digest(job_)));
    });
    keep_checkpoints();
  }

  Json about(const std::string& digest) const {
    Json about = {{"name", job_.name},
                  {"launch", order_.launch.empty() ? Json(nullptr) : Json(order_.launch)},
                  {"link", order_.emulated ? Json(order_.emulated->text()) : Json(nullptr)},
                  {"command", order_.goal == Goal::kTrain ? "train" : agreed_start(order_.goal, order_.start)},
                  {"rank", member_.rank()},
                  {"role", net::name(member_.world.role())},
                  {"parties", member_.world.parties},
                  {"threads", threads_.value},
                  {"device", device_.text()},
                  {"epochs_planned", job_.training.epochs},
                  {"range_watch", job_.training.audit_every != 0},
                  {"job_digest", hex(job_digest(job_))},
                  {"training_digest", digest},
                  {"versions", {{"tacit", TACIT_VERSION}, {"checkpoint_format", gnn::kCheckpointFormat}}}};
    if (!job_.data.class_names.empty()) about["class_names"] = job_.data.class_names;
    return about;
  }

  std::string resolved_job() const {
    std::vector<Explained> own = explain(member_.seat);
    own.push_back({"threads", std::to_string(threads_.value), threads_.source.text()});
    own.push_back({"device", device_choice_.value.text(), device_choice_.source.text()});
    return text_of(own) + "\n" + to_toml(job_, order_.job.sources);
  }

  std::unique_ptr<net::Mesh> joined() {
    progress_.begin("waiting for the other ranks");
    metrics_.begin("waiting for the other ranks");
    net::RendezvousOptions options;
    options.deadline = order_.deadline;
    options.segment = order_.segment;
    options.objection = [this] { return objection(); };
    options.log = [this, own = fmt::format("rank {} ", member_.rank())](const std::string& line) {
      progress_.note(line.starts_with(own) ? line.substr(own.size()) : line);  // note() adds this prefix
    };
    return join(member_, job_, agreed_start(order_.goal, order_.start), order_.emulated, options);
  }

  std::exception_ptr objection() const {
    if (interruption_.signal() != 0) return std::make_exception_ptr(NetError(interrupted(), member_.rank()));
    if (!refusal_) return nullptr;
    const std::string who = fmt::format("rank {} ({})", member_.rank(), net::name(member_.world.role()));
    return std::make_exception_ptr(ConfigError(fmt::format("{} cannot take part: {}", who, refusal_text_)));
  }

  void over(net::Mesh& mesh) {
    interruption_.tell([this, &mesh] {
      const bool ends_in_order = doors_ && doors_->stop(interruption_.signal());
      if (ends_in_order) return interruption_.allow(kTimeToEndService);
      mesh.abort(Exit::kNet, interrupted(), -1);
    });
    progress_.follow(&mesh);
    const auto leave = [this] {
      progress_.follow(nullptr);
      interruption_.tell({});
    };
    try {
      if (refusal_) std::rethrow_exception(refusal_);
      if (afresh_) begin_afresh();
      about_own(kFolder, [&] { record_->joined(mesh); });
      run_over(mesh);
      mesh.close();
    } catch (const std::exception& error) {
      mesh.abort(exit_of(error), told(error), -1);
      leave();
      throw;
    }
    leave();
  }

  void run_over(net::Mesh& mesh) {
    report_to_user_and_record(mesh);
    progress_.set_epochs(job_.training.epochs, job_.data.class_names);
    const bool training = order_.goal == Goal::kTrain;
    const gnn::GraphData* part = part_ ? &*part_ : nullptr;
    if (doors_) return serve(mesh, part);
    const gnn::RunResult result = training ? gnn::run_training(mesh, plans_.data, plans_.training, part, options_)
                                           : gnn::run_prediction(mesh, plans_.data, plans_.training, part, options_);
    if (result.spent) tell_privacy(spent_privacy_(result.spent->steps, result.epochs), result.spent->charge);
    const std::string stopped = training ? why_stopped(job_, result) : "";
    if (!stopped.empty()) progress_.note(stopped);
    about_own(kFolder, [&] {
      if (result.predictions.any()) put_earlier_predictions_aside();
      write_results(result, job_, folder_, part);
      if (training && link_pairs_ && part != nullptr) write_links(*part, plans_.data, *link_pairs_, folder_);
      record_->revealed(result, stopped, implied_by(result.reveals, job_), mesh);
    });
  }

  void serve(net::Mesh& mesh, const gnn::GraphData* part) {
    const auto opened = [this] {
      options_.on_phase("serving");
      progress_.follow(nullptr);  // a quiet time is no wait for a rank
    };
    const gnn::ServedRun result =
        gnn::run_service(mesh, plans_.data, plans_.training, part, options_, doors_->options(opened));
    const std::string why = launcher::interrupted(result.served.ended_by, static_cast<int>(result.served.reason));
    progress_.note(fmt::format("the service ends: {}", why));
    doors_->close(fmt::format("the service has ended: {}", why));
    about_own(kFolder, [&] {
      record_->revealed(result.run, "", implied_by(result.run.reveals, job_), mesh);
      record_->served(result.served, why);
    });
  }

  void put_earlier_predictions_aside() {
    const std::string aside = folder_.put_predictions_aside();
    if (!aside.empty()) progress_.note(fmt::format("the earlier predictions are in {} now", aside));
  }

  void tell_subject(const gnn::PredictionOptions::Subject& subject) {
    const gnn::PredictionAgreement& agreement = subject.agreement;
    const gnn::Holding& holding = agreement.holding;
    const std::int64_t subjects = holding.subjects();
    const std::string all = subjects_text(holding);
    about_own(kFolder, [&] {
      record_->resumed(subject.layout.epochs);
      record_->row_order(agreement.row_order);
      Json told = {{"nodes", holding.graph_nodes()},
                   {"predicted", std::ssize(agreement.nodes)},
                   {"named_by", agreement.asker ? Json(*agreement.asker) : Json(nullptr)},
                   {"other_data", subject.other_data}};
      if (holding.snapshots > 1) told["snapshots"] = holding.snapshots;
      if (holding.graphs > 0) told["graphs"] = holding.graphs;
      if (holding.pairs) told["pairs"] = *holding.pairs;
      record_->subject(std::move(told));
    });
    if (const std::string note = agreement.row_order.note(); !note.empty()) progress_.note(note);
    std::string what = all;
    if (agreement.asker) {
      const std::int64_t named = std::ssize(agreement.nodes) / holding.snapshots;
      what = fmt::format("{} of {}, which rank {} names", named, all, *agreement.asker);
    }
    if (!subject.other_data.empty()) {
      what += fmt::format(", with other data than in the training at {}", gnn::ranks_in_words(subject.other_data));
    }
    progress_.note(fmt::format("{} {}, by the checkpoint of epoch {}", doors_ ? "serves predictions of" : "predicts",
                               what, subject.layout.epochs));
    if (doors_) doors_->set_subject(part_ ? &*part_ : nullptr, subjects, subject.layout.epochs);
    const gnn::PlannedPrediction planned =
        gnn::planned_prediction(plans_.data, plans_.training, gnn::sizes_of(agreement), planned_rank(0));
    const MemoryNeed need = memory_need(planned, member_.world.parties, job_.helpers() > 0);
    about_own(kMemory, [&] { expect_memory(need); });
    decide_device(planned.predicting.work.multiplications, need);
  }

  gnn::PlannedRank planned_rank(std::int64_t most_steps) const {
    const int parties = member_.world.parties;
    const auto known = gnn::plan_of(job_.training.openings, parties);
    return {parties, member_.is_party() ? member_.rank() : 0, known.value_or(net::AllReducePlan::unmeasured(parties)),
            most_steps};
  }

  void report_to_user_and_record(net::Mesh& mesh) {
    options_.on_subject = [this](const gnn::PredictionOptions::Subject& subject) { tell_subject(subject); };
    options_.if_none = order_.start == Start::kResume ? gnn::IfNone::kRefuse : gnn::IfNone::kStartAfresh;
    options_.on_phase = [this, &mesh](std::string_view phase) {
      about_own(kFolder, [&] { record_->begin_phase(phase, mesh); });
      progress_.begin(std::string(phase));
      metrics_.begin(std::string(phase));
      phase_ = phase;
    };
    options_.on_agreement = [this](const gnn::DataAgreement& agreement) {
      record_->agreed(agreed_sizes(plans_.data, plans_.training, agreement));
      if (plans_.data.links) link_pairs_ = agreement.link_pairs(*plans_.data.links);
      about_own(kFolder, [&] { record_->row_order(agreement.row_order); });
      if (const std::string note = agreement.row_order.note(); !note.empty()) progress_.note(note);
      plan_ahead(agreement);
    };
    options_.on_privacy = [this](const gnn::TrainingPrivacy& privacy, const std::optional<gnn::Charge>& charge) {
      tell_privacy(by_this_rank(privacy_json(plans_.training, privacy)), charge);
      spent_privacy_ = [this, privacy](std::int64_t steps, std::int64_t epochs) {
        return by_this_rank(spent_json(plans_.training, privacy, steps, epochs));
      };
    };
    options_.on_resume = [this](std::int64_t epoch) {
      about_own(kFolder, [&] { record_->resumed(epoch); });
      progress_.note(fmt::format("goes on {}, from the checkpoint that all parties hold",
                                 epoch == 0 ? "with the first epoch" : fmt::format("after epoch {}", epoch)));
    };
    options_.on_note = [this](const std::string& why) { progress_.note(why); };
    options_.on_epoch = [this](const gnn::EpochEvent& event) {
      epochs_ = event.epoch;
      about_own(kFolder, [&] { record_->epoch(event); });
      progress_.take(event);
      metrics_.take(event);
    };
    options_.on_checkpoint = [this](std::int64_t epoch) {
      about_own(kFolder, [&] { record_->checkpoint(epoch); });
      metrics_.checkpoint(epoch);
    };
  }

  // The dealer keeps no checkpoints, and does not know the steps of earlier sessions.
  Json by_this_rank(Json account) const {
    if (!member_.is_party() && job_.training.checkpoint_every > 0) {
      account["not_covered"].push_back(
          "steps that were done again after an interruption: the parties' summaries count them");
    }
    return account;
  }

  void tell_privacy(Json account, const std::optional<gnn::Charge>& charge) {
    if (charge) {
      account["ledger_before"] = charge->before.told();
      account["ledger_after"] = charge->after.told();
    }
    if (account == told_privacy_) return;
    told_privacy_ = account;
    about_own(kFolder, [&] { record_->privacy(account); });
    metrics_.privacy(account);
  }

  // Plans some epochs before anything is shared, which takes milliseconds. Refuses a job that needs
  // more memory than this machine has, and gives the progress line the cost of later epochs.
  void plan_ahead(const gnn::DataAgreement& agreed) {
    constexpr std::int64_t kMostSteps = 500;
    const gnn::PlannedRun run =
        gnn::planned_run(plans_.data, plans_.training, gnn::sizes_of(agreed), planned_rank(kMostSteps));
    const MemoryNeed need = memory_need(run, member_.world.parties, job_.helpers() > 0);
    about_own(kMemory, [&] { expect_memory(need); });
    decide_device(run.usual_epoch().work.multiplications, need);
    if (!order_.quiet && order_.goal == Goal::kTrain) progress_.set_plan(run);
  }

  // The session that begins next computes with it.
  void decide_device(std::int64_t multiplications, const MemoryNeed& need) {
    const std::string note = about_own(kDevice, [&] {
      return device_.decide(multiplications, member_.is_party() ? need.party_on_device : need.dealer_on_device);
    });
    if (!note.empty()) progress_.note(note);
    options_.device = device_.get();
    record_->device(device_.text());
  }

  void expect_memory(const MemoryNeed& need) {
    const bool all_here = member_.ranks_here() > 1;
    needed_ = member_.is_party() ? need.party : need.dealer;
    if (!order_.check_memory) return;
    MemoryAtHand have = memory_at_hand();
    if (have.bytes >= 0)
      have.bytes += gnn::usage_so_far().peak_memory;  // the need includes the data, which are loaded already
    const std::string lack = lack_of_memory(need.here(member_.world.parties, all_here, member_.is_party()), have,
                                            memory_remedy(plans_.data));
    if (!lack.empty()) throw ConfigError(fmt::format("{}; {} goes on regardless", lack, kMemoryUncheckedFlag));
  }

  std::string out_of_memory() const {
    const auto text = [](std::int64_t bytes) { return bytes_text(static_cast<double>(bytes)); };
    return fmt::format(
        "this machine has too little memory: memory ran out while {}, when this rank had taken {}{}; {}, or take a "
        "machine "
        "with more memory",
        phase_, text(gnn::usage_so_far().peak_memory),
        needed_ > 0 ? fmt::format(" of about {} that it needs", text(needed_)) : "", memory_remedy(plans_.data));
  }

  std::string interrupted() const { return launcher::interrupted(member_.rank(), interruption_.signal()); }

  std::string where_to_go_on() const {
    if (order_.goal == Goal::kServe && record_ && !order_.resume_command.empty()) {
      return "start it again at every rank to go on: the same requests get the same answers";
    }
    if (order_.goal != Goal::kTrain || job_.training.checkpoint_every == 0 || order_.resume_command.empty()) return "";
    const auto newest = record_ ? record_->newest_checkpoint() : std::nullopt;
    if (!member_.is_party() && (newest || epochs_ >= job_.training.checkpoint_every)) {
      // The dealer runs ahead of the parties, and cannot know whether they have reached a
      // checkpoint.
      return fmt::format(
          "{}; to go on from it, at every rank, here: {}",
          newest ? "the parties hold the checkpoints" : "each party says which checkpoint it holds, if it holds one",
          order_.resume_command);
    }
    if (!newest) return "";
    return fmt::format("the newest checkpoint here is of epoch {}; to go on, at every rank, here: {}", *newest,
                       order_.resume_command);
  }

  [[noreturn]] void fail(int exit_code, std::string message, std::string detail) {
    if (refusal_) {  // another rank may have sent our refusal back, in its own words
      try {
        std::rethrow_exception(refusal_);
      } catch (const Error& error) {
        exit_code = static_cast<int>(error.exit());
        message = error.what();
        detail = error.local_detail();
      }
    } else if (const int signal = interruption_.signal(); signal != 0 && exit_code == static_cast<int>(Exit::kNet)) {
      // A broken mesh may follow from a signal to all ranks. An error of this rank remains the
      // cause, even after a signal.
      exit_code = Interruption::exit_code(signal);
      message = interrupted();
      detail.clear();
    }
    if (record_) record_->failed(message, exit_code);
    const std::string more = where_to_go_on();
    throw RunFailed(exit_code, message, detail.empty() || more.empty() ? detail + more : detail + "\n" + more,
                    interruption_.held_back());
  }

  void last_words(int signal) {
    const std::string more = where_to_go_on();
    progress_.leave_with(fmt::format("tacit: {}{}", interrupted(), more.empty() ? "" : "\ntacit: " + more),
                         kPatienceWithReader);
    if (record_) record_->failed(interrupted(), Interruption::exit_code(signal));
  }

  const RankOrder& order_;
  const Job& job_;
  const Member member_;
  const Sourced<int> threads_;
  const Sourced<DeviceChoice> device_choice_;
  RankDevice device_;
  gnn::Plans plans_;
  const OutputFolder folder_;
  const gnn::Usage begun_ = gnn::usage_so_far();
  const bool afresh_ = order_.start == Start::kAfresh && !folder_.was_begun_by(order_.launch);
  net::Descriptor held_;                // keeps a folder locked until it is moved aside
  std::optional<Console> event_lines_;  // for a launcher on another machine
  std::optional<RunRecord> record_;     // empty until the folder is ready
  Console console_{STDERR_FILENO};
  Progress progress_;
  Interruption interruption_;
  Metrics metrics_;
  std::optional<TextServer> server_;
  std::optional<ServiceDoors> doors_;   // with kServe
  std::optional<gnn::GraphData> part_;  // a party's
  gnn::PredictionOptions options_;
  std::optional<gnn::LinkPairs> link_pairs_;  // the numbers of labelled pairs, of a job that learns links
  std::atomic<std::int64_t> epochs_ = 0;      // completed
  std::string phase_ = "reading its data";
  std::int64_t needed_ = 0;  // bytes of memory, about; 0: not planned yet
  Json told_privacy_;        // the account of a private training
  std::function<Json(std::int64_t steps, std::int64_t epochs)> spent_privacy_;
  std::exception_ptr refusal_;  // why this rank cannot take part
  std::string refusal_text_;
};

}  // namespace

bool is_launch(const std::string& name) {
  return name.size() == 16 && name.find_first_not_of("0123456789abcdef") == std::string::npos;
}

Answer run_rank(const RankOrder& order, const net::GetVariable& get) { return RankRun(order, get).run(); }

}  // namespace tacit::launcher
