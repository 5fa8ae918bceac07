// training_party — one rank of a training, as a process: it resumes from the folder
// TACIT_TEST_FOLDER, trains for --steps epochs, and prints its events, one in a line.
// TACIT_TEST_KILL="epochs microseconds" kills it that many microseconds after that many epochs, at
// any point of its work.
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <thread>

#include "gnn/checkpoint/resume.h"
#include "net/connect.h"
#include "tests/gnn/checkpoint/crash_sample.h"
#include "tests/net/party_flags.h"

namespace tacit::gnn {
namespace {

void say(const std::string& line) {
  std::puts(line.c_str());
  std::fflush(stdout);
}

class Killer {
 public:
  Killer() {
    const char* when = std::getenv("TACIT_TEST_KILL");
    if (when != nullptr) std::istringstream(when) >> epochs_ >> microseconds_;
    after_epochs(0);
  }
  void next_epoch() { after_epochs(++done_); }

 private:
  void after_epochs(std::int64_t done) {
    if (done != epochs_) return;
    std::thread([after = std::chrono::microseconds(microseconds_)] {
      std::this_thread::sleep_for(after);
      kill(getpid(), SIGKILL);
    }).detach();
  }

  std::int64_t epochs_ = -1, microseconds_ = 0, done_ = 0;
};

void say_event(const EpochEvent& event) {
  if (event.loss) say(fmt::format("epoch {} loss {:.17g}", event.epoch, *event.loss));
  for (const auto& reading : event.readings)
    say(fmt::format("{} {:.17g}", name_of(reading.what.metric), reading.value));
}

void train_as_party(net::Mesh& mesh, const Sample& sample, const std::filesystem::path& folder, Killer& killer) {
  CheckpointStore store(crash_store(folder, mesh.rank()));
  const CheckpointStore::Found found = store.find();
  for (const std::string& why : found.refused) say("refused: " + why);
  const auto point = agree_on_checkpoint(mesh, found.usable, IfNone::kStartAfresh, sample.plan.checkpoint_every);
  mpc::PartySession session(mesh, net::AllReducePlan({{0, net::AllReduce::kDirect}}));
  say(fmt::format("nonce {:02x}", fmt::join(session.nonce(), "")));
  const auto prepare = [&](Trainer& trainer) {
    if (point) {
      trainer.restore(store.resume(session, session.nonce(), point->id));
      say(fmt::format("resumed from epoch {}", point->id.epoch));
    } else {
      store.begin(session, session.nonce());
      say("afresh");
    }
    trainer.on_checkpoint([&](const TrainingState& state) { store.save(session, state); });
  };
  const auto on_epoch = [&](const EpochEvent& event) {
    say_event(event);
    killer.next_epoch();
  };
  secret_run(session, sample, on_epoch, prepare);
  for (const mpc::Reveal& line : store.reveals(session)) say(fmt::format("revealed {} {}", line.reason, line.count));
}

void train_as_dealer(net::Mesh& mesh, const Sample& sample, Killer& killer) {
  const auto point = agree_on_checkpoint(mesh, {}, IfNone::kStartAfresh, sample.plan.checkpoint_every);
  mpc::DealerSession session(mesh);
  const auto prepare = [&](Trainer& trainer) {
    if (point) trainer.restore(restored_by_dealer(session, point->layout));
  };
  secret_run(
      session, sample, [&](const EpochEvent&) { killer.next_epoch(); }, prepare);
  session.flush();
}

int run(const net::PartyFlags& flags) {
  const net::Identity identity = net::Identity::load(flags.key);
  const auto mesh = net::connect_mesh(flags.rendezvous, flags.mesh, identity, net::Roster::load(flags.roster));
  Killer killer;
  const Sample sample = crash_sample(flags.steps);
  try {
    mesh->world().is_party() ? train_as_party(*mesh, sample, std::getenv("TACIT_TEST_FOLDER"), killer)
                             : train_as_dealer(*mesh, sample, killer);
    mesh->close();
  } catch (const std::exception& error) {
    mesh->abort(exit_of(error), error.what(), -1);
    throw;
  }
  say("done");
  return 0;
}

}  // namespace
}  // namespace tacit::gnn

int main(int argc, char** argv) {
  try {
    return tacit::gnn::run(tacit::net::read_party_flags(argc, argv));
  } catch (const std::exception& error) {
    return tacit::report_and_exit_code(error, "training_party");
  }
}
