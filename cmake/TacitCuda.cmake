# CUDA is optional. Kernels are in *.cu files, and are built only if TACIT_HAVE_CUDA is true.
set(TACIT_CUDA AUTO CACHE STRING "CUDA kernels: AUTO (where a working compiler is found), ON (required), OFF")
set_property(CACHE TACIT_CUDA PROPERTY STRINGS AUTO ON OFF)
set(TACIT_CUDA_ARCHITECTURES "80;90;100;120" CACHE STRING "The GPUs to compile for: compute capabilities without the dot")
set(TACIT_HAVE_CUDA FALSE)
if(NOT TACIT_CUDA STREQUAL "OFF")
  include(CheckLanguage)
  check_language(CUDA)  # compiles a test program: an nvcc that is half installed counts as none
  if(CMAKE_CUDA_COMPILER)
    set(TACIT_HAVE_CUDA TRUE)
    enable_language(CUDA)
  elseif(NOT TACIT_CUDA STREQUAL "AUTO")
    message(FATAL_ERROR "TACIT_CUDA is ${TACIT_CUDA} but no working CUDA compiler was found. Name one with "
      "-DCMAKE_CUDA_COMPILER=/path/to/nvcc, or configure with -DTACIT_CUDA=AUTO.")
  endif()
endif()
message(STATUS "CUDA: ${TACIT_CUDA}, available: ${TACIT_HAVE_CUDA}")
