# articula_flags: what all code of this project is compiled and linked with.
# It is never exported; libraries and programs link it through BUILD_INTERFACE.
add_library(articula_flags INTERFACE)
target_compile_features(articula_flags INTERFACE cxx_std_20)

# The same arithmetic everywhere: no fused multiply-add that the text does not ask for.
target_compile_options(articula_flags INTERFACE -ffp-contract=off -fno-math-errno)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC packs vectors of three in pairs and loses more by shuffling than it wins. Loops are still vectorised.
  target_compile_options(articula_flags INTERFACE -fno-tree-slp-vectorize)
endif()

# What a test may take, in seconds; code that checks itself is ten times as slow.
set(ARTICULA_TEST_TIMEOUT 600)
if(ARTICULA_SANITIZE)
  set(ARTICULA_TEST_TIMEOUT 6000)
  target_compile_options(articula_flags INTERFACE -fsanitize=${ARTICULA_SANITIZE} -fno-sanitize-recover=all
                                                  -fno-omit-frame-pointer)
  target_link_options(articula_flags INTERFACE -fsanitize=${ARTICULA_SANITIZE})
endif()
if(ARTICULA_COVERAGE)
  target_compile_options(articula_flags INTERFACE --coverage)
  target_link_options(articula_flags INTERFACE --coverage)
endif()
if(ARTICULA_BUILD_FUZZ)
  target_compile_options(articula_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

# articula_warnings: for this project's own sources only.
add_library(articula_warnings INTERFACE)
target_compile_options(
  articula_warnings
  INTERFACE -Wall
            -Wextra
            -Wpedantic
            -Wcast-qual
            -Wextra-semi
            -Wfloat-conversion
            -Wnon-virtual-dtor
            -Wold-style-cast
            -Woverloaded-virtual
            -Wno-missing-field-initializers) # {.q = q} leaves the other fields at their defaults on purpose
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Not with clang, whose -Wshadow also forbids an argument q beside a static member q (every joint kind).
  # Nor where files are compiled together, whose own names may hide each other.
  target_compile_options(
    articula_warnings INTERFACE -Wduplicated-cond -Wlogical-op
                                $<$<NOT:$<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>>:-Wshadow>)
  if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # GCC 12 sees overlaps and unset members in std::string where there are none.
    target_compile_options(articula_warnings INTERFACE -Wno-maybe-uninitialized -Wno-restrict)
  endif()
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # Without optimisation, loops that are marked as independent are not vectorised, and clang says so for each.
  target_compile_options(articula_warnings INTERFACE -Wno-pass-failed)
endif()
if(ARTICULA_WERROR)
  target_compile_options(articula_warnings INTERFACE -Werror)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # These depend on what the optimiser happened to inline; they inform, they do not stop a build.
    target_compile_options(
      articula_warnings INTERFACE -Wno-error=array-bounds -Wno-error=maybe-uninitialized
                                  -Wno-error=stringop-overflow -Wno-error=stringop-overread)
  endif()
endif()
