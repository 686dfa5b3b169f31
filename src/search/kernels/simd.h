#pragma once

#include <hwy/highway.h>

#include "search/kernels/level.h"

/// What the kernels share of Highway's way to compile a file once for every instruction set.

/// In the namespace of the target HWY_SCALAR: there the scalar reference is the kernel.
#define RONDO_SCALAR(name) constexpr auto& name = rondo::kernels::name##_plain

/// Defines the function that callers see: the kernel for the best instruction set at hand, or the scalar reference
/// where that is wanted. Once, in rondo::kernels.
#define RONDO_DISPATCH(result, name, parameters, arguments) \
  namespace {                                               \
  HWY_EXPORT(name);                                         \
  }                                                         \
  result name parameters {                                  \
    if (plain_forced()) return name##_plain arguments;      \
    return HWY_DYNAMIC_DISPATCH(name) arguments;            \
  }                                                         \
  static_assert(true)  // so that a semicolon follows
