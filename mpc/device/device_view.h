// A matrix in a device's memory.
#pragma once

#include <cstdint>

namespace tacit::mpc::device {

// One of the strides is 1.
struct DeviceView {
  const std::uint64_t* words = nullptr;
  std::int64_t rows = 0, cols = 0;
  std::int64_t row_stride = 0, col_stride = 1;
};

}  // namespace tacit::mpc::device
