# A script that writes the commit checked out in SOURCE to FILE. Leaves a FILE with this commit
# unchanged.
execute_process(COMMAND git -C ${SOURCE} rev-parse --short=7 HEAD
  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed)
  set(commit unknown)
else()
  execute_process(COMMAND git -C ${SOURCE} status --porcelain --untracked-files=no
    OUTPUT_VARIABLE changed OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(changed)
    string(APPEND commit "+")
  endif()
endif()
file(CONFIGURE OUTPUT ${FILE} @ONLY CONTENT [[
#include "launcher/job/build_commit.h"

namespace tacit::launcher {

const char* build_commit() { return "@commit@"; }

}  // namespace tacit::launcher
]])
