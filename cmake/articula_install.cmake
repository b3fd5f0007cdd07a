include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/articula)
install(
  TARGETS articula_core articula
  EXPORT articula-targets
  FILE_SET HEADERS)
if(TARGET articula_program)
  install(TARGETS articula_program)
endif()
install(
  EXPORT articula-targets
  NAMESPACE articula::
  DESTINATION ${package_dir})
configure_package_config_file(cmake/articula-config.cmake.in ${PROJECT_BINARY_DIR}/articula-config.cmake
                              INSTALL_DESTINATION ${package_dir})
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/articula-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/articula-config.cmake ${PROJECT_BINARY_DIR}/articula-config-version.cmake
        DESTINATION ${package_dir})
install(FILES LICENSE THIRD_PARTY.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
