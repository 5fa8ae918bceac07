// The matrix product over Z_2^k on a device, in three ways with equal results. The time depends on shapes alone.
//
// product_by_warps       limbs of 8 bits on the matrix units of a warp (mma.sync): sm_80 and later
// product_by_warpgroups  the same limbs on the matrix units of four warps (wgmma): sm_90a alone, the fastest there
// product_by_words       multiplications of words on the plain units: any device, and any shape
#pragma once

#include "mpc/device/device_view.h"
#include "mpc/device/kernel_language.h"
#include "mpc/kernels/into.h"

namespace tacit::mpc::device {

// out = a·b, out += a·b or out -= a·b modulo 2^bits. `out` has a.rows · b.cols words without gaps and overlaps neither
// operand. Words of operands may have more bits. `processors` is the number of multiprocessors of the device. The calls
// are queued on `stream`, and return 0 or the error of CUDA.
int product_by_warps(DeviceView a, DeviceView b, Into into, Word* out, int bits, int processors, Stream stream);
int product_by_warpgroups(DeviceView a, DeviceView b, Into into, Word* out, int bits, int processors, Stream stream);
int product_by_words(DeviceView a, DeviceView b, Into into, Word* out, int bits, int processors, Stream stream);

}  // namespace tacit::mpc::device
