#include "statistics/friedman.h"

#include <algorithm>
#include <cmath>

#include "statistics/normal.h"
#include "statistics/ranks.h"

namespace rondo::statistics {
namespace {

/// Lower regularized incomplete gamma function by its series; good for x < a + 1.
double gamma_series(double a, double x) {
  double term = 1 / a;
  double sum = term;
  for (int n = 1; n < 10'000 && std::abs(term) > std::abs(sum) * 1e-17; ++n) {
    term *= x / (a + n);
    sum += term;
  }
  return sum * std::exp(-x + a * std::log(x) - std::lgamma(a));
}

/// Upper regularized incomplete gamma function by its continued fraction (modified Lentz); good for x >= a + 1.
double gamma_fraction(double a, double x) {
  constexpr double kTiny = 1e-300;
  double b = x + 1 - a;
  double c = 1 / kTiny;
  double d = 1 / b;
  double h = d;
  for (int n = 1; n < 10'000; ++n) {
    const double factor = -n * (n - a);
    b += 2;
    d = factor * d + b;
    d = 1 / (std::abs(d) < kTiny ? kTiny : d);
    c = b + factor / c;
    if (std::abs(c) < kTiny) c = kTiny;
    const double change = d * c;
    h *= change;
    if (std::abs(change - 1) < 1e-16) break;
  }
  return h * std::exp(-x + a * std::log(x) - std::lgamma(a));
}

}  // namespace

double chi_square_tail(double x, double degrees) {
  if (!(x > 0)) return 1;
  const double a = degrees / 2;
  return x / 2 < a + 1 ? 1 - gamma_series(a, x / 2) : gamma_fraction(a, x / 2);
}

double studentized_range_tail(double q, std::size_t count) {
  if (!(q > 0) || count < 2) return 1;
  // The largest value lies at z; the others are within q below it. Simpson's rule over the relevant range of z.
  const auto n = static_cast<double>(count);
  const auto density = [&](double z) {
    // 1 - (inside)^(n-1) of the mass at z, so that small tails keep their precision.
    const double below = normal_cdf(z);
    const double within = below - normal_cdf(z - q);
    const double phi = std::exp(-z * z / 2) / std::sqrt(2 * 3.14159265358979323846);
    return n * phi * (std::pow(below, n - 1) - std::pow(within, n - 1));
  };
  constexpr double kFrom = -9;
  constexpr double kTo = 9;
  constexpr int kSteps = 4000;
  const double step = (kTo - kFrom) / kSteps;
  double sum = density(kFrom) + density(kTo);
  for (int i = 1; i < kSteps; ++i) sum += density(kFrom + i * step) * (i % 2 == 1 ? 4 : 2);
  return std::clamp(sum * step / 3, 0.0, 1.0);
}

double nemenyi_p(double mean_rank_difference, std::size_t treatments, std::size_t blocks) {
  const auto k = static_cast<double>(treatments);
  const double deviation = std::sqrt(k * (k + 1) / (12 * static_cast<double>(blocks)));
  return studentized_range_tail(std::abs(mean_rank_difference) / deviation, treatments);
}

Result<FriedmanResult> friedman_test(const std::vector<std::vector<double>>& values) {
  if (values.size() < 2 || values.front().empty()) {
    return fail("statistics-empty", "Friedman's test needs two treatments or more and a block");
  }
  const std::size_t blocks = values.front().size();
  for (const std::vector<double>& treatment : values) {
    if (treatment.size() != blocks) return fail("statistics-lengths", "every treatment needs a value in every block");
    if (auto fine = check_sample(treatment, "a treatment"); !fine) return fail(std::move(fine.error()));
  }
  const auto k = static_cast<double>(values.size());
  const auto n = static_cast<double>(blocks);
  FriedmanResult result;
  result.degrees = values.size() - 1;
  std::vector<double> sums(values.size(), 0.0);
  double ties = 0;
  std::vector<double> block(values.size());
  for (std::size_t b = 0; b < blocks; ++b) {
    for (std::size_t t = 0; t < values.size(); ++t) block[t] = values[t][b];
    const Ranking ranking = rank_values(block);
    ties += ranking.tie_term;
    for (std::size_t t = 0; t < values.size(); ++t) sums[t] += static_cast<double>(ranking.doubled[t]) / 2;
  }
  double spread = 0;
  for (const double sum : sums) {
    result.mean_ranks.push_back(sum / n);
    spread += (sum - n * (k + 1) / 2) * (sum - n * (k + 1) / 2);
  }
  const double scale = n * k * (k + 1) - ties / (k - 1);
  if (scale <= 0) return result;
  result.statistic = 12 * spread / scale;
  result.p = chi_square_tail(result.statistic, k - 1);
  return result;
}

}  // namespace rondo::statistics
