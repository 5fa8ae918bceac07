// Matrices that one side allocates and the other frees, which corrupts the heap unless both do it in the same way.
#include "gnn/data/preparation.h"
#include "gnn/data/sensors.h"
#include "mpc/ring/fixed_point.h"

using namespace tacit;

int main() {
  gnn::GraphData graph = gnn::make_sensors({});
  const mpc::RingTensor words = mpc::encode(*graph.x, {64, 13}, "x");
  graph.x = gnn::standardised(mpc::decode(words, 13));
  return 0;
}
