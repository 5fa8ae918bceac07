#include "gnn/checkpoint/checkpoint_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "gnn/data/atomic_file.h"
#include "gnn/data/unfinished_files.h"
#include "gnn/settings/setting_list.h"
#include "mpc/protocols/restore.h"
#include "net/printable.h"
#include "net/private_folder.h"

namespace tacit::gnn {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnding = ".checkpoint", kKeptEnding = ".revealed";
constexpr std::int64_t kMostOfSetting = 200;

std::string short_hex(const mpc::Digest& digest) {
  return fmt::format("{:02x}", fmt::join(std::span(digest).first<8>(), ""));
}

[[noreturn]] void refuse_checkpoint(const fs::path& file, const std::string& why) {
  throw ConfigError(fmt::format("{} {}", file.string(), why));
}

// Refuses a file of another rank, job, key or data. Only the first difference is reported, since
// each difference makes the later ones meaningless.
void expect_own(const fs::path& file, const CheckpointHeader& header, const CheckpointHeader& own,
                const StoreOptions& options) {
  const bool predicting = options.predicting;
  if (header.rank != own.rank || header.parties != own.parties) {
    refuse_checkpoint(
        file, fmt::format("is of rank {} of {} parties, and this is rank {} of {}: give every rank the folder with "
                          "its own checkpoints",
                          header.rank, header.parties, own.rank, own.parties));
  }
  const bool same = predicting ? header.model == own.model : header.job == own.job;
  if (!same) {
    const auto setting = first_difference(header.settings, own.settings);
    const std::string which = header.settings.empty() || !setting
                                  ? fmt::format("{}...; this is {}...", short_hex(header.job), short_hex(own.job))
                                  : net::printable(setting->as_change(), kMostOfSetting);
    refuse_checkpoint(file,
                      fmt::format("belongs to another job ({}): {} with the job that it was made in, or choose another "
                                  "folder",
                                  which, predicting ? "predict" : "resume"));
  }
  if (predicting && !header.layout.known.empty()) {
    refuse_checkpoint(
        file,
        "is of a training in the mode \"aggregate\", in which every party has the model: predict your own "
        "rows with model.npz beside it, or take the checkpoints of a training on shares");
  }
  if (header.key != own.key) {
    refuse_checkpoint(
        file, fmt::format("was sealed under another storage key ({}...; this is {}...): give the key file that it was "
                          "made with",
                          short_hex(header.key), short_hex(own.key)));
  }
  if (header.data != own.data && !options.other_data) {
    refuse_checkpoint(
        file, fmt::format("was made from other data than this party's files hold now: bring the files back as they "
                          "were, or {}",
                          predicting ? "say with --data that the predictions are for other data"
                                     : "start afresh in another folder"));
  }
}

std::int64_t now() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(since).count();
}

void shorten(std::vector<std::string>& refused, const fs::path& folder) {
  constexpr std::size_t kMostTold = 3;
  if (refused.size() <= kMostTold) return;
  const std::size_t more = refused.size() - kMostTold;
  refused.resize(kMostTold);
  refused.push_back(
      fmt::format("{} more {} in {} cannot be used", more, more == 1 ? "checkpoint" : "checkpoints", folder.string()));
}

// Removes shares that were kept for a checkpoint which was never written, because its session was
// killed before.
void remove_orphans(const fs::path& folder, const std::string& beginning) {
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(beginning) || !name.ends_with(kKeptEnding)) continue;
    const fs::path checkpoint = folder / (name.substr(0, name.find('.')) + std::string(kEnding));
    if (!fs::exists(checkpoint, ignored)) fs::remove(entry.path(), ignored);
  }
}

// Removes checkpoints, each with the shares that are kept for it.
void remove(std::vector<fs::path>& files) {
  std::error_code ignored;  // a file that stays does no harm
  for (const fs::path& file : files) {
    const std::string beginning = file.stem().string() + ".";
    for (const fs::directory_entry& entry : fs::directory_iterator(file.parent_path(), ignored)) {
      const std::string name = entry.path().filename().string();
      if (name.starts_with(beginning) && name.ends_with(kKeptEnding)) fs::remove(entry.path(), ignored);
    }
    fs::remove(file, ignored);
  }
  files.clear();
}

}  // namespace

TrainingState restored(mpc::Session& session, const StateLayout& layout, const CheckpointContent& content, int rank) {
  TACIT_CHECK(content.tensors.size() == layout.tensors.size());
  TrainingState state{layout.epochs,
                      layout.training_passes,
                      {},
                      {{}, layout.optimiser_steps},
                      {layout.stale, content.seen.best},
                      content.seen.first_loss,
                      {}};
  Tensors all;
  for (std::size_t i = 0; i < layout.tensors.size(); ++i) {
    const StateLayout::Entry& entry = layout.tensors[i];
    all.emplace_back(mpc::restore(session, content.tensors[i]), entry.bound, entry.name);
  }
  DataScale& scale = state.scale;
  scale.feature_columns = layout.feature_columns;
  scale.target_columns = layout.target_columns;
  scale.own.resize(static_cast<std::size_t>(session.parties()));
  if (rank < session.parties()) scale.own[static_cast<std::size_t>(rank)] = content.own;
  const auto take = [&](bool there, const std::vector<int>& powers) {
    if (!there) return std::optional<DataScale::Shared>();
    const auto first = all.end() - kSharesOfAScale;
    DataScale::Shared shared{{first[0].share(), first[1].share(), first[2].share()}, powers};
    shared.powers.resize(static_cast<std::size_t>(first[0].shape().cols));
    all.erase(first, all.end());
    return std::optional(std::move(shared));
  };
  scale.targets = take(layout.scale_of_targets, content.target_powers);
  scale.features = take(layout.scale_of_features, content.feature_powers);
  if (layout.perturbed > 0) {
    const auto columns = all.end() - layout.perturbed;
    state.perturbed = TrainingState::Perturbed{*columns, {columns + 1, all.end()}, content.readings};
    all.erase(columns, all.end());
  }
  if (layout.best) {
    const auto best = all.end() - layout.parameters;
    state.best = TrainingState::Best{layout.best_epoch, {best, all.end()}};
    all.erase(best, all.end());
  }
  state.plateau = {layout.plateau_stale, content.seen.plateau_best};
  state.reductions = layout.reductions;
  state.planned_epochs = layout.planned_epochs;
  state.known = content.known;
  const auto parameters = all.begin() + layout.parameters;
  state.parameters.assign(all.begin(), parameters);
  state.optimiser.tensors.assign(parameters, all.end());
  return state;
}

TrainingState restored_by_dealer(mpc::Session& session, const StateLayout& layout) {
  CheckpointContent nothing;
  for (const auto& entry : layout.tensors) {
    nothing.tensors.push_back(mpc::SavedShare::nothing(entry.shape, entry.format));
  }
  return restored(session, layout, nothing, session.parties());
}

CheckpointStore::CheckpointStore(StoreOptions options)
    : options_(std::move(options)),
      key_(about_own("its storage key", [&] { return mpc::StorageKey::load(options_.key); })),
      data_(key_.hash(options_.data)) {
  TACIT_CHECK(options_.keep >= 2);
  net::make_private_folder(options_.folder, "folder for checkpoints", "name another output folder");
  remove_unfinished(options_.folder, prefix());
  ledger_job_ = options_.job;
  remove_orphans(options_.folder, prefix());
}

std::string CheckpointStore::prefix() const { return fmt::format("rank{}-", options_.rank); }

const CheckpointStore::Usable* CheckpointStore::found(const CheckpointId& id) const {
  const auto one = std::find_if(found_.begin(), found_.end(), [&](const Usable& of) { return of.header.id() == id; });
  return one == found_.end() ? nullptr : &*one;
}

std::string CheckpointStore::stem_of(const CheckpointId& id) const {
  if (const Usable* there = found(id)) return there->path.stem().string();
  return fmt::format("{}epoch{:08}-{}-{}", prefix(), id.epoch, short_hex(id.nonce), short_hex(data_));
}

fs::path CheckpointStore::kept_path(const CheckpointId& id, const std::string& name) const {
  std::string slug = name;
  std::replace(slug.begin(), slug.end(), ' ', '-');
  return options_.folder / fmt::format("{}.{}{}", stem_of(id), slug, kKeptEnding);
}

KeptShareHeader CheckpointStore::kept_header(const CheckpointId& id, const std::string& name) const {
  const Usable* there = found(id);
  const mpc::Digest& data = there != nullptr ? there->header.data : data_;
  return {options_.model, data, id, options_.rank, options_.parties, name, {}, {}, {}};
}

std::optional<KeptShare> CheckpointStore::kept(const CheckpointId& id, const std::string& name) const {
  return read_kept_share(kept_path(id, name), kept_header(id, name), key_);
}

void CheckpointStore::keep(const CheckpointId& id, const std::string& name, const mpc::SavedShare& share) const {
  KeptShareHeader header = kept_header(id, name);
  header.session = nonce_;
  header.shape = share.shape();
  header.format = share.format();
  write_kept_share(kept_path(id, name), header, share, key_);
}

std::string CheckpointStore::ledger_prefix() const {
  return fmt::format("{}reveals-{}-", prefix(), short_hex(ledger_job_));
}

CheckpointFile CheckpointStore::read(const fs::path& path) const {
  CheckpointFile file = CheckpointFile::read(path);
  CheckpointHeader own;
  own.job = options_.job;
  own.key = key_.name();
  own.data = data_;
  own.rank = options_.rank;
  own.parties = options_.parties;
  own.model = options_.model;
  own.settings = options_.settings;
  expect_own(path, file.header(), own, options_);
  return file;
}

std::vector<CheckpointStore::Usable> CheckpointStore::usable(std::vector<std::string>& refused) const {
  std::vector<Usable> all;
  for (const fs::directory_entry& entry : fs::directory_iterator(options_.folder)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(prefix()) || !name.ends_with(kEnding)) continue;
    try {
      const CheckpointFile file = read(entry.path());
      file.open(key_);
      all.push_back({entry.path(), file.header()});
    } catch (const ConfigError& error) {
      refused.emplace_back(error.what());
    }
  }
  std::sort(all.begin(), all.end(), [](const Usable& a, const Usable& b) {
    return std::pair(a.header.saved_at, a.header.layout.epochs) > std::pair(b.header.saved_at, b.header.layout.epochs);
  });
  return all;
}

CheckpointStore::Found CheckpointStore::find() {
  Found found;
  found_ = usable(found.refused);
  for (const Usable& one : found_) {
    found.usable.push_back({one.header.id(), one.header.layout, one.header.data == data_});
  }
  shorten(found.refused, options_.folder);
  found.saved = options_.saved;
  const std::vector<fs::path> ledgers = this->ledgers();
  for (const fs::path& path : ledgers) found.saved = std::max(found.saved, RevealLedger::read(path).saved);
  if (ledgers.empty() && !found.usable.empty() && !options_.predicting) {
    found.refused.push_back(fmt::format(
        "{} has no account of reveals beside its checkpoints: counting continues from the checkpoint's own account, "
        "which lacks the reveals after the checkpoint",
        options_.folder.string()));
  }
  return found;
}

std::vector<fs::path> CheckpointStore::ledgers() const {
  std::vector<fs::path> all;
  for (const fs::directory_entry& entry : fs::directory_iterator(options_.folder)) {
    if (entry.path().filename().string().starts_with(ledger_prefix())) all.push_back(entry.path());
  }
  return all;
}

void CheckpointStore::start(mpc::Session& session, const mpc::Nonce& nonce, const mpc::Nonce& run,
                            RevealLedger::Account account) {
  nonce_ = nonce;
  run_ = run;
  // Each ledger began with the counts of the ledgers before it, so the largest count of all files
  // is the total.
  for (const fs::path& path : ledgers()) {
    RevealLedger::Account one = RevealLedger::read(path);
    account.reveals = larger_of(std::move(account.reveals), one.reveals);
    account.saved = std::max(account.saved, one.saved);
    account.steps = std::max(account.steps, one.steps);
  }
  std::vector<std::string> refused;
  for (const Usable& one : usable(refused)) saved_at_ = std::max(saved_at_, one.header.saved_at);
  ledger_ =
      RevealLedger(options_.folder / fmt::format("{}{}.txt", ledger_prefix(), short_hex(run_)), std::move(account));
  session.before_reveals([this](const std::vector<mpc::Reveal>& revealed) {
    about_own("its account of reveals", [&] { ledger_.write(revealed); });
  });
}

void CheckpointStore::begin(mpc::Session& session, const mpc::Nonce& nonce) {
  kept_.clear();
  superseded_.clear();
  ledger_job_ = options_.job;
  start(session, nonce, nonce, {});
}

TrainingState CheckpointStore::resume(mpc::Session& session, const mpc::Nonce& nonce, const CheckpointId& id) {
  std::vector<std::string> refused;
  const std::vector<Usable> all = usable(refused);
  const auto base = std::find_if(all.begin(), all.end(), [&](const Usable& one) { return one.header.id() == id; });
  if (base == all.end()) {
    throw ConfigError(
        fmt::format("the checkpoint of epoch {} that was agreed on is gone from this rank's folder; let "
                    "no other job use it, and resume",
                    id.epoch));
  }
  kept_ = {base->path};
  superseded_.clear();
  for (const Usable& one : all) {
    if (one.header.run == base->header.run && one.path != base->path) superseded_.push_back(one.path);
  }
  ledger_job_ = base->header.job;
  start(session, nonce, base->header.run, {base->header.reveals, base->header.layout.epochs, 0});
  const CheckpointFile file = read(base->path);
  return restored(session, file.header().layout, file.open(key_), options_.rank);
}

void CheckpointStore::save(const mpc::Session& session, const TrainingState& state) {
  saved_at_ = std::max(now(), saved_at_ + 1);  // after every other one, though the clock may have gone back
  CheckpointHeader header{
      options_.job,     run_,      nonce_,           key_.name(),      data_,          options_.rank,
      options_.parties, saved_at_, layout_of(state), reveals(session), options_.model, options_.settings};
  CheckpointContent content{{}, {state.first_loss, state.progress.best, state.plateau.best}, {}, {}, {}, state.known};
  for (const Tensor& tensor : tensors_of(state)) content.tensors.push_back(mpc::save(tensor.share()));
  const auto rank = static_cast<std::size_t>(options_.rank);
  if (rank < state.scale.own.size()) content.own = state.scale.own[rank];
  if (state.perturbed) content.readings = state.perturbed->readings;
  if (state.scale.features) content.feature_powers = state.scale.features->powers;
  if (state.scale.targets) content.target_powers = state.scale.targets->powers;
  const fs::path path = options_.folder / fmt::format("{}{}", stem_of({nonce_, state.epochs}), kEnding);
  AtomicFile file(path);
  file.write(encode_checkpoint(header, content, key_));
  file.commit();
  ledger_.saved(state.epochs);
  kept_.push_back(path);
  while (std::ssize(kept_) > options_.keep) {
    superseded_.push_back(kept_.front());
    kept_.erase(kept_.begin());
  }
  remove(superseded_);
}

}  // namespace tacit::gnn
