# eos_library(NAME SOURCES … LINKS …): one library a folder; LINKS is all that the folder may include
# (tests/architecture holds the folders against it).
function(eos_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINKS;PRIVATE_LINKS" ${ARGN})
  if(ARG_SOURCES)
    add_library(${name} STATIC ${ARG_SOURCES})
    target_link_libraries(${name} PUBLIC eos_settings ${ARG_LINKS} PRIVATE ${ARG_PRIVATE_LINKS})
  else()
    add_library(${name} INTERFACE)
    target_link_libraries(${name} INTERFACE eos_settings ${ARG_LINKS})
  endif()
endfunction()

# eos_test(NAME LABEL unit SOURCES … LINKS …): one test program a folder, its cases found by ctest.
function(eos_test name)
  cmake_parse_arguments(ARG "" "LABEL" "SOURCES;LINKS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE eos_settings ${ARG_LINKS} GTest::gtest GTest::gmock GTest::gmock_main)
  gtest_discover_tests(${name} PROPERTIES LABELS ${ARG_LABEL} TIMEOUT 120 DISCOVERY_MODE PRE_TEST)
endfunction()
