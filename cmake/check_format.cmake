# cmake -DCLANG_FORMAT=… -DLIST=… -DSTAMP=… -P check_format.cmake: touches STAMP if all files that LIST names have the right
# format.
file(STRINGS ${LIST} sources)
execute_process(COMMAND ${CLANG_FORMAT} --dry-run --Werror ${sources}
  RESULT_VARIABLE unformatted ERROR_VARIABLE places OUTPUT_QUIET)
if(unformatted)
  string(REGEX MATCH "^[^\n:]*" source "${places}")
  string(REGEX MATCH "^[^\n]*" first_place "${places}")
  message(FATAL_ERROR "${first_place}\nTo fix it, in the repository's root:  clang-format -i ${source}")
endif()
file(TOUCH ${STAMP})
