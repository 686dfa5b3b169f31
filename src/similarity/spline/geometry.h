#pragma once

/// Areas between the derivatives of two one-span uniform B-splines (similarity.md, section 1; paper 004, section 3).
/// Arguments are differences between the two n-grams of the values relative to the first note.
namespace rondo::spline {

/// n = 3: integral over [0,1] of |a + (b - 2a) x|.
[[nodiscard]] double area3(double a, double b);
/// n = 4: integral over [0,1] of |A x^2 + B x + C| with A = c/2 - 3b/2 + 3a/2, B = b - 2a, C = b/2.
[[nodiscard]] double area4(double a, double b, double c);

}  // namespace rondo::spline
