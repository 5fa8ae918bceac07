// Runs of programs over recording meshes, and what is in their records.
#pragma once

#include "tests/mpc/recording_mesh.h"
#include "tests/mpc/run_program.h"

namespace tacit::mpc {

inline constexpr const char* kHandshake = "handshake";

// A program that says on the mesh which step it is at.
using SteppedProgram = std::function<void(Session& session, net::Mesh& mesh)>;

// At n parties and a dealer, whose sessions begin in the step kHandshake. The rounds that each party counted.
std::vector<std::int64_t> run_recorded(int parties, net::Record& record, const SteppedProgram& program,
                                       net::AllReduce openings = net::AllReduce::kDirect);

// A party opens a session on this mesh and runs the program; the dealer does.
void run_rank(net::Mesh& mesh, const SteppedProgram& program, net::AllReduce openings = net::AllReduce::kDirect);

// Words of k bits from what one rank sent another.
std::vector<std::uint64_t> unpacked(const std::vector<std::byte>& bytes, int bits);

// A message of a TagExchange beside a reveal, by its length; programs here open nothing of the same length.
bool is_tag(const net::SentMessage& message, int parties);

// What the parties opened directly in a step: the sum of what each sent.
std::vector<std::uint64_t> opened(const net::Record& record, const std::string& step, int parties, int bits,
                                  net::Sum sum);

// Every protocol in a step of its own. The secrets are read at their owners, the first and the last party.
struct Secrets {
  Matrix x, y;  // of kSecretShape, in kSecretFormat
};
inline constexpr Shape kSecretShape{64, 128};
inline constexpr Format kSecretFormat{51, 13};
Secrets all_zero();
Secrets all_largest();
Secrets all_opposite();  // x the largest, y the smallest
Secrets random_secrets(unsigned seed);
void run_every_protocol(Session& session, net::Mesh& mesh, const Secrets& secrets);
SteppedProgram every_protocol(Secrets secrets);

// The steps of it that open something under a mask.
struct Opening {
  const char* step;
  int bits;
  net::Sum sum;
};
inline constexpr Opening kOpenings[] = {
    {"mask", 51, net::Sum::kAdd},
    {"mask in a wide ring", 64, net::Sum::kAdd},
    {"mask the product", 48, net::Sum::kAdd},
    {"mask the matrix product", 51, net::Sum::kAdd},
    {"show", 38, net::Sum::kAdd},
    {"compare", 64, net::Sum::kXor},
    {"mask the selected", 38, net::Sum::kAdd},
    {"mask the lifted", 64, net::Sum::kAdd},
    {"mask the lifted selection", 64, net::Sum::kAdd},
    {"mask the indicator", 20, net::Sum::kAdd},
    {"mask for a table", 8, net::Sum::kAdd},
    {"mask what was found", 20, net::Sum::kAdd},
    {"show the rivals", 51, net::Sum::kAdd},
    {"compare the pairs", 64, net::Sum::kXor},
    {"mask the winner", 51, net::Sum::kAdd},
    {"mask what won", 51, net::Sum::kAdd},
};

// Those that reveal something: words of kSecretFormat's ring.
struct Revealing {
  const char* step;
  bool to_all;
};
inline constexpr Revealing kRevealings[] = {
    {"reveal", true}, {"reveal to one", false}, {"reveal a constant", true}, {"reveal a constant to one", false}};

// Those for which something is dealt.
inline constexpr const char* kDealings[] = {
    "product",           "matmul", "compare", "select", "lift", "select and lift", "indicator of the pairs", "look up",
    "compare the pairs", "winner"};

}  // namespace tacit::mpc
