# articula::core      the modules fit for a controller; Eigen and Boost headers only
# articula::articula  all the rest; its dependencies stay private

set(core_modules base scalar spatial joints model mechanism build dynamics closure network loops drives)
set(other_modules text formats contact flex integrate generate batch solve control simulate identify optimize store
                  report study serve)

if(ARTICULA_BUILD_FUZZ) # readers are fuzzed; lanes take long to build and read nothing
  list(REMOVE_ITEM other_modules batch)
endif()

set(generated_dir ${PROJECT_BINARY_DIR}/generated)
configure_file(${PROJECT_SOURCE_DIR}/cmake/version.h.in ${generated_dir}/articula/version.h @ONLY)

# Sources are globbed, so that a new joint or entity costs one file and no line here.
function(articula_collect out)
  set(found)
  foreach(module IN LISTS ARGN)
    file(GLOB_RECURSE in_module CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/articula/${module}/*.cpp
         ${PROJECT_SOURCE_DIR}/src/articula/${module}/*.h)
    list(APPEND found ${in_module})
  endforeach()
  set(${out} ${found} PARENT_SCOPE)
endfunction()

# Files of these modules are compiled in groups: most of their time goes into headers and templates that they share.
# Modules of numbers are not among them, so that what the compiler inlines there does not depend on their neighbours.
set(unity_modules base text model build network formats generate integrate control simulate store report study)
set(unity_size 8)
# Files of one pattern name their parts alike.
set(unity_alone /generate/languages/ /store/exports/ /study/tasks/ /generate/internal/recorders)
list(JOIN unity_alone "|" unity_alone)
function(articula_unite target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # GCC takes an included file for a header, whose anonymous namespaces would differ from file to file.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  foreach(module IN LISTS unity_modules)
    set(number 0)
    foreach(file IN LISTS ARGN)
      if(file MATCHES "/src/articula/${module}/.*\\.cpp$" AND NOT file MATCHES "${unity_alone}")
        math(EXPR group "${number} / ${unity_size}")
        math(EXPR number "${number} + 1")
        set_source_files_properties(${file} PROPERTIES UNITY_GROUP ${module}_${group})
      endif()
    endforeach()
  endforeach()
endfunction()

# Headers are installed beside their path, except those in a folder named internal/.
function(articula_add_library target export_name)
  set(sources ${ARGN})
  set(headers ${sources})
  list(FILTER sources INCLUDE REGEX "\\.cpp$|/src/articula/.*/internal/")
  list(FILTER headers INCLUDE REGEX "\\.h$")
  list(FILTER headers EXCLUDE REGEX "/src/articula/.*/internal/")
  if(NOT sources) # a library of headers only still needs one source
    set(sources ${generated_dir}/${target}_empty.cpp)
    file(WRITE ${sources} "")
  endif()
  add_library(${target} ${sources})
  add_library(articula::${export_name} ALIAS ${target})
  if(ARTICULA_UNITY)
    articula_unite(${target} ${sources})
  endif()
  target_sources(${target} PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}/src ${generated_dir} FILES
                                  ${headers})
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:articula_flags> $<BUILD_INTERFACE:articula_warnings>)
  set_target_properties(
    ${target}
    PROPERTIES EXPORT_NAME ${export_name}
               LINKER_LANGUAGE CXX
               CXX_EXTENSIONS OFF
               CXX_VISIBILITY_PRESET hidden
               VISIBILITY_INLINES_HIDDEN ON
               POSITION_INDEPENDENT_CODE ON
               VERSION ${PROJECT_VERSION}
               SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
               LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/${CMAKE_INSTALL_LIBDIR}
               BUILD_WITH_INSTALL_RPATH ON
               INSTALL_RPATH "\$ORIGIN")
endfunction()

articula_collect(core_files ${core_modules})
articula_add_library(articula_core core ${core_files} ${PROJECT_SOURCE_DIR}/src/articula/core.h
                     ${generated_dir}/articula/version.h)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(Boost 1.74 REQUIRED)
target_link_libraries(articula_core PUBLIC Eigen3::Eigen PRIVATE Boost::headers)

articula_collect(other_files ${other_modules})
file(GLOB top_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/articula/*.cpp ${PROJECT_SOURCE_DIR}/src/articula/*.h)
list(REMOVE_ITEM top_files ${PROJECT_SOURCE_DIR}/src/articula/core.h)
articula_add_library(articula articula ${other_files} ${top_files})

# Files for wider instructions than every processor has, chosen at run time (docs/batch.md). Those of the core give the
# same bits as the others. Batches are compared with one state alone to 1e-12, not bit for bit: there, and only there,
# multiplications and additions are fused.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(packs --param=sra-max-scalarization-size-Ospeed=4096) # packs are large, and belong into registers all the same
endif()
set(baseline ${packs})
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(avx2 ${packs} -mavx2 -mfma)
  set(avx512 ${avx2} -mavx512f -mavx512dq -mavx512vl -mavx512bw -mprefer-vector-width=512)
  set(fused_avx2 -ffp-contract=fast)
  set(fused_avx512 -ffp-contract=fast)
endif()
foreach(instructions baseline avx2 avx512)
  foreach(file IN LISTS core_files other_files)
    if(file MATCHES "_${instructions}\\.cpp$")
      set(options ${${instructions}})
      if(file IN_LIST other_files)
        list(APPEND options ${fused_${instructions}})
      endif()
      set_source_files_properties(${file} PROPERTIES COMPILE_OPTIONS "${options}")
    endif()
  endforeach()
endforeach()
find_package(PkgConfig REQUIRED)
pkg_check_modules(libyaml REQUIRED IMPORTED_TARGET GLOBAL yaml-0.1)
pkg_check_modules(libmd REQUIRED IMPORTED_TARGET GLOBAL libmd)
find_package(tinyxml2 REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(SUNDIALS 6.4 REQUIRED)
find_package(SQLite3 3.40 REQUIRED)
find_package(TBB REQUIRED)
target_link_libraries(
  articula
  PUBLIC articula_core
  PRIVATE PkgConfig::libyaml
          PkgConfig::libmd
          tinyxml2::tinyxml2
          fmt::fmt
          nlohmann_json::nlohmann_json
          SUNDIALS::cvode
          SUNDIALS::arkode
          SUNDIALS::nvecserial
          SUNDIALS::sunmatrixdense
          SUNDIALS::sunlinsoldense
          SQLite::SQLite3
          TBB::tbb
          ${CMAKE_DL_LIBS})

# The page of a report: our own files, and dygraphs of Debian's libjs-dygraphs.
include(articula_embed)
set(dygraphs_folders /usr/share/javascript/dygraphs /usr/local/share/javascript/dygraphs)
find_file(ARTICULA_DYGRAPHS_SCRIPT dygraph.min.js PATHS ${dygraphs_folders} REQUIRED)
find_file(ARTICULA_DYGRAPHS_STYLE dygraph.css PATHS ${dygraphs_folders} REQUIRED)
mark_as_advanced(ARTICULA_DYGRAPHS_SCRIPT ARTICULA_DYGRAPHS_STYLE)
set(report_dir ${PROJECT_SOURCE_DIR}/src/articula/report/page)
articula_embed(articula report_page ${report_dir}/page.html)
articula_embed(articula report_style ${report_dir}/report.css)
articula_embed(articula report_script ${report_dir}/report.js)
articula_embed(articula report_notice ${report_dir}/notice.txt)
articula_embed(articula dygraphs_script ${ARTICULA_DYGRAPHS_SCRIPT})
articula_embed(articula dygraphs_style ${ARTICULA_DYGRAPHS_STYLE})
