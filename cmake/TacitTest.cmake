# tacit_test(NAME [LABELS label …] [LIBRARIES target …] [SOURCES file …] [DEFINITIONS name=value …]
#            [TIMEOUT seconds] [HEADERS target] [EACH] [SERIAL] [UNWATCHED]):
# builds NAME.cc (and SOURCES) as a test program, and adds one ctest test with its name.
# HEADERS    the target with the precompiled headers (tacit_test_headers); by default test_headers.
# EACH       makes every TEST() a ctest test, NAME.Suite.Test: for tests that mostly wait, so that
#            they wait at the same time.
# SERIAL     runs the test alone: for tests that measure time.
# UNWATCHED  not built under a sanitizer: for tests of numbers and statistics, if other tests run the
#            same code there. Tests with the label slow are not built there either.
include(GoogleTest)

function(tacit_test name)
  cmake_parse_arguments(ARG "EACH;SERIAL;UNWATCHED" "TIMEOUT;HEADERS" "LABELS;LIBRARIES;SOURCES;DEFINITIONS" ${ARGN})
  if(TACIT_SANITIZE AND (ARG_UNWATCHED OR "slow" IN_LIST ARG_LABELS))
    return()
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 300)
  endif()
  if(TACIT_SANITIZE)
    math(EXPR ARG_TIMEOUT "5 * ${ARG_TIMEOUT}")  # every access of memory is watched, perhaps on a busy machine
  endif()
  if(NOT ARG_SERIAL)
    set(ARG_SERIAL FALSE)
  endif()
  add_executable(${name} ${name}.cc ${ARG_SOURCES})
  target_compile_definitions(${name} PRIVATE ${ARG_DEFINITIONS})
  target_link_libraries(${name} PRIVATE tacit_options ${ARG_LIBRARIES} GTest::gtest GTest::gmock GTest::gtest_main)
  if(NOT ARG_HEADERS)
    set(ARG_HEADERS test_headers)
  endif()
  tacit_precompiled_by(${name} ${ARG_HEADERS})
  if(ARG_EACH)
    list(JOIN ARG_LABELS "\\;" labels)  # gtest_discover_tests would split a plain list
    gtest_discover_tests(${name} TEST_PREFIX ${name}. DISCOVERY_MODE PRE_TEST
      PROPERTIES LABELS "${labels}" TIMEOUT ${ARG_TIMEOUT} RUN_SERIAL ${ARG_SERIAL})
  else()
    add_test(NAME ${name} COMMAND ${name})
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
