# The target format-check, part of ALL: checks that every source follows .clang-format. Otherwise
# the build fails with the command for the correction. Each file has a stamp, so a build checks only
# changed files. No library depends on the target: a misplaced space stops `ninja`, not `ninja
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

set(stamps)
foreach(folder launcher gnn mpc net tests bench tools examples)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
    ${folder}/*.h ${folder}/*.cc ${folder}/*.cu)
  foreach(source ${sources})
    set(stamp ${PROJECT_BINARY_DIR}/format/${source}.stamp)
    get_filename_component(stamp_folder ${stamp} DIRECTORY)
    file(MAKE_DIRECTORY ${stamp_folder})
    add_custom_command(OUTPUT ${stamp}
      COMMAND ${CMAKE_COMMAND} -DCLANG_FORMAT=${TACIT_CLANG_FORMAT} -DSOURCE=${source} -DSTAMP=${stamp}
        -P ${PROJECT_SOURCE_DIR}/cmake/check_format.cmake
      DEPENDS ${PROJECT_SOURCE_DIR}/${source} ${PROJECT_SOURCE_DIR}/.clang-format
        ${PROJECT_SOURCE_DIR}/cmake/check_format.cmake
      WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
      COMMENT "Checking the format of ${source}"
      VERBATIM)
    list(APPEND stamps ${stamp})
  endforeach()
endforeach()
add_custom_target(format-check ALL DEPENDS ${stamps})
