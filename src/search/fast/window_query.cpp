#include "search/fast/window_query.h"

#include <cmath>
#include <functional>
#include <queue>
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

WindowQuery::WindowQuery(const WindowPlan& plan, const Line& query, std::size_t most_pairs)
    : plan_(plan),
      notes_(plan.notes()),
      windows_(spline::gram_count(query.size(), plan.notes())),
      most_pairs_(std::min(windows_, most_pairs)) {
  if (plan_.pairing == Pairing::pitch_and_time) {
    prepare_four(query);
    prepare_losses(query);
  } else {
    prepare_three(query);
  }
  if (pays_in_advance()) {
    for (std::size_t i = 0; i < windows_; ++i) {
      paid_ -= leaving_out_[i];
      rows_.lift.push_back(up(leaving_out_[i]));
      rows_.gap[i] = 0;
    }
  }
  rows_.rest = kernels::still_to_gain(rows_);
  rows_.most = kernels::most_to_gain(rows_);
}

bool WindowQuery::pays_in_advance() const {
  return plan_.aligner == Aligner::global && plan_.pairing != Pairing::pitch_and_time && most_pairs_ < windows_;
}

void WindowQuery::set_scale(double most_per_row) {
  constexpr double kRoom = 30'000;  // below 32,767, the largest number of 16 bits
  double scale = std::min(1000.0, kRoom / (most_per_row * static_cast<double>(std::max<std::size_t>(1, most_pairs_))));
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
  set_scale(pays_in_advance() ? 2 : 1);  // no pair gains more than 1, and no window costs more
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

std::optional<WindowQuery::Gains> WindowQuery::gains(const Stretch& stretch, std::size_t document_windows) const {
  const bool curves = plan_.pairing == Pairing::pitch_and_time;
  const bool global = plan_.aligner == Aligner::global;
  if (curves && plan_.aligner != Aligner::local) return std::nullopt;
  // What a pair gains at most: so much that all that a document can gain fits into a byte, and that the factors of its
  // features fit in.
  constexpr double kRoom = 250;
  constexpr double kFewest = 6;  // for fewer it is too rough
  // What the beginning may cost, in pairs, if an alignment is to be told from one that begins anywhere.
  const double start = plan_.aligner == Aligner::local ? 0 : global ? 2 : kMostAtStart;
  const auto pairs = static_cast<double>(std::max<std::size_t>(1, std::min(stretch.size(), document_windows)));
  double steps = std::floor(kRoom / ((global ? 2 : 1) * (pairs + start)));
  if (curves && plan_.pitch > 0) steps = std::min(steps, std::floor(3 * most_ / plan_.pitch));
  if (!(steps >= kFewest) || !(most_ > 0)) return std::nullopt;
  if (!curves) steps = std::min(128.0, std::floor(steps / 2) * 2);  // a half comes out even
  Gains out;
  out.most_windows = document_windows;
  out.unit = most_ / steps;
  const auto gained = [&](double value) { return static_cast<std::uint8_t>(std::ceil(value / out.unit - 1e-9)); };
  const auto lost = [&](double value) {
    return static_cast<std::uint8_t>(std::clamp(std::floor(value / out.unit + 1e-9), 0.0, 255.0));
  };
  kernels::GainRows& rows = out.rows;
  rows.pairing = plan_.pairing;
  rows.aligner = plan_.aligner;
  rows.start = static_cast<std::uint8_t>(start * steps);
  rows.same = lost(0.5);
  rows.unlike = lost(1);
  rows.opposite = lost(8);
  rows.document_gap = lost(-rows_.document_gap * unit());
  if (curves) {
    rows.factor[0] = static_cast<std::int16_t>(std::min(128.0, 256 * plan_.pitch / (6 * out.unit)));
    rows.factor[1] = static_cast<std::int16_t>(std::min(128.0, 256 * plan_.pitch / (8 * out.unit)));
  } else {
    // An interval costs a half for each semitone, or in an area a quarter, and the sum of both a half.
    const bool area = plan_.pairing == Pairing::pitch_area;
    rows.factor[0] = lost(area ? 0.25 : 0.5);
    rows.factor[1] = area ? lost(0.5) : std::int16_t{0};
  }
  const double other = curves ? 2 * plan_.pitch_mean * plan_.time : 0;
  for (std::size_t i = stretch.begin; i < stretch.end; ++i) {
    const auto [u, v, w] = intervals_[i];
    // A global alignment leaves out most rows of a long query. What that costs is subtracted from all alignments
    // (all_rows), and what is not left out gains it back.
    const double back = global ? leaving_out_[i] : 0;
    out.all_rows += back;
    rows.match.push_back(gained(back + (curves ? most_ : worth_[i])));
    rows.other.push_back(gained(back + other));
    rows.gap.push_back(lost(leaving_out_[i] - back));
    const kernels::IntervalFeatures intervals = kernels::interval_features(u, v, rows.factor);
    rows.code.push_back(kernels::interval_code(u, v));
    rows.first.push_back(intervals.first);
    rows.second.push_back(intervals.second);
    rows.third.push_back(intervals.sum);
    if (plan_.pairing == Pairing::shape) {
      const auto [is, opposite] = class_of(u, v);
      rows.first.back() = static_cast<std::uint8_t>(is);
      rows.second.back() = static_cast<std::uint8_t>(opposite);
    } else if (curves) {
      const kernels::GainFeatures features = kernels::gain_features(u, v, w, rows.factor);
      rows.code.back() = features.code;
      rows.first.back() = features.whole;
      rows.second.back() = features.halves;
    }
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

/// What it costs at least to leave out rows where no more than so many are paired: of e rows e - pairs, the cheapest.
class ForcedLosses {
 public:
  explicit ForcedLosses(std::size_t pairs) : pairs_(pairs) {}
  /// What a further row adds to that, if it costs so much to leave it out: the cheapest of all that are not left out
  /// yet.
  double add(double cost) {
    kept_.push(cost);
    if (kept_.size() <= pairs_) return 0;
    const double cheapest = kept_.top();
    kept_.pop();
    return cheapest;
  }

 private:
  std::size_t pairs_;
  std::priority_queue<double, std::vector<double>, std::greater<>> kept_;
};

}  // namespace

std::size_t WindowQuery::latest_end(std::size_t begin, double threshold, std::size_t document_windows) const {
  if (!(threshold >= 0) || windows_ - begin <= document_windows) return windows_;
  const auto pairs = static_cast<double>(document_windows);
  const double may_lose = pairs * (most_ - threshold) * (1 + 1e-9) + 1e-6;
  double lost = 0;
  ForcedLosses losses(document_windows);
  for (std::size_t i = begin; i < windows_; ++i) {
    lost += losses.add(leaving_out_[i]);
    if (lost > may_lose) return i;
  }
  return windows_;
}

std::size_t WindowQuery::rows_needed(double threshold, std::size_t document_windows) const {
  return plan_.aligner == Aligner::hybrid ? latest_end(0, threshold, document_windows) : windows_;
}

std::vector<WindowQuery::Stretch> WindowQuery::stretches(double threshold, std::size_t document_windows) const {
  if (plan_.aligner == Aligner::hybrid) return {{0, rows_needed(threshold, document_windows)}};
  // Whatever begins among so many windows lies within the stretch from the first of them to the latest end of all,
  // which is that of what begins last: to leave out the first window of an alignment never makes it end sooner. Where
  // little is lost by leaving windows out, ends are late; then more beginnings go together, or most of a stretch would
  // be looked through again in the next ones.
  std::vector<Stretch> out;
  std::size_t beginnings = 0;
  for (std::size_t begin = 0; begin < windows_; begin += beginnings) {
    beginnings =
        std::clamp(latest_end(begin, threshold, document_windows) - begin, 2 * document_windows, 4 * document_windows);
    const std::size_t last = std::min(windows_, begin + beginnings) - 1;
    out.push_back({begin, latest_end(last, threshold, document_windows)});
    if (out.back().end == windows_) break;
  }
  return out;
}

std::vector<WindowQuery::Stretch> WindowQuery::samples(std::size_t document_windows) const {
  if (plan_.aligner == Aligner::hybrid) return {{0, std::min(windows_, document_windows)}};
  std::vector<Stretch> out;
  // One in some tells enough, and takes less time than the documents that a higher threshold would spare.
  constexpr std::size_t kEvery = 4;
  for (std::size_t begin = 0; begin < windows_; begin += kEvery * document_windows) {
    // The last few windows alone are like too many documents.
    if (begin > 0 && windows_ - begin < document_windows / 2) break;
    out.push_back({begin, std::min(windows_, begin + document_windows)});
  }
  return out;
}

void WindowQuery::some_rows(const Stretch& stretch, kernels::Rows& out) const {
  const auto some = [&](const std::vector<std::int16_t>& from, std::vector<std::int16_t>& to) {
    to.assign(from.begin() + static_cast<std::ptrdiff_t>(stretch.begin),
              from.begin() + static_cast<std::ptrdiff_t>(stretch.end));
  };
  some(rows_.match, out.match);
  some(rows_.gap, out.gap);
  if (!rows_.lift.empty()) some(rows_.lift, out.lift);
  for (std::size_t f = 0; f < std::size(rows_.feature); ++f) some(rows_.feature[f], out.feature[f]);
  out.match_time = rows_.match_time;
  out.same = rows_.same;
  out.other = rows_.other;
  out.opposite = rows_.opposite;
  out.document_gap = rows_.document_gap;
  std::copy(std::begin(rows_.factor), std::end(rows_.factor), std::begin(out.factor));
  std::copy(std::begin(rows_.time_factor), std::end(rows_.time_factor), std::begin(out.time_factor));
  out.rest = kernels::still_to_gain(out);
  out.most = rows_.most;
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

void WindowQuery::add_three_lists(const Segment& segment, const Stretch& stretch, std::size_t pairs, Lists& out) const {
  // Identical windows that follow each other in both melodies are an identical window of four notes, and where they do
  // not something else stands between them, which costs b, by the window that it leads to. So identical windows are
  // worth their weights w less b each, b for each window of four notes, and b once, for what comes first. A row that is
  // left out may be all that stands between two; what it costs beyond b is lost besides. In a hybrid alignment there is
  // something before the first of them, too (before_first_), unless it is the first window of both.
  const auto beyond_break = [&](std::size_t i) {
    return i + 1 < windows_ ? std::max(0.0, leaving_out_[i] - break_[i + 1]) : leaving_out_[i];
  };
  const bool global = plan_.aligner == Aligner::global;
  const bool forced = plan_.aligner == Aligner::hybrid;
  ForcedLosses losses(pairs);
  ListsByWindow<spline::GramKey> threes;
  ListsByWindow<std::uint32_t> fours;
  // What is worth next to nothing is not rounded up to a step for each document that has it: all of it is given to
  // everybody.
  std::vector<double> little;
  if (!global) {
    const auto at = [&](std::size_t i) { return break_.begin() + static_cast<std::ptrdiff_t>(i); };
    out.extra = *std::max_element(at(stretch.begin), at(stretch.end)) - before_first_;
  }
  for (std::size_t i = stretch.begin; i < stretch.end; ++i) {
    if (global) {
      threes.add(threes_[i], steps_of(worth_[i] + unpaired_, out.step));  // see not_paired
      continue;
    }
    const double first = i == 0 ? out.extra : break_[i];
    const double worth = worth_[i] - first - (forced ? losses.add(beyond_break(i)) : 0);
    if (worth > out.step / 2) {
      threes.add(threes_[i], steps_of(worth, out.step));
    } else if (worth > 0) {
      little.push_back(worth);
    }
    if (i > stretch.begin) fours.add(folded_[i - 1], steps_of(break_[i], out.step));
  }
  std::sort(little.begin(), little.end(), std::greater<>());
  if (little.size() > pairs) little.resize(pairs);
  for (const double worth : little) out.extra += worth;
  threes.find(segment.three(), pairs, out.lists);
  fours.find(segment.four(), pairs, out.lists);
}

void WindowQuery::add_four_lists(const Segment& segment, const Stretch& stretch, std::size_t pairs, Lists& out) const {
  // Only what is gained: what is lost by rows left out is found by the rough alignment (window_losses), once.
  const int pitch = steps_of(2 * plan_.pitch_mean * plan_.pitch, out.step);
  const int time = steps_of(2 * plan_.pitch_mean * plan_.time, out.step);
  ListsByWindow<std::uint32_t> pitches;
  ListsByWindow<std::uint64_t> rhythms;
  for (std::size_t i = stretch.begin; i < stretch.end; ++i) {
    pitches.add(folded_[i], pitch);
    rhythms.add(rhythms_[i], time);
  }
  pitches.find(segment.four(), pairs, out.lists);
  // Nearly all documents have nearly all rhythms of a long query, more often than they have windows.
  const bool is_long = stretch.size() > out.most_pairs;
  rhythms.find(segment.rhythm(), pairs, is_long ? out.common : out.lists);
  out.most_common = time;
}

WindowQuery::Lists WindowQuery::lists(const Segment& segment, const Stretch& stretch) const {
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
    add_four_lists(segment, stretch, pairs, out);
  } else {
    // In steps so fine that rounding up costs little, and so coarse that nearly all sums stay below Tally::kFull. The
    // costliest break, which is what most lists count, comes out even; of a few windows, for which steps are far finer,
    // what the most of them is worth.
    double even = std::max(1e-12, out.most);
    if (windows_ >= kFewWindows && plan_.aligner != Aligner::global)
      even = *std::max_element(break_.begin() + static_cast<std::ptrdiff_t>(stretch.begin),
                               break_.begin() + static_cast<std::ptrdiff_t>(stretch.end));
    out.step = even / std::max(2, Tally::kFull / usual - 1);
    add_three_lists(segment, stretch, pairs, out);
  }
  return out;
}

}  // namespace rondo::fast
