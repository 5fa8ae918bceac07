# The target format-check, part of ALL: checks that every source follows .clang-format. Otherwise
# the build fails with the command for the correction. A build checks the layers in which a file
# changed. No library depends on the target: a misplaced space stops `ninja`, not `ninja
# some_test`.
option(TACIT_FORMAT_CHECK "Check the formatting of every source as part of the build" ON)
if(NOT TACIT_FORMAT_CHECK)
  return()
endif()

# Other versions format differently, so only the version of Debian 12 counts.
find_program(TACIT_CLANG_FORMAT NAMES clang-format-14 clang-format)
mark_as_advanced(TACIT_CLANG_FORMAT)
set(version "not found")
if(TACIT_CLANG_FORMAT)
  execute_process(COMMAND ${TACIT_CLANG_FORMAT} --version OUTPUT_VARIABLE version OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()
if(NOT version MATCHES "version 14\\.")
  message(WARNING "The formatting is not checked: clang-format 14 is needed (${version}). tools/setup installs it.")
  return()
endif()

# One process checks all files of a layer. A process for each of 1,400 files took a tenth of the build's time.
set(stamps)
foreach(folder launcher gnn mpc net python tacit tests bench tools examples)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
    ${folder}/*.h ${folder}/*.cc ${folder}/*.cu)
  if(NOT sources)
    continue()
  endif()
  set(stamp ${PROJECT_BINARY_DIR}/format/${folder}.stamp)
  set(list ${PROJECT_BINARY_DIR}/format/${folder}.files)
  list(JOIN sources "\n" lines)
  file(CONFIGURE OUTPUT ${list} CONTENT "${lines}\n" @ONLY)
  list(TRANSFORM sources PREPEND ${PROJECT_SOURCE_DIR}/)
  add_custom_command(OUTPUT ${stamp}
    COMMAND ${CMAKE_COMMAND} -DCLANG_FORMAT=${TACIT_CLANG_FORMAT} -DLIST=${list} -DSTAMP=${stamp}
      -P ${PROJECT_SOURCE_DIR}/cmake/check_format.cmake
    DEPENDS ${sources} ${list} ${PROJECT_SOURCE_DIR}/.clang-format ${PROJECT_SOURCE_DIR}/cmake/check_format.cmake
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    COMMENT "Checking the format of ${folder}/"
    VERBATIM)
  list(APPEND stamps ${stamp})
endforeach()
add_custom_target(format-check ALL DEPENDS ${stamps})
