# Runs a study into a new store; fails where a check does.
file(REMOVE ${STORE} ${STORE}-wal ${STORE}-shm)
execute_process(COMMAND ${PROGRAM} run ${STUDY} --store ${STORE} RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "${STUDY} ended with ${result}")
endif()
