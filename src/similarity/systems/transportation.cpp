#include "similarity/systems/transportation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "similarity/transport.h"

namespace rondo::transportation {

static_assert(kLongest <= Transport::kMostNodes);

namespace {

__extension__ using Wide = __int128;

/// Distances are integers in units of 1 / kUnits of a base-40 step, so that sums are exact and the result does not
/// depend on their order.
constexpr double kUnits = 1 << 24;
/// Lengths and weights stay below this, so that their products fit 64 bits.
constexpr std::int64_t kHeaviest = std::int64_t{1} << 30;

/// A melody as a weighted point set, in columns.
struct Cloud {
  std::vector<double> time;  ///< 0 at the first onset; the melody's length is 1
  std::vector<std::int32_t> pitch;
  std::vector<std::int64_t> weight;
  std::int64_t length = 0;    ///< in the unit of `weight`
  std::int64_t sounding = 0;  ///< sum of `weight`
};

Cloud make_cloud(const Line& line) {
  Cloud cloud;
  const std::size_t size = std::min(line.size(), kLongest);
  if (size == 0) return cloud;
  const std::int64_t first = line.onset[0];
  std::int64_t end = first;
  for (std::size_t i = 0; i < size; ++i) {
    end = std::max(end, line.onset[i] + line.duration[i]);
    cloud.sounding += line.duration[i];
  }
  cloud.length = end - first;
  std::int64_t common = cloud.length;
  for (std::size_t i = 0; i < size; ++i) {
    cloud.time.push_back(static_cast<double>(line.onset[i] - first) / static_cast<double>(cloud.length));
    cloud.pitch.push_back(line.base40[i]);
    cloud.weight.push_back(line.duration[i]);
    common = std::gcd(common, line.duration[i]);
  }
  // Real music stays below this limit; other values are rounded.
  const std::int64_t largest = std::max(cloud.length, cloud.sounding) / common;
  const double shrink = largest > kHeaviest ? static_cast<double>(kHeaviest) / static_cast<double>(largest) : 1;
  const auto reduced = [&](std::int64_t ticks) {
    const std::int64_t whole = ticks / common;
    if (shrink == 1) return whole;
    return std::max<std::int64_t>(1, std::llround(static_cast<double>(whole) * shrink));
  };
  cloud.length = reduced(cloud.length);
  cloud.sounding = 0;
  for (std::int64_t& weight : cloud.weight) {
    weight = reduced(weight);
    cloud.sounding += weight;
  }
  return cloud;
}

/// The transposition that brings the query nearest to the document's mean pitch; halves are rounded up.
std::int32_t mean_transposition(const Cloud& query, const Cloud& document) {
  const auto moment = [](const Cloud& cloud) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < cloud.pitch.size(); ++i) sum += cloud.weight[i] * cloud.pitch[i];
    return sum;
  };
  const Wide twice = 2 * (Wide{moment(document)} * query.sounding - Wide{moment(query)} * document.sounding);
  const Wide unit = Wide{query.sounding} * document.sounding;
  const Wide numerator = twice + unit;
  Wide rounded = numerator / (2 * unit);
  if (numerator % (2 * unit) < 0) --rounded;
  return static_cast<std::int32_t>(rounded);
}

/// Bounds of the mean of a coordinate over any part of the weight with this share.
struct Range {
  double low;
  double high;
};

template <typename Coordinate>
Range mean_range(const std::vector<Coordinate>& at, const std::vector<std::int64_t>& weight, double share,
                 std::vector<std::uint32_t>& order) {
  order.resize(at.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return at[a] < at[b]; });
  const auto mean = [&](auto begin, auto end, double mass) {
    double sum = 0;
    double left = mass;
    for (; begin != end && left > 0; ++begin) {
      const double taken = std::min(left, static_cast<double>(weight[*begin]));
      sum += taken * static_cast<double>(at[*begin]);
      left -= taken;
    }
    return sum / mass;
  };
  const double mass = share * static_cast<double>(std::accumulate(weight.begin(), weight.end(), std::int64_t{0}));
  return {mean(order.begin(), order.end(), mass), mean(order.rbegin(), order.rend(), mass)};
}

/// The distance of two ranges; 0 if they overlap.
double apart(Range a, Range b) { return std::max({0.0, a.low - b.high, b.low - a.high}); }

struct Best {
  double cost = std::numeric_limits<double>::max();  ///< in units times weight
  Placing placing;
};

/// One query against one document.
class Comparison {
 public:
  Comparison(const TransportPlan& settings, const Cloud& query, const Cloud& document, Transport& transport)
      : settings_(settings), query_(query), document_(document), transport_(transport) {
    const bool by_duration = settings.weights == Weights::durations;
    // In a common unit: each side times the total of the other.
    const std::int64_t to_query = by_duration ? document.length : document.sounding;
    const std::int64_t to_document = by_duration ? query.length : query.sounding;
    thread_local std::vector<std::int64_t> supplies;
    thread_local std::vector<std::int64_t> demands;
    supplies = query.weight;
    demands = document.weight;
    for (std::int64_t& weight : supplies) weight *= to_query;
    for (std::int64_t& weight : demands) weight *= to_document;
    transport_.reset(supplies, demands);
    const auto supply = static_cast<double>(query.sounding * to_query);
    const auto demand = static_cast<double>(document.sounding * to_document);
    carried_ = std::min(supply, demand);
    query_share_ = carried_ / supply;
    document_share_ = carried_ / demand;
  }

  /// The placing with the least distance, the first of several. Two lower bounds skip most: whatever part of the
  /// heavier melody is used, the cost is at least the distance of the centroids; and the dual prices of the previous
  /// solution, of an adjacent placing, are nearly optimal here too.
  [[nodiscard]] Best search() {
    thread_local std::vector<Placing> placings;
    list(placings);
    return best_of(placings, std::numeric_limits<double>::infinity());
  }

  /// Of those that come no farther than `farthest`; the cost stays the greatest number if there are none. Whatever one
  /// placing carries, another can carry the same way, and each note then goes no farther than before plus the way from
  /// the one placing to the other. So a distance that is known bounds that of all other placings.
  [[nodiscard]] Best best_of(std::span<Placing> placings, double farthest) {
    const double in_time = settings_.time * mean_time();
    const double most = std::isfinite(farthest) ? (farthest + kRoom) * kUnits * carried_ : kNoCost;
    Best best;
    bool solved = false;
    for (std::size_t p = 0; p < placings.size(); ++p) {
      const Placing& placing = placings[p];
      const double enough = std::min(best.cost, most);
      if ((placing.bound - kRoom) * kUnits * carried_ >= enough) continue;
      fill(placing);
      if (solved && transport_.lower_bound() >= enough) continue;
      const double cost = transport_.solve();
      solved = true;
      if (cost < best.cost) best = {cost, placing};
      for (Placing& other : placings.subspan(p + 1)) {
        const double apart =
            std::abs(other.transposition - placing.transposition) + in_time * std::abs(other.stretch - placing.stretch);
        other.bound = std::max(other.bound, distance(cost) - apart);
      }
    }
    return best;
  }

  [[nodiscard]] double distance(double cost) const { return cost / (carried_ * kUnits); }

  [[nodiscard]] std::vector<Step> flows(const Placing& placing) {
    fill(placing);
    transport_.solve();
    std::vector<Step> steps;
    const std::size_t columns = document_.weight.size();
    for (const Shipment& s : transport_.shipments()) {
      const auto cost = static_cast<double>(transport_.costs()[s.from * columns + s.to]);
      steps.push_back({Step::Kind::flow,
                       {s.from, s.from + 1},
                       {s.to, s.to + 1},
                       0.0 - distance(cost * static_cast<double>(s.amount))});
    }
    return steps;
  }

 private:
  static constexpr double kNoCost = std::numeric_limits<double>::max();
  /// More than distances lose by being rounded to integers.
  static constexpr double kRoom = 1e-6;

  /// How far from its first onset what is carried of the query is at most, on average.
  [[nodiscard]] double mean_time() const {
    thread_local std::vector<std::uint32_t> order;
    thread_local std::vector<double> away;
    away.assign(query_.time.begin(), query_.time.end());
    for (double& time : away) time = std::abs(time);
    return mean_range(away, query_.weight, query_share_, order).high;
  }

  /// First the most likely placing, for a good threshold, then the whole grid (which includes it: skipped at once).
  void list(std::vector<Placing>& out) const {
    thread_local std::vector<std::uint32_t> order;
    const Range query_pitch = mean_range(query_.pitch, query_.weight, query_share_, order);
    const Range document_pitch = mean_range(document_.pitch, document_.weight, document_share_, order);
    const Range query_time = mean_range(query_.time, query_.weight, query_share_, order);
    const Range document_time = mean_range(document_.time, document_.weight, document_share_, order);
    const std::int32_t middle = mean_transposition(query_, document_);
    out.assign(1, {0, 1, middle});
    bool up = false;
    for (const double stretch : kStretches) {
      const double in_time =
          settings_.time * apart({query_time.low * stretch, query_time.high * stretch}, document_time);
      // Alternating direction, so that successive placings are adjacent in the plane.
      up = !up;
      for (std::int32_t k = -settings_.transpositions; k <= settings_.transpositions; ++k) {
        const std::int32_t t = middle + (up ? k : -k);
        const double in_pitch = apart({query_pitch.low + t, query_pitch.high + t}, document_pitch);
        out.push_back({std::sqrt(in_time * in_time + in_pitch * in_pitch), stretch, t});
      }
    }
  }

  void fill(const Placing& placing) {
    const std::size_t columns = document_.time.size();
    std::int64_t* cost = transport_.costs().data();
    for (std::size_t i = 0; i < query_.time.size(); ++i) {
      const double time = query_.time[i] * placing.stretch;
      const std::int32_t pitch = query_.pitch[i] + placing.transposition;
      for (std::size_t j = 0; j < columns; ++j) {
        const double dt = settings_.time * (document_.time[j] - time);
        const double dp = document_.pitch[j] - pitch;
        *cost++ = static_cast<std::int64_t>(std::sqrt(dt * dt + dp * dp) * kUnits + 0.5);
      }
    }
  }

  const TransportPlan& settings_;
  const Cloud& query_;
  const Cloud& document_;
  Transport& transport_;
  double carried_ = 0;  ///< the lighter side's weight
  double query_share_ = 1;
  double document_share_ = 1;
};

class TransportationQuery final : public PlacedQuery {
 public:
  TransportationQuery(const Line& line, const TransportPlan& settings)
      : settings_(settings), cloud_(make_cloud(line)) {}

  using PreparedQuery::score;
  [[nodiscard]] Score score(const Line& document) const override {
    if (cloud_.time.empty() || document.size() == 0) return {0, false};
    thread_local Transport transport;
    const Cloud other = make_cloud(document);
    Comparison comparison(settings_, cloud_, other, transport);
    return {0.0 - comparison.distance(comparison.search().cost), true};
  }

  [[nodiscard]] double score_under(const Line& document, std::span<const Placing> placings,
                                   double least) const override {
    thread_local Transport transport;
    thread_local std::vector<Placing> bounded;
    const Cloud other = make_cloud(document);
    Comparison comparison(settings_, cloud_, other, transport);
    bounded.clear();
    const std::int32_t middle = mean_transposition(cloud_, other);
    for (const Placing& placing : placings) {
      if (std::abs(placing.transposition - middle) <= settings_.transpositions) bounded.push_back(placing);
    }
    const Best best = comparison.best_of(bounded, -least);
    if (best.cost == std::numeric_limits<double>::max()) return -std::numeric_limits<double>::infinity();
    return 0.0 - comparison.distance(best.cost);
  }

  [[nodiscard]] Explanation explain(const Line& document) const override {
    Explanation out;
    if (cloud_.time.empty() || document.size() == 0) {
      out.score = {0, false};
      out.summary = "one of the melodies has no notes";
      return out;
    }
    Transport transport;
    const Cloud other = make_cloud(document);
    Comparison comparison(settings_, cloud_, other, transport);
    const Best best = comparison.search();
    out.steps = comparison.flows(best.placing);
    out.total = 0.0 - comparison.distance(best.cost);
    out.score = {out.total, true};
    out.summary = fmt::format("query transposed by {} base-40 steps, its time stretched by {:.3g}",
                              best.placing.transposition, best.placing.stretch);
    return out;
  }

 private:
  TransportPlan settings_;
  Cloud cloud_;
};

class TransportationSystem final : public System {
 public:
  explicit TransportationSystem(const TransportPlan& settings) : settings_(settings) {}
  [[nodiscard]] std::unique_ptr<PreparedQuery> prepare(const Line& query) const override {
    return std::make_unique<TransportationQuery>(query, settings_);
  }
  [[nodiscard]] SearchPlan plan() const override { return settings_; }

 private:
  TransportPlan settings_;
};

}  // namespace

std::unique_ptr<PlacedQuery> prepare(const TransportPlan& plan, const Line& query) {
  return std::make_unique<TransportationQuery>(query, plan);
}

std::unique_ptr<System> make_system(Weights weights, const Parameters& parameters) {
  return std::make_unique<TransportationSystem>(
      TransportPlan{weights, parameters.get("time"), static_cast<int>(parameters.get("transpositions"))});
}

}  // namespace rondo::transportation
