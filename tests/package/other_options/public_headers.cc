// Each public header compiles in a program of somebody else.
#include "tacit/gnn.h"
#include "tacit/mpc.h"
#include "tacit/net.h"
#include "tacit/protocol.h"

using namespace tacit;

int main() {
  for (const auto& mesh : net::memory_mesh(2)) {
    if (mesh->parties() != 2) return 1;
  }
  mpc::ClearSession session(2);
  const mpc::Matrix x = mpc::Matrix::Constant(2, 3, 1.5);
  const mpc::Share share = mpc::input(session, 0, mpc::shape_of(x), {64, 13}, &x, "x");
  const mpc::Public sum = mpc::reveal(session, share + share, mpc::To::everyone(), "x + x");
  double last = 0;
  session.output([&](const mpc::PublicReader& read) { last = read(sum)(1, 2); });
  return last == 3 ? 0 : 1;
}
