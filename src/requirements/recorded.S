/* data/requirements.tsv, byte for byte. CMakeLists.txt names the file. */
        .section .rodata

        .balign 8
        .globl  rondo_requirements_size
rondo_requirements_size:
        .quad   requirements_end - rondo_requirements

        .globl  rondo_requirements
rondo_requirements:
        .incbin RONDO_REQUIREMENTS
requirements_end:
        .byte   0

        .section .note.GNU-stack, "", %progbits
