# Python: Debian's, which has the modules that tools/setup installs. TACIT_PYTHON runs tests in Python. The package tacit
# (python/) is built where Python's headers and pybind11 are found, and never under a sanitizer, which the interpreter would
# have to be built with, too.
find_program(TACIT_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(TACIT_PYTHON python3)
mark_as_advanced(TACIT_PYTHON)

set(TACIT_HAVE_PYTHON OFF)
if(TACIT_PYTHON AND NOT TACIT_SANITIZE)
  set(Python_EXECUTABLE ${TACIT_PYTHON})
  find_package(Python 3.11 QUIET COMPONENTS Interpreter Development.Module)
  set(PYBIND11_FINDPYTHON ON)
  find_package(pybind11 2.10 QUIET)
  if(Python_Development.Module_FOUND AND pybind11_FOUND)
    set(TACIT_HAVE_PYTHON ON)
  else()
    message(STATUS "The Python package is not built: python3-dev and pybind11-dev are needed. tools/setup installs them.")
  endif()
endif()
