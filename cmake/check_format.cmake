# cmake -DCLANG_FORMAT=… -DSOURCE=… -DSTAMP=… -P check_format.cmake: touches STAMP if SOURCE has the
# right format.
execute_process(COMMAND ${CLANG_FORMAT} --dry-run --Werror ${SOURCE}
  RESULT_VARIABLE unformatted ERROR_VARIABLE places OUTPUT_QUIET)
if(unformatted)
  string(REGEX MATCH "^[^\n]*" first_place "${places}")
  message(FATAL_ERROR "${first_place}\nTo fix it, in the repository's root:  clang-format -i ${SOURCE}")
endif()
file(TOUCH ${STAMP})
