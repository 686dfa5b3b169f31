# What `cmake --install` lays down, in three components: program, dev (the library for other programs) and python.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS rondo RUNTIME COMPONENT program)

set(RONDO_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/rondo)
set_target_properties(rondo_core PROPERTIES OUTPUT_NAME rondo EXPORT_NAME rondo)
install(TARGETS rondo_core EXPORT rondo-targets ARCHIVE COMPONENT dev INCLUDES DESTINATION
        ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY include/rondo DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev)
install(EXPORT rondo-targets NAMESPACE rondo:: DESTINATION ${RONDO_CMAKE_DIR} COMPONENT dev)
configure_package_config_file(cmake/rondoConfig.cmake.in ${CMAKE_BINARY_DIR}/rondoConfig.cmake
                              INSTALL_DESTINATION ${RONDO_CMAKE_DIR} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/rondoConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/rondoConfig.cmake ${CMAKE_BINARY_DIR}/rondoConfigVersion.cmake
        DESTINATION ${RONDO_CMAKE_DIR} COMPONENT dev)
