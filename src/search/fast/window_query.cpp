#include "search/fast/window_query.h"

#include <cmath>

#include "search/fast/spread.h"
#include "search/index/grams.h"
#include "similarity/spline/geometry.h"

namespace rondo::fast {
namespace {

using Pairing = WindowPlan::Pairing;

/// The first test in order that the query's window passes, and its opposite.
std::pair<kernels::Test, kernels::Test> class_of(int first, int second) {
  using kernels::Test;
  const int passed = kernels::tests_passed(first, second);
  if ((passed & Test::kValley) != 0) return {Test::kValley, Test::kHill};
  if ((passed & Test::kHill) != 0) return {Test::kHill, Test::kValley};
  if ((passed & Test::kRise) != 0) return {Test::kRise, Test::kFall};
  return {Test::kFall, Test::kRise};
}

}  // namespace

WindowQuery::WindowQuery(const WindowPlan& plan, const Line& query)
    : plan_(plan), notes_(plan.notes()), windows_(spline::gram_count(query.size(), plan.notes())) {
  if (plan_.pairing == Pairing::pitch_and_time) {
    prepare_four(query);
    prepare_losses(query);
  } else {
    prepare_three(query);
  }
  rows_.rest = kernels::still_to_gain(rows_);
}

void WindowQuery::set_scale(double most_per_row) {
  constexpr double kRoom = 30'000;  // below 32,767, the largest number of 16 bits
  double scale = std::min(1000.0, kRoom / (most_per_row * static_cast<double>(std::max<std::size_t>(1, windows_))));
  // Time curves equal when rounded to thousandths differ by less than 0.002: that must stay below one unit.
  if (time_weight_ > 0) scale = std::min(scale, 400 / time_weight_);
  scale_ = std::max(4, static_cast<int>(scale) / 4 * 4);
  fits_ = scale >= 4;
}

std::int16_t WindowQuery::up(double value) const {
  return static_cast<std::int16_t>(std::clamp(std::ceil(value * scale_), -32768.0, 32767.0));
}

void WindowQuery::prepare_three(const Line& query) {
  set_scale(1);
  const bool shape = plan_.pairing == Pairing::shape;
  rows_.same = static_cast<std::int16_t>(-scale_ / 2);
  rows_.other = static_cast<std::int16_t>(-scale_);
  rows_.opposite = static_cast<std::int16_t>(-8 * scale_);
  rows_.factor[0] = static_cast<std::int16_t>(plan_.pairing == Pairing::interval ? scale_ / 2 : scale_ / 4);
  const auto total = static_cast<double>(plan_.counts->total());
  // A gap costs 1 - f, so the commonest window is the cheapest: a bound for all, and nothing to look up.
  const double cheapest_gap = 1 - static_cast<double>(plan_.counts->most()) / total;
  rows_.document_gap = up(-cheapest_gap);
  cheapest_break_ = std::min(0.5, cheapest_gap);  // windows that differ cost a half at least
  for (std::size_t i = 0; i < windows_; ++i) {
    const auto relative = spline::relative_pitches<3>(query, i);
    const int first = relative[0];
    const int second = relative[1] - relative[0];
    const std::int64_t count = plan_.counts->count(spline::key_of<3>(relative));
    const double match = 1 - static_cast<double>(std::max<std::int64_t>(1, count)) / total;
    Distinct& same = distinct_[spline::key_of<3>(relative)];
    ++same.count;
    same.match = match;
    rows_.match.push_back(up(match));
    const double gap = count == 0 ? 1 / total : match;
    rows_.gap.push_back(up(-gap));
    cheapest_break_ = std::min(cheapest_break_, gap);
    const auto [is, opposite] = class_of(first, second);
    rows_.feature[0].push_back(shape ? kernels::both_intervals(first, second)
                                     : kernels::scaled(first, rows_.factor[0]));
    rows_.feature[1].push_back(shape ? std::int16_t{is} : kernels::scaled(second, rows_.factor[0]));
    rows_.feature[2].push_back(shape ? std::int16_t{opposite} : std::int16_t{0});
    rows_.feature[3].push_back(0);
  }
  for (std::size_t i = 0; i + 4 <= query.size(); ++i) ++folded_[index::folded_window(query.pitch, i)];
}

void WindowQuery::prepare_four(const Line& query) {
  time_weight_ = plan_.time * plan_.pitch_mean / plan_.time_mean;
  const double pitch_match = 2 * plan_.pitch_mean * plan_.pitch;
  const double time_match = 2 * plan_.pitch_mean * plan_.time;
  set_scale(std::max(1e-6, pitch_match + time_match));
  rows_.match_time = up(time_match);
  // Rounded down, so that differences stay lower bounds; they are of six and eight times the functionals.
  rows_.factor[0] = static_cast<std::int16_t>(plan_.pitch * scale_ / 6);
  rows_.factor[1] = static_cast<std::int16_t>(plan_.pitch * scale_ / 8);
  rows_.time_factor[0] = static_cast<float>(time_weight_ * scale_ / 6);
  rows_.time_factor[1] = static_cast<float>(time_weight_ * scale_ / 8);
  const auto& duration = query.duration;
  for (std::size_t i = 0; i < windows_; ++i) {
    const auto relative = spline::relative_pitches<4>(query, i);
    const auto pitch = kernels::functionals(relative[0], relative[1] - relative[0], relative[2] - relative[1]);
    const auto time = kernels::functionals(static_cast<float>(duration[i]), static_cast<float>(duration[i + 1]),
                                           static_cast<float>(duration[i + 2]), static_cast<float>(duration[i + 3]));
    rows_.match.push_back(up(pitch_match));
    rows_.gap.push_back(up(-plan_.pitch * spline::area4(relative[0], relative[1], relative[2])));
    rows_.feature[0].push_back(kernels::scaled(pitch.whole, rows_.factor[0]));
    rows_.feature[1].push_back(kernels::scaled(pitch.halves, rows_.factor[1]));
    rows_.feature[2].push_back(kernels::scaled(time.whole, rows_.time_factor[0]));
    rows_.feature[3].push_back(kernels::scaled(time.halves, rows_.time_factor[1]));
    ++folded_[index::folded_window(query.pitch, i)];
    ++rhythms_[index::rhythm_window(duration, i)];
  }
}

void WindowQuery::prepare_losses(const Line& query) {
  const double match = 2 * plan_.pitch_mean / loss_unit();  // of a weight of 1
  const double gain = std::ceil(match * (plan_.pitch + plan_.time));
  if (plan_.aligner != Aligner::hybrid || !(gain < 255)) return;
  losses_.gain_both = static_cast<std::uint8_t>(gain);
  losses_.gain_time = static_cast<std::uint8_t>(std::ceil(match * plan_.time));
  for (std::size_t i = 0; i < windows_; ++i) {
    const auto relative = spline::relative_pitches<4>(query, i);
    const kernels::LossFeatures features =
        kernels::loss_features(relative[0], relative[1] - relative[0], relative[2] - relative[1]);
    losses_.whole.push_back(features.whole);
    losses_.halves.push_back(features.halves);
    losses_.code.push_back(features.code);
    const double area = spline::area4(relative[0], relative[1], relative[2]) * plan_.pitch / loss_unit();
    losses_.gap.push_back(static_cast<std::uint8_t>(std::min(255.0, std::floor(area + 1e-9))));
  }
}

void WindowQuery::announce(const Segment& segment, const Segment::Notes& notes) const {
  segment.announce_pitches(notes);
  if (plan_.pairing == Pairing::pitch_and_time) segment.announce_times(notes);
}

void WindowQuery::fill_pitches(const Segment& segment, std::span<const Segment::Notes> documents,
                               kernels::Columns& columns) const {
  for (std::size_t lane = 0; lane < documents.size(); ++lane) {
    columns.length[lane] = static_cast<std::uint32_t>(spline::gram_count(documents[lane].count, notes_));
  }
  spread(
      documents, segment.midi_by_code(), [&](const Segment::Notes& notes) { return segment.pitch_codes(notes); },
      segment.has_pitch_exceptions(), [&](std::uint64_t note) { return static_cast<std::int16_t>(segment.midi(note)); },
      columns.pitch.data());
}

void WindowQuery::fill(const Segment& segment, std::span<const Segment::Notes> documents,
                       kernels::Columns& columns) const {
  fill_pitches(segment, documents, columns);
  if (plan_.pairing != Pairing::pitch_and_time) return;
  spread(
      documents, segment.duration_by_code(), [&](const Segment::Notes& notes) { return segment.time_codes(notes); },
      segment.has_time_exceptions(), [&](std::uint64_t note) { return segment.duration(note); },
      columns.duration.data());
}

WindowQuery::Lists WindowQuery::lists(const Segment& segment) const {
  Lists out;
  if (plan_.pairing == Pairing::pitch_and_time) {
    const double pitch = 2 * plan_.pitch_mean * plan_.pitch;
    const double time = 2 * plan_.pitch_mean * plan_.time;
    out.most = pitch + time;
    const int steps = std::max(2, std::min(Tally::kFull / static_cast<int>(std::max<std::size_t>(1, windows_)), 12));
    // One of the two weights comes out even; the other is rounded up.
    out.step = std::max(1e-12, out.most) / steps;
    const auto weight = [&](double value) { return static_cast<int>(std::ceil(value / out.step - 1e-9)); };
    for (const auto& [key, count] : folded_) add_lists(segment.four(), key, weight(pitch), count, out.lists);
    for (const auto& [key, count] : rhythms_) add_lists(segment.rhythm(), key, weight(time), count, out.lists);
  } else {
    // Identical windows that follow each other in both melodies are an identical window of four notes, and where they
    // do not something else stands between them, which costs b. So m identical windows, s of four notes among them, are
    // worth their weights w less b(m - s - 1): each (w - b), each window of four notes b, and b once.
    const double b = cheapest_break_;
    for (const auto& entry : distinct_) out.most = std::max(out.most, entry.second.match);
    out.extra = b;
    // In steps so fine that rounding up costs little, and so coarse that a whole query stays below Tally::kFull.
    const int steps = std::max(2, (Tally::kFull / static_cast<int>(std::max<std::size_t>(1, windows_)) - 1) / 2 * 2);
    out.step = std::max(1e-12, out.most) / steps;
    const auto weight = [&](double value) { return static_cast<int>(std::ceil(value / out.step - 1e-9)); };
    for (const auto& [key, same] : distinct_) {
      add_lists(segment.three(), key, weight(std::max(0.0, same.match - b)), same.count, out.lists);
    }
    for (const auto& [key, count] : folded_) add_lists(segment.four(), key, weight(b), count, out.lists);
  }
  return out;
}

}  // namespace rondo::fast
