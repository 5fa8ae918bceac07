# Makes a clean build compile the text of each header a few times only. ccache saves more, but cannot work with
# precompiled headers, so with ccache each file is compiled by itself. A build with ccache also shows that every file
# includes the headers that it needs.
option(TACIT_PRECOMPILE "Precompile headers and compile a folder's files together, if there is no compiler launcher such as ccache" ON)
set(tacit_compiles_together OFF)
if(TACIT_PRECOMPILE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(tacit_compiles_together ON)
endif()

# tacit_precompile(TARGET HEADER…): precompiles the headers that most files of the target include. A
# header of this project is named from the project's root. The lines of a file take a second to
# compile, and its headers up to five. Leave out fmt for code without optimisation (-O0): a pragma
# in fmt asks for some optimisation, and g++ 12 applies the pragma of a precompiled fmt to the whole
# file.
function(tacit_precompile target)
  if(tacit_compiles_together)
    list(TRANSFORM ARGN PREPEND "${PROJECT_SOURCE_DIR}/" REGEX "^[a-z]+/")
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
endfunction()

# tacit_precompiled_by(TARGET OTHER): TARGET uses the precompiled headers of OTHER.
function(tacit_precompiled_by target other)
  if(tacit_compiles_together)
    target_precompile_headers(${target} REUSE_FROM ${other})
  endif()
endfunction()

# tacit_compile_together(TARGET [COMPUTES] folder …): compiles the files of each folder as one file, so that large
# headers (JSON, CLI11) and their templates are compiled once. Two files of a folder must not use the same name in an
# anonymous namespace. Files with compile options of their own stay by themselves. Call it after all sources are
# named. COMPUTES is for code with loops over values: g++ limits how much inlining may enlarge a large file, and with
# the limit bench/baselines was 20 times slower as one file.
function(tacit_compile_together target)
  if(NOT tacit_compiles_together)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  get_target_property(root ${target} SOURCE_DIR)
  foreach(source ${sources})
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${root} NORMALIZE OUTPUT_VARIABLE file)
    cmake_path(GET file PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${root})
    if(folder IN_LIST ARGN)
      string(MAKE_C_IDENTIFIER ${folder} group)
      set_source_files_properties(${source} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP ${group})
    endif()
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  if("COMPUTES" IN_LIST ARGN)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:--param=large-unit-insns=1000000>)
  endif()
endfunction()
