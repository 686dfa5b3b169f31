#pragma once

/// Functions that compile for a graphics card and for the CPU, so that tests without a card run the very functions.
/// They do not allocate, throw or use the standard library.
#if defined(__CUDACC__)
#define RONDO_CARD __host__ __device__ inline
#define RONDO_UNROLL _Pragma("unroll")
#define RONDO_UNROLL_FOUR _Pragma("unroll 4")
#else
#define RONDO_CARD inline
#define RONDO_UNROLL
#define RONDO_UNROLL_FOUR
#endif
