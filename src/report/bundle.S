/* The scripts and styles of the pages that are files of their own, byte for byte. CMakeLists.txt names the files, or
   none. */
        .section .rodata

        .macro  contents name, file:vararg
        .balign 8
        .globl  rondo_\name\()_size
rondo_\name\()_size:
        .quad   \name\()_end - rondo_\name
        .globl  rondo_\name
rondo_\name:
        .ifnb   \file
        .incbin \file
        .endif
\name\()_end:
        .byte   0
        .endm

#ifdef RONDO_REPORT_BUNDLE
        contents report_script, RONDO_REPORT_SCRIPT
        contents report_style, RONDO_REPORT_STYLE
#else
        contents report_script
        contents report_style
#endif
#ifdef RONDO_TABLES_BUNDLE
        contents tables_script, RONDO_TABLES_SCRIPT
        contents tables_style, RONDO_TABLES_STYLE
#else
        contents tables_script
        contents tables_style
#endif

        .section .note.GNU-stack, "", %progbits
