// Matrices that one side allocates and the other frees; the heap is corrupted unless both use the
// same method.
#include "gnn/data/preparation.h"
#include "mpc/ring/fixed_point.h"

using namespace tacit;

int main() {
  gnn::Matrix x = gnn::Matrix::Random(300, 8);
  const mpc::RingTensor words = mpc::encode(x, {64, 13}, "x");
  x = gnn::standardised(mpc::decode(words, 13));
  return 0;
}
