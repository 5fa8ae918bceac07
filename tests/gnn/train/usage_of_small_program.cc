// Prints the peak memory of a program that uses almost none.
#include <cstdio>

#include "gnn/train/usage.h"

int main() {
  std::printf("%lld\n", static_cast<long long>(tacit::gnn::usage_so_far().peak_memory));
  return 0;
}
