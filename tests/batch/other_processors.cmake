# Whether the tests of batches pass on processors without the instructions of this one. qemu stands in for them:
#   Nehalem  knows no AVX: any such instruction that strays into what all run ends the program
#   Haswell  has AVX2 and no AVX-512
# CONTROL, a program of AVX2, must fail on the first; otherwise passing there means nothing.
function(run_on processor result)
  execute_process(
    COMMAND sh -c "ulimit -c 0; exec \"$@\"" sh ${QEMU} -cpu ${processor} ${ARGN}
    RESULT_VARIABLE status
    OUTPUT_VARIABLE said
    ERROR_VARIABLE said)
  set(${result} ${status} PARENT_SCOPE)
  set(said "${said}" PARENT_SCOPE)
endfunction()

if(CONTROL)
  run_on(Nehalem status ${CONTROL} --gtest_filter=*KeepsTheSignOfZero*)
  if(status EQUAL 0 OR NOT said MATCHES "Illegal instruction")
    message(FATAL_ERROR "AVX2 runs on a Nehalem of ${QEMU}, so that this test could not fail: ${status}\n${said}")
  endif()
endif()

run_on(Nehalem status ${BATCH_TEST})
if(NOT status EQUAL 0 OR NOT said MATCHES "PASSED")
  message(FATAL_ERROR "Batches fail on a processor without AVX: ${status}\n${said}")
endif()

# Emulated, AVX2 is slow: what every algorithm of lanes goes through is enough.
run_on(Haswell status ${BATCH_TEST} --gtest_filter=Batch.DynamicsEqual*:Batch.SinglePrecision*:Batch.Reports*)
if(NOT status EQUAL 0 OR NOT said MATCHES "PASSED")
  message(FATAL_ERROR "Batches fail on a processor with AVX2 and no AVX-512: ${status}\n${said}")
endif()
