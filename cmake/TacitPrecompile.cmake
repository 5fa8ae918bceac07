# tacit_precompile(TARGET HEADER…): what most files of a target include is compiled once, the project's own headers too, named
# from its root: a file's own few lines take a second, what it includes up to five. tacit_precompiled_by(TARGET OTHER): and what
# OTHER compiled serves this target too.
#
# No fmt where nothing is optimised (-O0): fmt asks for a little of it by a pragma, and g++ 12 takes a precompiled one to
# have asked for the whole file.
#
# Not where a compiler launcher is: ccache saves more, and cannot with precompiled headers. So it is seen, too, that what a
# file includes by itself is enough for it.
option(TACIT_PRECOMPILE "Precompile headers, where no compiler launcher as ccache is used" ON)

function(tacit_precompile target)
  if(TACIT_PRECOMPILE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    list(TRANSFORM ARGN PREPEND "${PROJECT_SOURCE_DIR}/" REGEX "^[a-z]+/")
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
endfunction()

function(tacit_precompiled_by target other)
  if(TACIT_PRECOMPILE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    target_precompile_headers(${target} REUSE_FROM ${other})
  endif()
endfunction()
