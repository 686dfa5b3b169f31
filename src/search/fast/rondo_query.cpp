#include "search/fast/rondo_query.h"

namespace rondo::fast {
namespace {

/// What the costs say of a note left out, as a rule that a kernel can compute. Nothing: not by such a rule.
std::optional<kernels::ExplainedGap> gap_rule(const explained::Costs& costs) {
  const double slope = costs.rhythm() ? costs.settings().long_notes / explained::kLengthSteps : 0;
  const double unit = explained::kOne * costs.settings().gap * 65536;
  kernels::ExplainedGap rule;
  rule.base = static_cast<std::int32_t>(std::lround(unit)) + 32768;
  rule.slope = static_cast<std::int32_t>(std::lround(unit * slope));
  rule.least = costs.gap(-explained::kMostLength);
  for (std::int32_t length = -explained::kMostLength; length <= explained::kMostLength; ++length) {
    if (rule.of(length) != costs.gap(length)) return std::nullopt;
  }
  return rule;
}

}  // namespace

std::optional<RondoQuery> RondoQuery::of(const RondoPlan& plan, const Line& line) {
  if (line.size() < explained::kShortest || line.size() > kernels::kMostCommon) return {};
  // Then bounds hold, and pairs fit into 16 bits.
  if (!explained::in_supported_range(plan)) return {};
  const auto [low, high] = std::minmax_element(line.pitch.begin(), line.pitch.end());
  if (*high - *low > kernels::kMostRange) return {};
  explained::Features query;
  explained::make_features(line.pitch, line.onset, line.duration, query);
  const explained::Costs costs(explained::settings_of(plan), query.rhythm);
  const std::optional<kernels::ExplainedGap> gap = gap_rule(costs);
  if (!gap) return {};
  return RondoQuery(costs, std::move(query), *gap);
}

RondoQuery::RondoQuery(const explained::Costs& costs, explained::Features query, const kernels::ExplainedGap& gap)
    : features_(std::move(query)), costs_(costs), common_(features_.pitch), perfect_(costs.perfect(features_)) {
  const explained::Settings& settings = costs_.settings();
  const auto small = [](std::int32_t value) { return static_cast<std::int16_t>(value); };
  rows_.pitch = features_.pitch;
  rows_.next = features_.next;
  rows_.place = features_.place;
  std::vector<std::int32_t> gain;  // by pairing a note instead of leaving it out
  std::int32_t left_out = 0;       // at the least, where none is paired
  std::int32_t all_gaps = 0;
  for (std::size_t i = 0; i < size(); ++i) {
    rows_.length.push_back(small(features_.length[i] * settings.length));
    rows_.change.push_back(small(features_.change[i] * settings.change));
    rows_.weight.push_back(small(costs_.weight(features_.length[i])));
    rows_.gap.push_back(small(costs_.gap(features_.length[i])));
    rows_.beyond.push_back(small(costs_.beyond(features_.length[i])));
    gain.push_back(explained::Costs::weighted(explained::kFine, rows_.weight[i]) + rows_.beyond[i]);
    left_out += rows_.beyond[i];
    all_gaps += rows_.gap[i];
  }
  rows_.near = small(settings.near);
  rows_.far = small(settings.far);
  rows_.interval = small(settings.interval);
  rows_.overhang = small(settings.overhang);
  rows_.number_values();
  document_costs_ = {costs_.rhythm(), small(settings.length), small(settings.change), gap};
  narrow_ = all_gaps + settings.overhang <= kernels::kMostExplained && perfect_ <= kernels::kMostExplained;
  std::vector<std::int32_t> relative;
  for (std::size_t i = 0; i < size(); ++i) {
    relative.push_back(explained::Costs::weighted(explained::kFine, rows_.weight[i]) + rows_.least(i));
    leaving_out_ += rows_.beyond[i] - rows_.least(i);
    leaving_within_ += rows_.gap[i] - rows_.least(i);
  }
  for (std::int32_t length = -explained::kMostLength; length <= explained::kMostLength; ++length) {
    most_gap_ = std::max(most_gap_, costs_.gap(length));
  }
  std::sort(relative.begin(), relative.end(), std::greater<>());
  relative_most_.push_back(0);
  for (const std::int32_t more : relative) relative_most_.push_back(relative_most_.back() + more);
  std::sort(gain.begin(), gain.end(), std::greater<>());
  most_.push_back(-left_out);
  for (const std::int32_t more : gain) most_.push_back(most_.back() + more);
}

kernels::ExplainedNumbers RondoQuery::numbers_for(std::size_t notes) const {
  if (narrow_) return kernels::ExplainedNumbers::narrow;
  // No cell is more than all pairs together, nor less than leaving out what is before it: of the document in front of
  // the query's notes, or of the query within the document.
  const std::int64_t above = relative_most_[std::min(notes, relative_most_.size() - 1)];
  const std::int64_t below = std::min<std::int64_t>(leaving_out_ + static_cast<std::int64_t>(notes) * most_gap_,
                                                    std::max(leaving_out_, leaving_within_) + rows_.overhang);
  return above <= kernels::kMostExplained && below + rows_.overhang <= kernels::kMostExplained
             ? kernels::ExplainedNumbers::relative
             : kernels::ExplainedNumbers::wide;
}

void RondoQuery::loss_of_places(double unit, std::size_t notes, std::vector<std::uint16_t>& out) const {
  out.clear();
  const double one = costs_.place_factor(size(), notes) * (kernels::kPlaceUnit / 65536.0);
  for (std::size_t i = 0; i < size(); ++i) {
    out.push_back(static_cast<std::uint16_t>(std::min(65535.0, std::floor(256 * one * weight(i) / unit))));
  }
}

}  // namespace rondo::fast
