/* The script and the style of the report page, byte for byte. CMakeLists.txt names the files, or none. */
        .section .rodata

        .balign 8
        .globl  rondo_bundle_script_size
rondo_bundle_script_size:
        .quad   script_end - rondo_bundle_script
        .globl  rondo_bundle_style_size
rondo_bundle_style_size:
        .quad   style_end - rondo_bundle_style

        .globl  rondo_bundle_script
rondo_bundle_script:
#ifdef RONDO_BUNDLE
        .incbin RONDO_BUNDLE_SCRIPT
#endif
script_end:
        .byte   0

        .globl  rondo_bundle_style
rondo_bundle_style:
#ifdef RONDO_BUNDLE
        .incbin RONDO_BUNDLE_STYLE
#endif
style_end:
        .byte   0

        .section .note.GNU-stack, "", %progbits
