#include "search/fast/window_query.h"

#include <cmath>
#include <functional>
#include <unordered_map>

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
  rows_.most = kernels::most_to_gain(rows_);
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

/// A lower bound of the cost of what stands between two pairs of identical windows that do not follow each other in
/// both melodies; row i is the row of the second pair. A pair of windows that differ costs at least a half.
/// - One column is left out and nothing else: it stands between windows (x, y) and (y, z) of intervals, which are rows
///   i - 1 and i, so it is the window (y, y).
/// - More columns, or a column and a pair of windows that differ.
/// - A column and rows, or rows alone: row i - 1 is one of them.
/// - Two pairs of windows that differ.
/// - One such pair and rows: row i - 1 or i - 2 is one of them, because only one row is in the pair.
/// - One such pair alone is not possible: the identical windows before and after it have all intervals of its two
///   windows, which would be identical, too.
double WindowQuery::least_break(std::size_t i, double cheapest_gap) const {
  if (i == 0) return 1;  // nothing stands before it
  const auto y = static_cast<std::int16_t>(intervals_[i][0]);
  const auto repeated =
      static_cast<double>(plan_.counts->count(WindowCounts::key(y, static_cast<std::int16_t>(2 * y))));
  const double one_column = 1 - repeated / static_cast<double>(plan_.counts->total());
  const double before = leaving_out_[i - 1];
  const double other = 0.5 + std::min({0.5, cheapest_gap, before, leaving_out_[i < 2 ? 0 : i - 2]});
  return std::min({one_column, 2 * cheapest_gap, before, other});
}

void WindowQuery::prepare_three(const Line& query) {
  set_scale(1);  // no pair gains more than 1, and no window costs more
  const bool shape = plan_.pairing == Pairing::shape;
  rows_.same = static_cast<std::int16_t>(-scale_ / 2);
  rows_.other = static_cast<std::int16_t>(-scale_);
  rows_.opposite = static_cast<std::int16_t>(-8 * scale_);
  rows_.factor[0] = static_cast<std::int16_t>(plan_.pairing == Pairing::interval ? scale_ / 2 : scale_ / 4);
  const auto total = static_cast<double>(plan_.counts->total());
  // A gap costs 1 - f, so the commonest window is the cheapest: a bound for all, and nothing to look up.
  const double cheapest_gap = 1 - static_cast<double>(plan_.counts->most()) / total;
  rows_.document_gap = up(-cheapest_gap);
  for (std::size_t i = 0; i < windows_; ++i) {
    const auto relative = spline::relative_pitches<3>(query, i);
    const int first = relative[0];
    const int second = relative[1] - relative[0];
    const std::int64_t count = plan_.counts->count(spline::key_of<3>(relative));
    const double match = 1 - static_cast<double>(std::max<std::int64_t>(1, count)) / total;
    threes_.push_back(spline::key_of<3>(relative));
    intervals_.push_back({first, second, 0});
    worth_.push_back(match);
    most_ = std::max(most_, match);
    rows_.match.push_back(up(match));
    const double gap = count == 0 ? 1 / total : match;
    // A document gets the first break for nothing (Lists::extra), which tells little of a few windows if it is large.
    break_.push_back(std::min(least_break(i, cheapest_gap), windows_ < kFewWindows ? 0.5 : 1.0));
    leaving_out_.push_back(gap);
    rows_.gap.push_back(up(-gap));
    const auto [is, opposite] = class_of(first, second);
    rows_.feature[0].push_back(shape ? kernels::both_intervals(first, second)
                                     : kernels::scaled(first, rows_.factor[0]));
    rows_.feature[1].push_back(shape ? std::int16_t{is} : kernels::scaled(second, rows_.factor[0]));
    rows_.feature[2].push_back(shape ? std::int16_t{opposite} : std::int16_t{0});
    rows_.feature[3].push_back(0);
  }
  for (std::size_t i = 0; i + 4 <= query.size(); ++i) folded_.push_back(index::folded_window(query.pitch, i));
  if (plan_.aligner == Aligner::global) prepare_global(cheapest_gap);
  if (plan_.aligner == Aligner::hybrid) before_first_ = std::min({0.5, cheapest_gap, leaving_out_[0]});
}

void WindowQuery::prepare_global(double cheapest_gap) {
  cheapest_gap_ = cheapest_gap;
  unpaired_ = std::min(0.5, cheapest_gap);
  for (const double row : leaving_out_) unpaired_rows_ += std::min(unpaired_, row);
  std::vector<double> rows = leaving_out_;
  std::sort(rows.begin(), rows.end());
  cheapest_rows_.push_back(0);
  for (const double row : rows) cheapest_rows_.push_back(cheapest_rows_.back() + row);
}

double WindowQuery::not_paired(std::size_t document_windows) const {
  if (document_windows <= windows_) {
    return unpaired_ * static_cast<double>(document_windows) + cheapest_rows_[windows_ - document_windows];
  }
  return unpaired_rows_ + cheapest_gap_ * static_cast<double>(document_windows - windows_);
}

void WindowQuery::prepare_four(const Line& query) {
  time_weight_ = plan_.time * plan_.pitch_mean / plan_.time_mean;
  const double pitch_match = 2 * plan_.pitch_mean * plan_.pitch;
  const double time_match = 2 * plan_.pitch_mean * plan_.time;
  set_scale(std::max(1e-6, pitch_match + time_match));
  most_ = pitch_match + time_match;
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
    intervals_.push_back({relative[0], relative[1] - relative[0], relative[2] - relative[1]});
    rows_.match.push_back(up(pitch_match));
    rows_.gap.push_back(up(-plan_.pitch * spline::area4(relative[0], relative[1], relative[2])));
    rows_.feature[0].push_back(kernels::scaled(pitch.whole, rows_.factor[0]));
    rows_.feature[1].push_back(kernels::scaled(pitch.halves, rows_.factor[1]));
    rows_.feature[2].push_back(kernels::scaled(time.whole, rows_.time_factor[0]));
    rows_.feature[3].push_back(kernels::scaled(time.halves, rows_.time_factor[1]));
    leaving_out_.push_back(plan_.pitch * spline::area4(relative[0], relative[1], relative[2]));
    folded_.push_back(index::folded_window(query.pitch, i));
    rhythms_.push_back(index::rhythm_window(duration, i));
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

std::optional<WindowQuery::Gains> WindowQuery::gains(std::size_t document_windows) const {
  if (plan_.aligner != Aligner::global || plan_.pairing != Pairing::shape) return std::nullopt;
  // What a pair gains at most: so much that all that a document can gain fits into a byte.
  constexpr double kRoom = 250;
  constexpr double kFewest = 6;  // for fewer it is too rough
  constexpr double kStart = 2;   // pairs: what the beginning may cost
  const auto pairs = static_cast<double>(std::max<std::size_t>(1, std::min(windows_, document_windows)));
  double steps = std::floor(kRoom / (2 * (pairs + kStart)));
  if (!(steps >= kFewest) || !(most_ > 0)) return std::nullopt;
  steps = std::min(128.0, std::floor(steps / 2) * 2);  // a half comes out even
  Gains out;
  out.most_windows = document_windows;
  out.unit = most_ / steps;
  const auto gained = [&](double value) { return static_cast<std::uint8_t>(std::ceil(value / out.unit - 1e-9)); };
  const auto lost = [&](double value) {
    return static_cast<std::uint8_t>(std::clamp(std::floor(value / out.unit + 1e-9), 0.0, 255.0));
  };
  kernels::GainRows& rows = out.rows;
  rows.start = static_cast<std::uint8_t>(kStart * steps);
  rows.loss_same = lost(0.5);
  rows.loss_unlike = lost(1);
  rows.loss_opposite = lost(8);
  rows.document_gap = lost(-rows_.document_gap * unit());
  for (std::size_t i = 0; i < windows_; ++i) {
    const auto [u, v, w] = intervals_[i];
    // Most rows of a long query are left out. What that costs is subtracted from all alignments (all_rows), and what is
    // not left out gains it back.
    const double back = leaving_out_[i];
    out.all_rows += back;
    rows.match.push_back(gained(back + worth_[i]));
    rows.other.push_back(gained(back));
    rows.code.push_back(kernels::interval_code(u, v));
    const auto [is, opposite] = class_of(u, v);
    rows.is.push_back(static_cast<std::uint8_t>(is));
    rows.opposite.push_back(static_cast<std::uint8_t>(opposite));
  }
  return out;
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

std::size_t WindowQuery::usual_windows(const Segment& segment, std::uint32_t one_in) const {
  std::size_t most = 1;
  for (std::size_t r = segment.runs().size(); r > 0; --r) {
    most = std::max<std::size_t>(1, spline::gram_count(segment.runs()[r - 1].notes, notes_));
    if (segment.runs()[r - 1].first_document < segment.size() - segment.size() / one_in) break;
  }
  return most;
}

namespace {

/// Lists of windows that come several times in a query, each time with a weight of its own: a document that has one so
/// many times can be paired with so many of them, at best with those that weigh most.
template <typename Key>
class ListsByWindow {
 public:
  void add(Key window, int weight) {
    if (weight > 0) weights_[window].push_back(weight);
  }
  /// No more than `pairs` of a document's windows are paired.
  void find(const Segment::Lists& lists, std::size_t pairs, std::vector<WeightedList>& out) {
    for (auto& [window, weights] : weights_) {
      std::sort(weights.begin(), weights.end(), std::greater<>());
      add_lists(lists, window, std::span(weights).first(std::min(weights.size(), pairs)), out);
    }
  }

 private:
  std::unordered_map<Key, std::vector<int>> weights_;
};

int steps_of(double value, double step) { return static_cast<int>(std::ceil(value / step - 1e-9)); }

}  // namespace

void WindowQuery::add_three_lists(const Segment& segment, std::size_t pairs, Lists& out) const {
  // Identical windows that follow each other in both melodies are an identical window of four notes, and where they do
  // not something else stands between them, which costs b, by the window that it leads to. So identical windows are
  // worth their weights w less b each, b for each window of four notes, and b once, for what comes first. In a hybrid
  // alignment there is something before the first of them, too (before_first_), unless it is the first window of both.
  const bool global = plan_.aligner == Aligner::global;
  ListsByWindow<spline::GramKey> threes;
  ListsByWindow<std::uint32_t> fours;
  // Tiny weights are added to every bound instead of being rounded up.
  std::vector<double> little;
  if (!global) out.extra = *std::max_element(break_.begin(), break_.end()) - before_first_;
  for (std::size_t i = 0; i < windows_; ++i) {
    if (global) {
      threes.add(threes_[i], steps_of(worth_[i] + unpaired_, out.step));  // see not_paired
      continue;
    }
    const double first = i == 0 ? out.extra : break_[i];
    const double worth = worth_[i] - first;
    if (worth > out.step / 2) {
      threes.add(threes_[i], steps_of(worth, out.step));
    } else if (worth > 0) {
      little.push_back(worth);
    }
    if (i > 0) fours.add(folded_[i - 1], steps_of(break_[i], out.step));
  }
  std::sort(little.begin(), little.end(), std::greater<>());
  if (little.size() > pairs) little.resize(pairs);
  for (const double worth : little) out.extra += worth;
  threes.find(segment.three(), pairs, out.lists);
  fours.find(segment.four(), pairs, out.lists);
}

void WindowQuery::add_four_lists(const Segment& segment, std::size_t pairs, Lists& out) const {
  // Only what is gained: what is lost by rows left out is found by the rough alignment (window_losses), once.
  const int pitch = steps_of(2 * plan_.pitch_mean * plan_.pitch, out.step);
  const int time = steps_of(2 * plan_.pitch_mean * plan_.time, out.step);
  ListsByWindow<std::uint32_t> pitches;
  ListsByWindow<std::uint64_t> rhythms;
  for (std::size_t i = 0; i < windows_; ++i) {
    pitches.add(folded_[i], pitch);
    rhythms.add(rhythms_[i], time);
  }
  pitches.find(segment.four(), pairs, out.lists);
  if (windows_ / 2 > out.most_pairs) {
    // Nearly all documents have nearly all rhythms of a long query.
    out.each_pair = 2 * plan_.pitch_mean * plan_.time;
  } else {
    rhythms.find(segment.rhythm(), pairs, out.lists);
  }
}

WindowQuery::Lists WindowQuery::lists(const Segment& segment) const {
  Lists out;
  out.most = most_ + unpaired_;
  // Sums of documents longer than nearly all may stop at Tally::kFull; still longer ones have no bound at all, where it
  // would depend on their length.
  constexpr std::uint32_t kFewOf = 64;
  const auto usual = static_cast<int>(std::min(usual_windows(segment, kFewOf), std::max<std::size_t>(1, windows_)));
  std::size_t pairs = windows_;
  if (plan_.aligner != Aligner::global) {
    pairs = most_windows(segment);
    if (windows_ > pairs) out.most_pairs = pairs;
  }
  if (plan_.pairing == Pairing::pitch_and_time) {
    // One of the two weights comes out even; the other is rounded up.
    out.step = std::max(1e-12, out.most) / std::max(2, std::min(Tally::kFull / usual, 12));
    add_four_lists(segment, pairs, out);
  } else {
    // In steps so fine that rounding up costs little, and so coarse that nearly all sums stay below Tally::kFull. The
    // costliest break, which is what most lists count, comes out even; of a few windows, for which steps are far finer,
    // what the most of them is worth.
    double even = std::max(1e-12, out.most);
    if (windows_ >= kFewWindows && plan_.aligner != Aligner::global)
      even = *std::max_element(break_.begin(), break_.end());
    out.step = even / std::max(2, Tally::kFull / usual - 1);
    add_three_lists(segment, pairs, out);
  }
  return out;
}

}  // namespace rondo::fast
