# The files the server hands out, put into the program as they are: the description of the API, and the web app where
# web/dist/app has been built. Writes an assembler file with a table that src/server/assets.cpp reads.
enable_language(ASM)
set(app ${PROJECT_SOURCE_DIR}/web/dist/app)
file(GLOB_RECURSE app_files CONFIGURE_DEPENDS ${app}/*)
list(SORT app_files)
set(asset_files ${PROJECT_SOURCE_DIR}/src/server/openapi.json)
set(asset_paths /api/v1/openapi.json)
foreach(file ${app_files})
  file(RELATIVE_PATH path ${app} ${file})
  if(NOT path MATCHES "\"|\\\\")
    list(APPEND asset_files ${file})
    list(APPEND asset_paths /${path})
  endif()
endforeach()

set(table "")
set(contents "")
list(LENGTH asset_files count)
math(EXPR last "${count} - 1")
foreach(i RANGE ${last})
  list(GET asset_files ${i} file)
  list(GET asset_paths ${i} path)
  string(APPEND table "        .quad   p${i} - rondo_assets, b${i} - p${i}, b${i} - rondo_assets, e${i} - b${i}\n")
  string(APPEND contents "p${i}:    .ascii  \"${path}\"\nb${i}:    .incbin \"${file}\"\ne${i}:\n")
endforeach()
set(assets_source ${CMAKE_BINARY_DIR}/assets.S)
file(CONFIGURE OUTPUT ${assets_source} @ONLY CONTENT
"        .section .rodata
        .balign 8
        .globl  rondo_assets_count
rondo_assets_count:
        .quad   @count@
        .globl  rondo_assets
rondo_assets:
@table@@contents@        .byte   0
        .section .note.GNU-stack, \"\", %progbits
")
set_source_files_properties(${assets_source} PROPERTIES OBJECT_DEPENDS "${asset_files}")
add_library(rondo_assets OBJECT ${assets_source})
target_sources(rondo_core PRIVATE $<TARGET_OBJECTS:rondo_assets>)
