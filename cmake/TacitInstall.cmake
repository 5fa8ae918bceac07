# The rules of `cmake --install`: the libraries with their headers as the CMake package tacit, the
# programs for users, and examples. No installed file depends on the place of the build or of the
# installation.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# Names sources from the repository's root in messages and for debuggers.
function(tacit_name_sources_from_root target)
  target_compile_options(${target} PRIVATE
    -ffile-prefix-map=${PROJECT_SOURCE_DIR}/= -ffile-prefix-map=${PROJECT_BINARY_DIR}=build)
endfunction()

# The public headers (tacit/*.h) and all headers that they include, as paths from the repository's root.
function(tacit_installed_headers out)
  get_property(found GLOBAL PROPERTY TACIT_INSTALLED_HEADERS)
  if(NOT found)
    file(GLOB todo RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tacit/*.h)
    while(todo)
      list(POP_FRONT todo header)
      if(header IN_LIST found)
        continue()
      endif()
      list(APPEND found ${header})
      file(STRINGS ${PROJECT_SOURCE_DIR}/${header} includes REGEX "^ *# *include \"")
      list(TRANSFORM includes REPLACE "^[^\"]*\"([^\"]*)\".*" "\\1")
      list(APPEND todo ${includes})
    endwhile()
    set_property(GLOBAL PROPERTY TACIT_INSTALLED_HEADERS ${found})
  endif()
  set(${out} ${found} PARENT_SCOPE)
endfunction()

# tacit_install_library(TARGET NAME [header …]): installs this folder's layer as tacit::NAME, with the public header
# tacit/NAME.h, the named headers, and all headers of the layer that public headers include. tests/package checks that
# no header is missing. One is missing if an installed header gets a new include and CMake has not run since.
function(tacit_install_library target name)
  tacit_installed_headers(headers)
  list(FILTER headers INCLUDE REGEX "^${name}/")
  list(APPEND headers tacit/${name}.h ${ARGN})
  list(TRANSFORM headers PREPEND ${PROJECT_SOURCE_DIR}/)
  target_sources(${target} PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${headers})
  target_compile_features(${target} PUBLIC cxx_std_20)
  # Shared libraries of others, as the modules of Python, can hold them. No symbol is meant to be replaced at run time, so
  # that calls within a file are inlined as in a program.
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fno-semantic-interposition>)
  tacit_name_sources_from_root(${target})
  set_property(GLOBAL APPEND PROPERTY TACIT_INSTALLED ${target})
  install(TARGETS ${target} EXPORT tacit
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
    FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tacit COMPONENT development)
endfunction()

function(tacit_install_program target)
  tacit_name_sources_from_root(${target})
  set_property(GLOBAL APPEND PROPERTY TACIT_INSTALLED ${target})
  install(TARGETS ${target} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT programs)
endfunction()

# Call after all libraries are defined. The target `installable` builds the installed files, without
# tests and benchmarks.
function(tacit_install_package)
  get_property(installed GLOBAL PROPERTY TACIT_INSTALLED)
  add_custom_target(installable DEPENDS ${installed})
  add_dependencies(installable tacit_manual)
  set(folder ${CMAKE_INSTALL_LIBDIR}/cmake/tacit)
  configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/tacitConfig.cmake.in
    ${PROJECT_BINARY_DIR}/package/tacitConfig.cmake INSTALL_DESTINATION ${folder})
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/tacitConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
  install(FILES ${PROJECT_BINARY_DIR}/package/tacitConfig.cmake ${PROJECT_BINARY_DIR}/package/tacitConfigVersion.cmake
    DESTINATION ${folder} COMPONENT development)
  install(EXPORT tacit FILE tacitTargets.cmake NAMESPACE tacit:: DESTINATION ${folder} COMPONENT development)
  foreach(readme README.md SECURITY.md CONTRIBUTING.md CHANGELOG.md  # that a user is sent to
      launcher/README.md gnn/README.md gnn/data/README.md python/README.md)
    cmake_path(GET readme PARENT_PATH folder)
    install(FILES ${readme} DESTINATION ${CMAKE_INSTALL_DOCDIR}/${folder} COMPONENT programs)
  endforeach()
  install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT programs PATTERN __pycache__ EXCLUDE)
  install(DIRECTORY examples/ tools/cluster DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples COMPONENT programs
    USE_SOURCE_PERMISSIONS)
endfunction()
