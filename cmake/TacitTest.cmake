# tacit_test(NAME [LABELS label …] [LIBRARIES target …] [SOURCES file …] [DEFINITIONS name=value …] [NEEDS target …]
#            [TIMEOUT seconds] [HEADERS target] [EACH] [ALONE] [SERIAL] [UNWATCHED]):
# adds the tests of NAME.cc (and SOURCES) to the folder's test program, and one ctest test with the file's name, which runs
# that file's tests alone.
# NEEDS      targets that are built before the test runs.
# HEADERS    the target with the precompiled headers (tacit_test_headers); by default test_headers.
# EACH       makes every TEST() a ctest test, NAME.Suite.Test: for tests that mostly wait, so that
#            they wait at the same time.
# ALONE      a program of its own, which is named NAME.
# SERIAL     runs the test alone: for tests that measure time.
# UNWATCHED  not built under a sanitizer: for tests of numbers and statistics, if other tests run the
#            same code there. Tests with the label slow are not built there either.
# Under a sanitizer, a test also has its folder's label, for example gnn/run: tools/test runs a folder's tests alone.
#
# The files of a program are compiled together, a few as one file: the headers and templates of tests take far longer to
# compile than their lines. Two files of a folder must not use one name for two things.
include(GoogleTest)

function(tacit_test name)
  cmake_parse_arguments(ARG "ALONE;EACH;SERIAL;UNWATCHED" "TIMEOUT;HEADERS" "LABELS;LIBRARIES;SOURCES;DEFINITIONS;NEEDS" ${ARGN})
  if(TACIT_SANITIZE AND (ARG_UNWATCHED OR "slow" IN_LIST ARG_LABELS))
    return()
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 600)
  endif()
  if(TACIT_SANITIZE)
    math(EXPR ARG_TIMEOUT "5 * ${ARG_TIMEOUT}")  # every access of memory is watched, perhaps on a busy machine
  endif()
  if(NOT ARG_SERIAL)
    set(ARG_SERIAL FALSE)
  endif()
  if(NOT ARG_HEADERS)
    set(ARG_HEADERS test_headers)
  endif()
  cmake_path(RELATIVE_PATH CMAKE_CURRENT_SOURCE_DIR BASE_DIRECTORY ${PROJECT_SOURCE_DIR}/tests OUTPUT_VARIABLE folder)
  if(TACIT_SANITIZE)
    list(APPEND ARG_LABELS ${folder})
  endif()
  if(ARG_ALONE)
    set(program ${name})
  else()
    string(REPLACE "/" "_" program tests/${folder})
  endif()

  if(NOT TARGET ${program})
    add_executable(${program})
    target_link_libraries(${program} PRIVATE tacit_options test_main)
    tacit_precompiled_by(${program} ${ARG_HEADERS})
    if(tacit_compiles_together AND NOT ARG_ALONE)
      set_target_properties(${program} PROPERTIES UNITY_BUILD ON)
    endif()
  endif()
  target_sources(${program} PRIVATE ${name}.cc ${ARG_SOURCES})
  target_compile_definitions(${program} PRIVATE ${ARG_DEFINITIONS})
  target_link_libraries(${program} PRIVATE ${ARG_LIBRARIES})
  if(ARG_NEEDS)
    add_dependencies(${program} ${ARG_NEEDS})
  endif()

  if(ARG_EACH)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${name}.cc)
    file(STRINGS ${name}.cc suites REGEX "^TEST(_F|_P)?[(]")
    list(TRANSFORM suites REPLACE "^TEST(_F|_P)?[(]([A-Za-z0-9_]+),.*" "\\2.*:*/\\2.*")
    list(REMOVE_DUPLICATES suites)
    if(NOT suites)
      message(FATAL_ERROR "${name}.cc: no line begins with TEST(, TEST_F( or TEST_P(, so that no test would run")
    endif()
    list(JOIN suites ":" suites)
    list(JOIN ARG_LABELS "\\;" labels)  # gtest_discover_tests would split a plain list
    gtest_discover_tests(${program} TEST_PREFIX ${name}. TEST_FILTER "${suites}" DISCOVERY_MODE PRE_TEST NO_PRETTY_VALUES
      PROPERTIES LABELS "${labels}" TIMEOUT ${ARG_TIMEOUT} RUN_SERIAL ${ARG_SERIAL})
  else()
    add_test(NAME ${name} COMMAND ${program} --file=${name})
    set_tests_properties(${name} PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT ${ARG_TIMEOUT} RUN_SERIAL ${ARG_SERIAL})
  endif()
endfunction()

# tacit_test_headers(NAME LIBRARIES target … HEADERS header …): precompiles the headers that most
# tests of a layer include: the standard library's, GoogleTest's, and these.
function(tacit_test_headers name)
  cmake_parse_arguments(ARG "" "" "LIBRARIES;HEADERS" ${ARGN})
  set(nothing ${CMAKE_CURRENT_BINARY_DIR}/${name}.cc)
  file(CONFIGURE OUTPUT ${nothing} CONTENT "")
  add_library(${name} STATIC ${nothing})
  target_link_libraries(${name} PRIVATE tacit_options ${ARG_LIBRARIES} GTest::gtest GTest::gmock)
  tacit_precompile(${name} <algorithm> <array> <chrono> <cmath> <filesystem> <fstream> <functional> <gmock/gmock.h>
    <gtest/gtest.h> <map> <memory> <optional> <random> <span> <string> <thread> <vector> ${ARG_HEADERS})
endfunction()
