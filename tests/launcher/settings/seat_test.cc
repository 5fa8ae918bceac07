#include "launcher/settings/seat.h"

#include <gmock/gmock.h>

#include <map>

#include "tests/gnn/data/refusal.h"

namespace tacit::launcher {
namespace {

using gnn::refusal;
using testing::AllOf;
using testing::HasSubstr;
using Variables = std::map<std::string, std::string>;

const SeatInJob kJob = {{4, {Source::Kind::kFile, "job.toml", 3, 1}}, {"", Source::by_default()}};

Seat seat(const Variables& variables, const SeatFlags& flags = {}, const SeatInJob& job = kJob) {
  return find_seat(
      flags,
      [&](const char* name) {
        const auto found = variables.find(name);
        return found == variables.end() ? nullptr : found->second.c_str();
      },
      job);
}

std::string seeking(const Variables& variables, const SeatFlags& flags = {}, const SeatInJob& job = kJob) {
  return refusal([&] { seat(variables, flags, job); });
}

const Variables kTorch = {{"RANK", "2"}, {"WORLD_SIZE", "4"}, {"MASTER_ADDR", "node0"}, {"MASTER_PORT", "1234"}};

Variables with(Variables all, const Variables& more) {
  for (const auto& [name, value] : more) all[name] = value;
  return all;
}

TEST(Seat, FollowsTheFourVariables) {
  const Seat found = seat(kTorch);
  EXPECT_EQ(found.rank.value, 2);
  EXPECT_EQ(found.rank.source.text(), "RANK in the environment");
  EXPECT_EQ(found.world_size.value, 4);
  EXPECT_EQ(found.master().text(), "node0:1234");
}

TEST(Seat, AFlagBeatsTheEnvironmentWhichBeatsTheJob) {
  const SeatInJob job = {kJob.processes, {"node9:99", {Source::Kind::kFile, "job.toml", 4, 10}}};
  const Seat by_flags = seat(kTorch, {.rank = 1, .world_size = 4, .master = "node5:55"}, job);
  EXPECT_EQ(by_flags.rank.value, 1);
  EXPECT_EQ(by_flags.rank.source.text(), "--rank");
  EXPECT_EQ(by_flags.master().text(), "node5:55");
  EXPECT_EQ(seat(kTorch, {}, job).master().text(), "node0:1234");
  const Seat by_job = seat({{"RANK", "3"}}, {}, job);
  EXPECT_EQ(by_job.master().text(), "node9:99");
  EXPECT_EQ(by_job.master_host.source.text(), "job.toml:4");
  EXPECT_EQ(by_job.world_size.source.text(), "job.toml:3");
}

TEST(Seat, ComesFromTheLauncherOfTheProcess) {
  const Variables slurm = {{"SLURM_JOB_ID", "17"},
                           {"SLURM_STEP_ID", "0"},
                           {"SLURM_PROCID", "3"},
                           {"SLURM_NTASKS", "4"},
                           {"SLURM_JOB_NODELIST", "node[003-010,12],gpu1"}};
  const Seat by_slurm = seat(slurm);
  EXPECT_EQ(by_slurm.rank.value, 3);
  EXPECT_EQ(by_slurm.master().text(), "node003:4711");
  EXPECT_EQ(by_slurm.master_host.source.text(), "SLURM_JOB_NODELIST in the environment");
  EXPECT_EQ(by_slurm.master_port.source.text(), "default");

  const Variables mpi = {
      {"OMPI_COMM_WORLD_RANK", "1"}, {"OMPI_COMM_WORLD_SIZE", "4"}, {"OMPI_COMM_WORLD_LOCAL_SIZE", "4"}};
  EXPECT_EQ(seat(mpi).master().text(), "127.0.0.1:4711");
  EXPECT_THAT(seeking(with(mpi, {{"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}})), HasSubstr("MASTER_ADDR is not set"));
  const Seat mpi_by_slurm = seat(with(slurm, mpi));
  EXPECT_EQ(mpi_by_slurm.rank.value, 1) << "mpirun's daemons have a Slurm rank of their own";

  const Seat pmi = seat({{"PMI_RANK", "2"}, {"PMI_SIZE", "4"}, {"MASTER_ADDR", "a"}});
  EXPECT_EQ(pmi.rank.source.text(), "PMI_RANK in the environment");
  const Seat kubernetes = seat({{"JOB_COMPLETION_INDEX", "0"}, {"MASTER_ADDR", "job-0.svc"}});
  EXPECT_EQ(kubernetes.rank.value, 0);
  EXPECT_EQ(kubernetes.world_size.source.text(), "job.toml:3");
}

TEST(Seat, TheFourVariablesBeatTheLauncherOfTheProcess) {
  const Seat found = seat(with(kTorch, {{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "1"}}));
  EXPECT_EQ(found.rank.value, 2);
  EXPECT_EQ(found.world_size.value, 4);
}

TEST(Seat, HalfOfTwoStoriesIsRefused) {
  const Variables slurm = {{"SLURM_PROCID", "3"}, {"SLURM_NTASKS", "4"}, {"MASTER_ADDR", "a"}};
  EXPECT_THAT(seeking(with(slurm, {{"RANK", "2"}})),
              AllOf(HasSubstr("RANK is set (2) but WORLD_SIZE is not"), HasSubstr("SLURM_PROCID (3)"),
                    HasSubstr("set both RANK and WORLD_SIZE, or neither, to go by Slurm")));
  EXPECT_THAT(seeking(with(slurm, {{"WORLD_SIZE", "4"}})), HasSubstr("WORLD_SIZE is set (4) but RANK is not"));
  EXPECT_THAT(seeking({{"OMPI_COMM_WORLD_RANK", "1"}}),
              HasSubstr("OMPI_COMM_WORLD_RANK is set but OMPI_COMM_WORLD_SIZE is not, though Open MPI sets both"));
}

TEST(Seat, UnknownRanksGetARemedyForTheirLauncher) {
  EXPECT_THAT(seeking({}), HasSubstr("RANK is not set; expected the number of this process: say --rank, or set RANK"));
  EXPECT_THAT(seeking({{"RANK", ""}}), HasSubstr("RANK is not set")) << "empty is not set";
  EXPECT_THAT(seeking({{"SLURM_JOB_ID", "1"}}), HasSubstr("start it with srun"));
  EXPECT_THAT(seeking({{"SLURM_JOB_ID", "17"}, {"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "4"}}),
              AllOf(HasSubstr("the batch script of Slurm's job 17"), HasSubstr("put srun before the command")));
  EXPECT_THAT(seeking({{"KUBERNETES_SERVICE_HOST", "10.0.0.1"}}), HasSubstr("completionMode: Indexed"));
}

TEST(Seat, NumbersThatAreNoneOrDoNotFitTheJobAreRefused) {
  EXPECT_THAT(seeking(with(kTorch, {{"RANK", "two"}})), HasSubstr("RANK is \"two\"; expected a whole number"));
  EXPECT_THAT(seeking(with(kTorch, {{"RANK", "-1"}})), HasSubstr("RANK is \"-1\""));
  EXPECT_THAT(seeking(with(kTorch, {{"RANK", "4"}})), HasSubstr("rank 4 (RANK in the environment); expected 0 ... 3"));
  EXPECT_THAT(seeking(with(kTorch, {{"WORLD_SIZE", "3"}})),
              HasSubstr("3 processes (WORLD_SIZE in the environment), but the job needs 4: 3 parties and the dealer "
                        "(job.toml:3)"));
  SeatInJob without = kJob;
  without.dealer = false;
  EXPECT_THAT(seeking(with(kTorch, {{"WORLD_SIZE", "3"}}), {}, without),
              HasSubstr("but the job needs 4: one for each party, and no dealer (job.toml:3)"));
  EXPECT_THAT(seeking(with(kTorch, {{"MASTER_PORT", "0"}})), HasSubstr("MASTER_PORT is \"0\""));
  EXPECT_THAT(seeking(with(kTorch, {{"MASTER_ADDR", "a b"}})), HasSubstr("MASTER_ADDR is \"a b\""));
  EXPECT_THAT(seeking(kTorch, {.master = "node5"}), HasSubstr("the address of rank 0, --master: "));
  EXPECT_THAT(seeking(kTorch, {.rank = -3}), HasSubstr("rank -3 (--rank)"));
}

TEST(Seat, IsExplainedValueByValue) {
  const std::vector<Explained> lines = explain(seat(kTorch, {.rank = 1}));
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[0].name + " " + lines[0].value + " " + lines[0].source, "rank 1 --rank");
  EXPECT_EQ(lines[3].value + " " + lines[3].source, "1234 MASTER_PORT in the environment");
}

TEST(Seat, ThatIsIncompleteIsExplainedInPart) {
  const auto explained = [](const Variables& variables, const SeatFlags& flags = {}) {
    return text_of(explain_seat(
        flags,
        [&](const char* name) {
          const auto found = variables.find(name);
          return found == variables.end() ? nullptr : found->second.c_str();
        },
        kJob));
  };
  EXPECT_EQ(explained({}),
            "# rank: not stated\n# world size: 4 (job.toml:3)\n# address of rank 0: not stated\n"
            "# port of rank 0: 4711 (default)\n");
  EXPECT_EQ(explained({{"RANK", "two"}, {"MASTER_ADDR", "node0"}}, {.world_size = 4}),
            "# rank: RANK is \"two\"; expected a whole number, 0 ... 1023\n# world size: 4 (--world-size)\n"
            "# address of rank 0: node0 (MASTER_ADDR in the environment)\n# port of rank 0: 4711 (default)\n");
  EXPECT_EQ(explained(kTorch), text_of(explain(seat(kTorch))));
}

TEST(Seat, RankBesideSlurmsNeedsASizeOnlyWhereSlurmSaysItsOwnRank) {
  EXPECT_EQ(seat({{"RANK", "1"}, {"SLURM_NTASKS", "9"}, {"MASTER_ADDR", "a"}}).world_size.value, 4)
      << "salloc's variables may be for another program";
  EXPECT_THAT(seeking({{"RANK", "1"}, {"SLURM_PROCID", "1"}, {"SLURM_NTASKS", "9"}, {"MASTER_ADDR", "a"}}),
              HasSubstr("RANK is set (1) but WORLD_SIZE is not, and SLURM_PROCID (1) may mean another count"));
}

}  // namespace
}  // namespace tacit::launcher
