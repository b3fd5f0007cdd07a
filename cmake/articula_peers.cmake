# Other engines to compare with: a target articula_peer_<engine> for each that is found. MuJoCo and KDL always; DART
# and Simbody, which are large, with ARTICULA_BUILD_PEERS, and then they must be there.
include_guard(GLOBAL)

find_library(MUJOCO_LIBRARY mujoco)
find_path(MUJOCO_INCLUDE_DIR mujoco/mujoco.h)
if(MUJOCO_LIBRARY AND MUJOCO_INCLUDE_DIR)
  add_library(articula_peer_mujoco INTERFACE)
  target_include_directories(articula_peer_mujoco SYSTEM INTERFACE ${MUJOCO_INCLUDE_DIR})
  target_link_libraries(articula_peer_mujoco INTERFACE ${MUJOCO_LIBRARY})
endif()

find_package(PkgConfig REQUIRED)
pkg_check_modules(orocos_kdl QUIET IMPORTED_TARGET GLOBAL orocos-kdl)
if(orocos_kdl_FOUND)
  add_library(articula_peer_kdl INTERFACE)
  target_link_libraries(articula_peer_kdl INTERFACE PkgConfig::orocos_kdl)
endif()

if(ARTICULA_BUILD_PEERS)
  find_package(DART 6.12 REQUIRED COMPONENTS dart)
  add_library(articula_peer_dart INTERFACE)
  target_link_libraries(articula_peer_dart INTERFACE dart)

  find_library(SIMBODY_LIBRARY SimTKsimbody REQUIRED)
  find_library(SIMMATH_LIBRARY SimTKmath REQUIRED)
  find_library(SIMCOMMON_LIBRARY SimTKcommon REQUIRED)
  find_path(SIMBODY_INCLUDE_DIR Simbody.h PATH_SUFFIXES simbody REQUIRED)
  # Its headers are not C++20: our side of it is a library of its own.
  add_library(articula_peer_simbody STATIC ${PROJECT_SOURCE_DIR}/tests/peers/simbody_engine.cpp)
  set_target_properties(articula_peer_simbody PROPERTIES CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON)
  target_include_directories(articula_peer_simbody PUBLIC ${PROJECT_SOURCE_DIR}/tests)
  target_include_directories(articula_peer_simbody SYSTEM PRIVATE ${SIMBODY_INCLUDE_DIR})
  target_link_libraries(
    articula_peer_simbody
    PUBLIC Eigen3::Eigen
    PRIVATE articula_warnings ${SIMBODY_LIBRARY} ${SIMMATH_LIBRARY} ${SIMCOMMON_LIBRARY})
endif()
