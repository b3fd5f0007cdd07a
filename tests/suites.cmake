# Read by ctest when it starts: each suite of a test program is an entry of its own, `folder.Suite`. The caller sets
# name, program, folder (to run in), timeout, locales and slow (the suites of the label slow).
cmake_policy(VERSION 3.25)
if(NOT EXISTS ${program})
  add_test(${name}.is_not_built ${program})
  return()
endif()
execute_process(COMMAND ${program} --gtest_list_tests OUTPUT_VARIABLE listed RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "${program} cannot list its tests: ${failed}")
endif()

# `Prefix/Suite/0.` and the like are listed without indentation; all that come from one suite are one entry.
string(REGEX MATCHALL "\n[A-Za-z0-9_/]+\\." suites "\n${listed}")
list(TRANSFORM suites REPLACE "[\n.]" "")
list(TRANSFORM suites REPLACE "/[0-9]+$" "")
list(TRANSFORM suites REPLACE "^.*/" "")
list(REMOVE_DUPLICATES suites)
foreach(suite IN LISTS suites)
  set(test ${name}.${suite})
  add_test(${test} ${program} --gtest_brief=1 "--gtest_filter=${suite}.*:*/${suite}.*:${suite}/*:*/${suite}/*")
  set_tests_properties(${test} PROPERTIES WORKING_DIRECTORY ${folder} TIMEOUT ${timeout} ENVIRONMENT
                                          "ARTICULA_TEST_LOCALES=${locales}")
  if(test IN_LIST slow)
    set_tests_properties(${test} PROPERTIES LABELS slow)
  endif()
endforeach()
