// Runs programs over recording meshes, and reads their records.
#pragma once

#include "tests/mpc/recording_mesh.h"
#include "tests/mpc/run_program.h"

namespace tacit::mpc {

inline constexpr const char* kHandshake = "handshake";

// A program that names its current step on the mesh.
using SteppedProgram = std::function<void(Session& session, net::Mesh& mesh)>;

// Runs n parties and a dealer. All sessions begin in the step kHandshake. Returns the rounds that
// each party counted.
std::vector<std::int64_t> run_recorded(int parties, net::Record& record, const SteppedProgram& program,
                                       net::AllReduce openings = net::AllReduce::kDirect);

// Opens a session on this mesh; a party then runs the program, the dealer its own side.
void run_rank(net::Mesh& mesh, const SteppedProgram& program, net::AllReduce openings = net::AllReduce::kDirect);

// Unpacks words of k bits from the bytes that one rank sent another.
std::vector<std::uint64_t> unpacked(const std::vector<std::byte>& bytes, int bits);

// Recognises a message of a TagExchange beside a reveal by its length; programs here open nothing
// of the same length.
bool is_tag(const net::SentMessage& message, int parties);

// The value that the parties opened directly in a step: the sum of their messages.
std::vector<std::uint64_t> opened(const net::Record& record, const std::string& step, int parties, int bits,
                                  net::Sum sum);

// Runs every protocol in its own step. The first and the last party own the secrets.
struct Secrets {
  Matrix x, y;  // shape kSecretShape, format kSecretFormat
};
inline constexpr Shape kSecretShape{64, 128};
inline constexpr Format kSecretFormat{51, 13};
Secrets all_zero();
Secrets all_largest();
Secrets all_opposite();  // x the largest, y the smallest
Secrets random_secrets(unsigned seed);
void run_every_protocol(Session& session, net::Mesh& mesh, const Secrets& secrets);
SteppedProgram every_protocol(Secrets secrets);

// The steps of run_every_protocol that open a value under a mask.
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
    {"mask the row product", 51, net::Sum::kAdd},
    {"mask what is noisy", 51, net::Sum::kAdd},
    {"mask beside late reveals", 51, net::Sum::kAdd},
    {"mask the lifted polynomials", 64, net::Sum::kAdd},
    {"compare coarsely", 64, net::Sum::kXor},
    {"mask what is selected in a narrow ring", 20, net::Sum::kAdd},
};

// The steps that reveal a value: words of kSecretFormat's ring.
struct Revealing {
  const char* step;
  bool to_all;
  bool directly = false;  // with any algorithm of openings
};
inline constexpr Revealing kRevealings[] = {{"reveal", true},
                                            {"reveal to one", false},
                                            {"reveal a constant", true},
                                            {"reveal a constant to one", false},
                                            {"late reveal", true, true},
                                            {"late reveal to one", false}};

// The steps that use dealt values (correlated randomness).
inline constexpr const char* kDealings[] = {"product",
                                            "matmul",
                                            "compare",
                                            "select",
                                            "lift",
                                            "select and lift",
                                            "indicator of the pairs",
                                            "look up",
                                            "compare the pairs",
                                            "winner",
                                            "row product",
                                            "noise",
                                            "lifted polynomials",
                                            "compare coarsely"};

}  // namespace tacit::mpc
