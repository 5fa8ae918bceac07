# tacit_embed(FILE.cc FUNCTION FILES…): writes FILE.cc with tacit::launcher::FUNCTION(), which returns the texts of
# FILES.
function(tacit_embed file function)
  set(texts "")
  foreach(path IN LISTS ARGN)
    file(READ ${path} text)
    get_filename_component(name ${path} NAME)
    string(APPEND texts "      {\"${name}\", R\"embedded(${text})embedded\"},\n")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
  endforeach()
  file(CONFIGURE OUTPUT ${file} @ONLY CONTENT [[
#include <string_view>
#include <utility>
#include <vector>

namespace tacit::launcher {

std::vector<std::pair<std::string_view, std::string_view>> @function@() {
  return {
@texts@  };
}

}  // namespace tacit::launcher
]])
  # clang's -Wpedantic reports texts of more than 64 KiB.
  set_source_files_properties(${file} PROPERTIES COMPILE_OPTIONS $<$<CXX_COMPILER_ID:Clang>:-Wno-overlength-strings>)
endfunction()
