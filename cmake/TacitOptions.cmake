# The compile options of every target. The project's targets link tacit_options.
option(TACIT_TESTS "Build the tests" ON)
option(TACIT_BENCH "Build the benchmarks" ON)
set(TACIT_SANITIZE "" CACHE STRING "Sanitizers for every target, for example address,undefined or thread")

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# ccache is used if it is installed, and is never required.
if(NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(TACIT_CCACHE ccache)
  mark_as_advanced(TACIT_CCACHE)
  if(TACIT_CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${TACIT_CCACHE})
  endif()
endif()

# mold is used if it is installed, and is never required: GNU ld takes 2.7 CPU seconds for each of 250 programs.
find_program(TACIT_MOLD mold)
mark_as_advanced(TACIT_MOLD)
if(TACIT_MOLD AND NOT (CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 12.1))
  add_link_options(-fuse-ld=mold)
endif()

add_library(tacit_options INTERFACE)
target_include_directories(tacit_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(tacit_options INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wpedantic;-Wshadow;-Wconversion;\
-Wsign-conversion;-Wnon-virtual-dtor;-Wold-style-cast;-Wcast-qual;-Woverloaded-virtual;-Werror>")
# With late garbage collection, g++ takes a tenth less time, and up to a gigabyte of memory.
target_compile_options(tacit_options INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:--param=ggc-min-heapsize=1000000>)
# For targets that do not handle raw bytes. The address sanitizer still watches their pointers, but
# the undefined-behaviour checks at each pointer, which take a quarter of the compile time, are off.
add_library(tacit_pointers_unasked INTERFACE)
if(TACIT_SANITIZE MATCHES undefined)
  target_compile_options(tacit_pointers_unasked INTERFACE -fno-sanitize=null,alignment,object-size)
endif()
if(TACIT_SANITIZE)
  target_compile_options(tacit_options INTERFACE -fsanitize=${TACIT_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(tacit_options INTERFACE -fsanitize=${TACIT_SANITIZE})
  if(TACIT_SANITIZE MATCHES thread)
    # g++ warns about Asio's fences. Asio also takes locks, and the locks give the order.
    target_compile_options(tacit_options INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-tsan>)
  endif()
  if(TACIT_SANITIZE MATCHES undefined)
    # clang 14 cannot compile coroutines with the check `function`; g++ has no such check. With the check `pointer-overflow`,
    # clang reports 0 + offset. Eigen computes such an address for a column of an empty matrix, and the product of a
    # sparse matrix without columns does, too. Neither reads there.
    target_compile_options(tacit_options INTERFACE
      "$<$<COMPILE_LANG_AND_ID:CXX,Clang>:-fno-sanitize=function;-fno-sanitize=pointer-overflow>")
  endif()
endif()
