// Tells how much memory a program with next to none had at most.
#include <cstdio>

#include "gnn/train/usage.h"

int main() {
  std::printf("%lld\n", static_cast<long long>(tacit::gnn::usage_so_far().peak_memory));
  return 0;
}
