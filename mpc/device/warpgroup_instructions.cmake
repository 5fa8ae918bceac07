# Writes warpgroup_instructions.h into the build folder: WarpgroupProduct<width>, one instruction for each width that
# product_by_warpgroups.cu uses. PTX names each of up to 128 registers of the sums, so a file by hand would have 22 KB of
# register names.
function(tacit_write_warpgroup_instructions file)
  set(text "// Made by mpc/device/warpgroup_instructions.cmake. sums (64 × width, width / 2 registers a lane) += left (64 × 32,
// registers) · right (32 × width, shared memory, by its descriptor). The instruction runs until it is waited for.
#pragma once

#include <cstdint>

namespace tacit::mpc::device {

template <int kWidth>
struct WarpgroupProduct;
")
  set(widths)
  foreach(tile "16 8" "32 8" "48 5" "64 4")  # columns of a tile, and the most limbs that use it
    string(REGEX MATCH "([0-9]+) ([0-9]+)" tile ${tile})
    foreach(limbs RANGE 1 ${CMAKE_MATCH_2})
      math(EXPR width "${limbs} * ${CMAKE_MATCH_1}")
      list(APPEND widths ${width})
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES widths)
  foreach(width ${widths})
    math(EXPR last "${width} / 2 - 1")
    set(names)
    set(operands)
    foreach(i RANGE ${last})
      list(APPEND names "%${i}")
      list(APPEND operands "\"+r\"(d[${i}])")
    endforeach()
    foreach(i RANGE 5)  # four registers of the left operand, the descriptor, the one that means: add
      math(EXPR input${i} "${last} + 1 + ${i}")
    endforeach()
    list(JOIN names ", " names)
    list(JOIN operands ", " operands)
    string(APPEND text "
template <>
struct WarpgroupProduct<${width}> {
  __device__ static __forceinline__ void run(std::uint32_t* d, const std::uint32_t (&a)[4], std::uint64_t right) {
    asm volatile(\"{ .reg .pred p; setp.ne.b32 p, %${input5}, 0; wgmma.mma_async.sync.aligned.m64n${width}k32.s32.u8.u8 \"
                 \"{${names}}, {%${input0}, %${input1}, %${input2}, %${input3}}, %${input4}, p; }\"
                 : ${operands}
                 : \"r\"(a[0]), \"r\"(a[1]), \"r\"(a[2]), \"r\"(a[3]), \"l\"(right), \"r\"(1));
  }
};
")
  endforeach()
  string(APPEND text "\n}  // namespace tacit::mpc::device\n")
  file(CONFIGURE OUTPUT ${file} CONTENT "${text}" @ONLY)
endfunction()
