#include "search/card_bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "search/asked_together.h"
#include "search/card_numbers.h"
#include "search/fast/plane.h"
#include "search/fast/window_query.h"
#include "search/index/grams.h"
#include "search/kernels/window_align.h"

namespace rondo {
namespace {

using gpu::CoincidingBound;
using gpu::SharedIntervalsBound;
using gpu::WindowBound;

static_assert(fast::kMidiPitches == gpu::kLinePitches);
static_assert(kernels::kFeatureLimit == WindowBound::kFeatureLimit);
static_assert(static_cast<int>(WindowPlan::Pairing::pitch_and_time) ==
              static_cast<int>(WindowBound::Pairing::pitch_and_time));
static_assert(static_cast<int>(WindowPlan::Pairing::pitch_area) == static_cast<int>(WindowBound::Pairing::pitch_area));
static_assert(static_cast<int>(WindowPlan::Pairing::interval) == static_cast<int>(WindowBound::Pairing::interval));
static_assert(static_cast<int>(Aligner::local) == static_cast<int>(WindowBound::Aligner::local));
static_assert(static_cast<int>(Aligner::global) == static_cast<int>(WindowBound::Aligner::global));

std::optional<CardQuery> bound_query(const SharedIntervalsPlan& /*plan*/, const Line& query) {
  SharedIntervalsBound bound{};
  std::set<std::uint32_t> seen;
  std::uint32_t last = 0;
  for (std::size_t i = 1; i < query.size(); ++i) {
    last = SharedIntervalsBound::next(last, query.pitch[i] - query.pitch[i - 1]);
    if (i >= SharedIntervalsBound::kIntervals && seen.insert(last).second) bound.sequence[bound.sequences++] = last;
  }
  if (bound.sequences == 0) return std::nullopt;
  bound.most = static_cast<std::int32_t>(bound.sequences);
  return CardQuery{bound, true, 1};
}

std::optional<CardQuery> bound_query(const GeometricPlan& /*plan*/, const Line& query) {
  const auto plane = fast::plane_of(make_points(query));
  if (!plane) return std::nullopt;
  CoincidingBound bound{};
  const auto [low, high] = std::minmax_element(plane->pitch.begin(), plane->pitch.end());
  bound.lowest = *low;
  bound.highest = *high;
  bound.most = static_cast<std::int32_t>(plane->pitch.size());
  for (std::size_t i = 0; i < plane->pitch.size(); ++i) {
    const auto since = static_cast<std::uint32_t>(plane->onset[i]) - static_cast<std::uint32_t>(plane->onset[0]);
    // Turned round, so that to move it by a document's place gives the shift. Onsets come in order.
    const std::uint32_t place = (gpu::kPlaces - since % gpu::kPlaces) % gpu::kPlaces;
    bound.places[plane->pitch[i]] |= std::uint64_t{1} << place;
  }
  return CardQuery{bound, false, 1 / static_cast<double>(plane->pitch.size())};
}

std::optional<CardQuery> bound_query(const WindowPlan& plan, const Line& query) {
  if (query.size() < plan.notes()) return std::nullopt;
  const fast::WindowQuery own(plan, query);
  const kernels::Rows& rows = own.rows();
  if (!own.fits() || own.windows() == 0 || own.windows() > WindowBound::kMostWindows) return std::nullopt;
  WindowBound bound{};
  std::int32_t greatest = 0;
  std::int32_t sum = 0;
  for (std::size_t i = 0; i < own.windows(); ++i) {
    bound.match[i] = rows.match[i];
    bound.gap[i] = rows.gap[i];
    for (std::size_t f = 0; f < 4; ++f) bound.feature[f][i] = rows.feature[f][i];
    const std::int32_t gain = std::max(0, rows.match[i] + std::max<int>(0, rows.match_time));
    greatest = std::max(greatest, gain);
    sum += gain;
  }
  bound.match_time = rows.match_time;
  bound.same = rows.same;
  bound.other = rows.other;
  bound.opposite = rows.opposite;
  bound.document_gap = rows.document_gap;
  std::copy(std::begin(rows.factor), std::end(rows.factor), std::begin(bound.factor));
  std::copy(std::begin(rows.time_factor), std::end(rows.time_factor), std::begin(bound.time_factor));
  bound.pairing = static_cast<WindowBound::Pairing>(plan.pairing);
  bound.aligner = static_cast<WindowBound::Aligner>(plan.aligner);
  bound.window = static_cast<std::uint8_t>(plan.notes());
  bound.rows = static_cast<std::uint8_t>(own.windows());
  const bool divided = plan.aligner != Aligner::global;
  // No more pairs add than there are to divide by.
  bound.most = divided ? greatest * WindowBound::kFine : sum;
  return CardQuery{bound, false, divided ? own.unit() / WindowBound::kFine : own.unit()};
}

template <class Plan>
std::optional<CardQuery> bound_query(const Plan& /*plan*/, const Line& /*query*/) {
  return std::nullopt;
}

/// A request of a thread.
struct BoundsRequest {
  const gpu::BoundQuery* query = nullptr;
  std::vector<std::uint64_t> allowed{};
  std::uint32_t wanted = 1;
  std::int32_t least = gpu::kNoBound;
};

}  // namespace

double CardQuery::most(std::int32_t units) const {
  const double value = static_cast<double>(units) * unit;
  // Room for the rounding of floating point, far below any difference between scores that are not equal.
  return exact ? value : value + 1e-9 * std::max(1.0, std::abs(value));
}

std::int32_t CardQuery::least(double threshold) const {
  // From about there to the first that is not ruled out.
  const double about = std::clamp(std::floor(threshold / unit) - 2, -2e9, 2e9);
  auto units = static_cast<std::int32_t>(about);
  while (units > gpu::kNoBound + 1 && most(units - 1) >= threshold) --units;
  while (units < std::numeric_limits<std::int32_t>::max() && most(units) < threshold) ++units;
  return units;
}

struct CardBounds::State {
  const index::Snapshot* snapshot = nullptr;
  std::shared_ptr<gpu::Card> card;
  std::unique_ptr<gpu::Slice> lines;
  CardNumbers numbers;
  std::vector<std::vector<index::DocumentId>> others;

  AskedTogether<BoundsRequest, gpu::BoundAnswer> together{[this](auto requests) { return answer(requests); }};

  [[nodiscard]] Result<void> load(unsigned threads, const std::stop_token& stop);
  void fill(const CardPart<gpu::LineColumns>& part, gpu::LineColumns& to) const;
  [[nodiscard]] Result<std::vector<gpu::BoundAnswer>> answer(std::span<const BoundsRequest* const> requests) const;
};

bool CardBounds::can_bound(const SystemRow& row, const SearchPlan& plan) {
  if (const auto* const geometric = std::get_if<GeometricPlan>(&plan)) {
    return geometric->problem == GeometricPlan::Problem::p2;
  }
  if (std::holds_alternative<SharedIntervalsPlan>(plan)) return row.zero_is_none;
  const auto* const windows = std::get_if<WindowPlan>(&plan);
  return windows != nullptr && (windows->counts != nullptr || windows->pairing == WindowPlan::Pairing::pitch_and_time);
}

CardBounds::CardBounds(std::unique_ptr<State> state) : state_(std::move(state)) {}
CardBounds::~CardBounds() = default;
CardBounds::CardBounds(CardBounds&&) noexcept = default;
CardBounds& CardBounds::operator=(CardBounds&&) noexcept = default;

void CardBounds::State::fill(const CardPart<gpu::LineColumns>& part, gpu::LineColumns& to) const {
  const index::Segment& from = snapshot->segments[part.segment];
  fast::Plane plane;
  std::vector<gpu::TimeCurve> times;
  for (index::DocumentId d = part.begin; d < part.end; ++d) {
    const index::Segment::Notes notes = from.notes_of(d);
    const bool fits = !snapshot->removed[part.segment].has(d) && notes.count > 0 &&
                      notes.count <= gpu::kMostLineNotes && plane.read(from, notes) && plane.is_line();
    if (!fits) {
      to.add_none();
      continue;
    }
    times.assign(notes.count, {});
    for (std::size_t j = 0; j + 4 <= notes.count; ++j) {
      const auto duration = [&](std::size_t k) { return from.duration(notes.first + j + k); };
      const auto curve = kernels::functionals(duration(0), duration(1), duration(2), duration(3));
      times[j] = {curve.whole, curve.halves};
    }
    to.add(plane.pitch, plane.onset, times, snapshot->whole[part.segment].has(d));
  }
}

Result<void> CardBounds::State::load(unsigned threads, const std::stop_token& stop) {
  auto parts = fill_parts<gpu::LineColumns>(*snapshot, threads, stop,
                                            [this](const auto& part, gpu::LineColumns& to) { fill(part, to); });
  if (!parts) return fail(parts.error());
  gpu::LineColumns all;
  others.resize(snapshot->segments.size());
  for (auto& part : *parts) {
    while (all.documents.size() < numbers.first(part.segment)) all.add_none();
    for (std::size_t i = 0; i < part.columns.documents.size(); ++i) {
      const auto d = static_cast<index::DocumentId>(part.begin + i);
      const bool here = part.columns.documents[i].notes != 0;
      if (!here && !snapshot->removed[part.segment].has(d)) others[part.segment].push_back(d);
    }
    all.append(part.columns);
    part.columns = {};
  }
  while (all.documents.size() < numbers.end()) all.add_none();
  auto loaded = card->load_lines(all.span());
  if (!loaded) return fail(loaded.error());
  lines = std::move(*loaded);
  return {};
}

Result<CardBounds> CardBounds::load(const Index& index, std::shared_ptr<gpu::Card> card, unsigned threads,
                                    const std::stop_token& stop) {
  auto state = std::make_unique<State>();
  state->snapshot = &index.snapshot();
  state->numbers = CardNumbers(index.snapshot());
  state->card = std::move(card);
  if (auto done = state->load(threads, stop); !done) return fail(done.error());
  return CardBounds(std::move(state));
}

bool CardBounds::has(const index::Snapshot& snapshot) const { return state_->snapshot == &snapshot; }

std::optional<CardQuery> CardBounds::query(const SystemRow& row, const SearchPlan& plan, const Line& query) {
  if (!can_bound(row, plan) || query.size() > gpu::kMostLineNotes || !query.unknown.empty()) return std::nullopt;
  auto out = std::visit([&](const auto& own) { return bound_query(own, query); }, plan);
  if (!out) return out;
  std::visit(
      [&](auto& bound) {
        bound.least_notes = static_cast<std::uint32_t>(row.shortest);
        bound.only_whole = row.polyphonic ? 1 : 0;
      },
      out->bound);
  return out;
}

const std::vector<index::DocumentId>& CardBounds::others(std::size_t segment) const { return state_->others[segment]; }

Result<std::vector<gpu::BoundAnswer>> CardBounds::State::answer(std::span<const BoundsRequest* const> requests) const {
  std::vector<gpu::BoundRequest> asked;
  asked.reserve(requests.size());
  for (const BoundsRequest* one : requests) asked.push_back({one->query, one->wanted, one->least, one->allowed});
  std::vector<gpu::BoundAnswer> out;
  if (auto done = card->bounded(*lines, asked, out); !done) return fail(done.error());
  return out;
}

Result<CardBounds::Answer> CardBounds::ask(const CardQuery& query, std::size_t wanted, std::int32_t least,
                                           const std::vector<fast::SegmentView>& views) {
  const bool only_whole = std::visit([](const auto& bound) { return bound.only_whole != 0; }, query.bound);
  BoundsRequest own;
  own.query = &query.bound;
  // Of the few that are left out by name, as many more are asked for.
  for (const fast::SegmentView& view : views) wanted += view.except.size();
  own.wanted = static_cast<std::uint32_t>(std::min<std::size_t>(wanted, std::numeric_limits<std::uint32_t>::max()));
  own.least = least;
  own.allowed = state_->numbers.allowed(views, only_whole ? &state_->snapshot->whole : nullptr);
  auto answer = state_->together.ask(own);
  if (!answer) return fail(answer.error());
  Answer out;
  out.least = answer->least;
  out.too_many = answer->too_many;
  for (const gpu::BoundedDocument& one : answer->documents) {
    const auto [segment, document] = state_->numbers.place_of(one.document);
    const auto& except = views[segment].except;
    if (std::find(except.begin(), except.end(), document) != except.end()) continue;
    out.candidates.push_back({segment, document, one.bound});
  }
  std::sort(out.candidates.begin(), out.candidates.end(), [](const Candidate& a, const Candidate& b) {
    if (a.bound != b.bound) return a.bound > b.bound;
    return a.segment != b.segment ? a.segment < b.segment : a.document < b.document;
  });
  return out;
}

}  // namespace rondo
