#include "launcher/run/errand.h"

#include <fmt/format.h>
#include <unistd.h>

#include <thread>

#include "launcher/run/interruption.h"
#include "launcher/run/member.h"
#include "launcher/run/run_failed.h"
#include "launcher/settings/threads.h"
#include "net/memory/memory_mesh.h"

namespace tacit::launcher {

namespace {

constexpr std::chrono::milliseconds kPatienceOfTerminal{200};  // time to print the last words

std::string words_of(const std::exception& error) {
  const auto* ours = dynamic_cast<const Error*>(&error);
  if (ours == nullptr) return "it ended with an error; see its own log";
  return ours->told().empty() ? ours->what() : ours->told();
}

// The work of one rank; `part` is empty at the dealer.
Answer run_as(const Member& member, const ErrandOrder& order, const Errand& errand,
              const std::optional<Errand::Part>& part, Progress& progress, Interruption& interruption) {
  std::exception_ptr refusal;
  std::string why;
  try {
    if (part) part->read();
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
    mesh = join(member, order.job.job, std::string(errand.name), std::nullopt, options, {.patience = errand.patience});
  } catch (const Error&) {
    if (refusal) std::rethrow_exception(refusal);
    throw;
  }
  interruption.tell([&] { mesh->abort(Exit::kNet, interrupted(member.rank(), interruption.signal()), -1); });
  try {
    if (refusal) std::rethrow_exception(refusal);
    Answer answer;
    if (part) {
      progress.follow(mesh.get());
      answer = part->over(*mesh, progress);
      progress.follow(nullptr);
    } else {
      if (errand.of_dealer) errand.of_dealer(*mesh);
      answer.json = {{"rank", member.rank()}, {"role", "dealer"}};
      answer.text = fmt::format("{}\n", errand.at_dealer);
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

Answer run_errand(const ErrandOrder& order, const Errand& errand, const net::GetVariable& get) {
  const Member member = find_member(order.job, order.seat, get);
  const int threads = find_threads(order.threads, get, member.ranks_here()).value;
  Console console(STDERR_FILENO);
  Progress progress(member.rank(), progress_style(order.quiet), console);
  std::optional<Errand::Part> part;
  if (member.is_party()) part = errand.part_of(member.rank(), threads);
  Interruption interruption([&](int signal) {
    if (part) part->tidy();
    progress.leave_with("tacit: " + interrupted(member.rank(), signal), kPatienceOfTerminal);
  });
  try {
    return run_as(member, order, errand, part, progress, interruption);
  } catch (const Error& error) {
    const int signal = interruption.signal();
    if (signal == 0 || error.exit() != Exit::kNet) throw;
    throw RunFailed(Interruption::exit_code(signal), interrupted(member.rank(), signal), "", interruption.held_back());
  }
}

Answer run_errand_of_all(const ErrandOrder& order, const Errand& errand, const net::GetVariable& get) {
  const int parties = static_cast<int>(order.job.job.parties);
  const int each = find_threads(order.threads, get, parties).value;
  std::vector<Errand::Part> parts;
  for (int rank = 0; rank < parties; ++rank) {
    parts.push_back(errand.part_of(rank, each));
    parts.back().read();
  }
  std::vector<std::unique_ptr<net::Mesh>> meshes = net::memory_mesh(parties, 0, {.patience = errand.patience});
  std::vector<Answer> told_by(parts.size());
  std::vector<std::exception_ptr> errors(parts.size());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    threads.emplace_back([&, i] {
      Console console(STDERR_FILENO);
      Progress progress(static_cast<int>(i), progress_style(order.quiet || i > 0), console);
      try {
        told_by[i] = parts[i].over(*meshes[i], progress);
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
  Answer all;
  all.json["parts"] = Json::array();
  for (const Answer& one : told_by) {
    all.text += one.text;
    all.json["parts"].push_back(one.json);
  }
  return all;
}

}  // namespace tacit::launcher
