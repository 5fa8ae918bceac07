#include "launcher/run/member.h"

#include <fmt/format.h>

#include "launcher/job/build_agreement.h"
#include "launcher/job/check_job.h"
#include "launcher/job/job_agreement.h"
#include "net/memory/emulated_mesh.h"

namespace tacit::launcher {

namespace {

std::string key_file(const Job& job, int rank) {
  std::string file = job.keys.identity.of(rank);
  if (!file.empty()) return file;
  throw ConfigError(fmt::format(
      "rank {} has no key: say --key FILE, or keys.identity in the job; `tacit keys new FILE` makes one", rank));
}

net::Roster roster_of(const Job& job) {
  if (!job.roster.empty()) return net::Roster::load(job.roster);
  throw ConfigError(
      "the job names no roster, the list of the ranks' keys: say roster = \"FILE\" in it, or --set "
      "roster=FILE; `tacit keys roster` makes one");
}

void expect_own_key(const Member& member, const std::string& file) {
  const net::Fingerprint& own = member.identity.fingerprint();
  if (own == member.roster.at(member.rank()).fingerprint) return;
  const int owner = member.roster.rank_of(own);
  throw ConfigError(
      owner >= 0
          ? fmt::format("the key {} belongs to rank {}, and this process is rank {} ({}): start it with --rank {}, or "
                        "with its own key",
                        file, owner, member.rank(), member.seat.rank.source.text(), owner)
          : fmt::format("the key {} has fingerprint {}, which is not in the roster: use the key of the fingerprint "
                        "that you gave to the others, or put this one into the roster of every rank",
                        file, own.text()));
}

}  // namespace

SeatInJob seat_in(const ReadJob& read) {
  return {{static_cast<int>(read.job.ranks()), read.sources.of("parties")},
          {read.job.master, read.sources.of("master")},
          read.job.helpers() > 0};
}

Member find_member(const ReadJob& read, const SeatFlags& flags, const net::GetVariable& get) {
  const Job& job = read.job;
  Seat seat = find_seat(flags, get, seat_in(read));
  if (!is_this_machine(seat.master_host.value)) expect_named(job, read.sources);
  net::Roster roster = roster_of(job);
  const net::World world = roster.world(seat.rank.value, seat.world_size.value);
  const std::string file = key_file(job, world.rank);
  Member member{std::move(seat), world, net::Identity::load(file), std::move(roster)};
  expect_own_key(member, file);
  return member;
}

std::unique_ptr<net::Mesh> join(const Member& member, const Job& job, const std::string& start,
                                const std::optional<Link>& link, net::RendezvousOptions options,
                                const net::TcpMeshOptions& mesh_options) {
  if (link && !is_this_machine(member.seat.master_host.value)) {
    throw ConfigError(fmt::format(
        "a link can be emulated only if all ranks share the clock of one machine, and rank 0 is at {}: leave out "
        "--emulate, or say --master 127.0.0.1:PORT",
        member.seat.master_host.value));
  }
  options.rank = member.rank();
  options.master = member.seat.master();
  if (is_this_machine(options.master.host)) options.listen.host = options.master.host;
  options.agreement = agreement_of(job);
  add(this_build(), options.agreement);
  options.agreement.set("command", start);
  options.agreement.set("emulated link", link ? link->text() : "none");
  std::unique_ptr<net::Mesh> mesh = net::connect_mesh(options, mesh_options, member.identity, member.roster);
  return link ? net::emulate_link(std::move(mesh), emulated(*link)) : std::move(mesh);
}

}  // namespace tacit::launcher
