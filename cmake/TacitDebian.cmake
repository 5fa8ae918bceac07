# `cmake --build build --target package`, or `cpack` in the build folder: packs everything that is
# installed as tacit_VERSION_ARCHITECTURE.deb, for the machines of other parties, and the Python
# package, if it is built, as python3-tacit_VERSION_ARCHITECTURE.deb. dpkg-shlibdeps
# reads the dependencies from the command. The dependencies for compiling programs against the
# libraries are only suggestions, since most machines never compile one.
set(TACIT_MAINTAINER "Tacit maintainers <maintainers@tacit.invalid>" CACHE STRING "Maintainer of the Debian package")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME tacit)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_COMPONENTS_ALL programs development)
if(TACIT_HAVE_PYTHON)
  list(APPEND CPACK_COMPONENTS_ALL python)
endif()
set(CPACK_PACKAGE_CONTACT ${TACIT_MAINTAINER})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_STRIP_FILES ON)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/strip_archives.cmake)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME tacit)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SUGGESTS "cmake (>= 3.25), g++, libeigen3-dev, libfmt-dev, libprotobuf-dev, libsodium-dev, \
libssl-dev, openssh-client, pkg-config, zlib1g-dev")
set(CPACK_DEBIAN_COMMAND_DESCRIPTION "train graph networks on data that nobody may show
Several organisations train a graph convolutional network on what each of
them holds, and none shows it: they compute on additive shares, over TLS
with keys pinned to ranks, and a dealer without data makes the randomness.
.
The command tacit makes keys, splits and checks data, and starts a rank of
a job or all of them. Libraries, headers and a CMake package are for
programs of one's own; what compiles these is suggested.")

if(TACIT_HAVE_PYTHON)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-tacit)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  math(EXPR next_minor "${Python_VERSION_MINOR} + 1")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
    "python3 (>= 3.${Python_VERSION_MINOR}), python3 (<< 3.${next_minor}), python3-numpy")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "tacit, python3-matplotlib, python3-pandas, python3-torch")
  set(CPACK_DEBIAN_PYTHON_DESCRIPTION "train graph networks on data that nobody may show (Python)
The Python package tacit: trainings on shares by the command tacit, from
arrays and frames to predictions; shares of numpy arrays in a simulation
of all parties; and sums of the gradients of any trainer over TLS, of
which nobody sees a summand.")
endif()
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_THREADS 0)

# The changelog in dpkg's form, compressed. The first version in the changelog is the package's version (tests/package
# checks this).
set(changelog ${CMAKE_CURRENT_LIST_DIR}/debian/changelog)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${changelog})
execute_process(COMMAND gzip -9nc ${changelog} OUTPUT_FILE ${PROJECT_BINARY_DIR}/changelog.gz COMMAND_ERROR_IS_FATAL ANY)
install(FILES ${PROJECT_BINARY_DIR}/changelog.gz DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT programs)

include(CPack)
cpack_add_component(programs GROUP command)
cpack_add_component(development GROUP command)
cpack_add_component(python GROUP python)
