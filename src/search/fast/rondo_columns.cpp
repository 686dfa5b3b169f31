#include "search/fast/rondo_columns.h"

#include <algorithm>
#include <limits>

#include "search/kernels/common_notes.h"
#include "similarity/octave_cache.h"
#include "similarity/systems/rondo.h"

namespace rondo::fast {
namespace {

/// Ticks; so many times the longest melody in lanes is less than 2^31.
constexpr std::int32_t kLongestTime = 1 << 20;
static_assert(kLongestInLanes << 20U < (std::size_t{1} << 31U));

float octaves_of(std::int32_t ticks) {
  thread_local OctaveCache known;
  return static_cast<float>(known.of(ticks));
}

std::uint8_t byte_of(int value) { return static_cast<std::uint8_t>(static_cast<std::int8_t>(value)); }
int in_a_byte(int interval) { return std::clamp(interval, -127, 127); }
std::uint8_t place_of(int place) { return static_cast<std::uint8_t>(std::min(255, place / kernels::kPlaceUnit)); }

}  // namespace

RondoReader::RondoReader(const Segment& segment, std::uint32_t notes, bool rhythm)
    : segment_(segment), rhythm_(rhythm), pitch_(notes) {
  notes_.resize(notes);
  for (std::size_t code = 0; code < 256; ++code) {
    const Segment::Ticks ticks = segment.ticks_of_code(static_cast<std::uint8_t>(code));
    const bool usual =
        code != index::kException && ticks.gap >= 0 && ticks.duration > 0 && ticks.gap + ticks.duration <= kLongestTime;
    times_[code] = {ticks.gap, ticks.duration, usual ? octaves_of(ticks.duration) : 0, usual ? 0 : 1};
  }
}

bool RondoReader::read(const Segment::Notes& document, std::size_t lane) {
  return read_pitches(document, lane) && (!rhythm_ || read_times(document, lane));
}

bool RondoReader::read_pitches(const Segment::Notes& document, std::size_t lane) {
  const std::uint8_t* const codes = segment_.pitch_codes(document).data();
  const std::int16_t* const midi = segment_.midi_by_code().data();
  if (segment_.has_pitch_exceptions() &&
      std::find(codes, codes + document.count, index::kException) != codes + document.count) {
    return false;
  }
  std::int16_t low = std::numeric_limits<std::int16_t>::max();
  std::int16_t high = std::numeric_limits<std::int16_t>::min();
  std::int16_t* to = notes_.pitch.data() + lane;
  for (std::size_t j = 0; j < pitch_.size(); ++j, to += kernels::kBatch) {
    const std::int16_t pitch = midi[codes[j]];
    pitch_[j] = *to = pitch;
    low = std::min(low, pitch);
    high = std::max(high, pitch);
  }
  low_ = low;
  high_ = high;
  return high - low <= kernels::kMostRange;
}

bool RondoReader::read_times(const Segment::Notes& document, std::size_t lane) {
  const std::uint8_t* const codes = segment_.time_codes(document).data();
  const std::size_t last = pitch_.size() - 1;
  std::int32_t* length = notes_.length.data() + lane;
  float* octaves = notes_.octaves.data() + lane;
  std::int32_t all = 0;
  Time now = times_[codes[0]];
  std::int32_t unusual = now.unusual;
  for (std::size_t j = 0; j < last; ++j, length += kernels::kBatch, octaves += kernels::kBatch) {
    const Time next = times_[codes[j + 1]];
    const std::int32_t ticks = now.duration + next.gap;
    unusual |= next.unusual;
    *length = ticks;
    *octaves = next.gap == 0 ? now.octaves : octaves_of(ticks);
    all += ticks;
    now = next;
  }
  *length = now.duration;
  *octaves = now.octaves;
  if (unusual != 0) return false;
  notes_.all[lane] = last == 0 ? now.duration : all;
  notes_.average[lane] = last == 0 ? now.octaves : octaves_of(all) - octaves_of(static_cast<std::int32_t>(last));
  return true;
}

namespace {

/// Lays out batches of documents of one length.
class ColumnMaker {
 public:
  ColumnMaker(const Segment& segment, std::uint32_t notes)
      : segment_(segment), count_(notes), reader_(segment, notes, true) {
    features_.resize(notes);
  }
  void make(DocumentId begin, DocumentId end, std::uint8_t* to);

 private:
  void make_lane(DocumentId document, std::size_t lane, std::uint8_t* to) const;
  const Segment& segment_;
  std::uint32_t count_;
  RondoReader reader_;
  kernels::ExplainedColumns features_;
};

void ColumnMaker::make(DocumentId begin, DocumentId end, std::uint8_t* to) {
  const Segment::RunNotes run(segment_, begin);
  const std::size_t lanes = end - begin;
  bool one_by_one[kernels::kBatch];
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    one_by_one[lane] = !reader_.read(run[begin + static_cast<DocumentId>(lane)], lane);
    if (one_by_one[lane]) {
      // Whatever is left in the lane, it must be harmless.
      reader_.lanes().all[lane] = 1;
      for (std::size_t j = 0; j < count_; ++j) {
        reader_.lanes().length[j * kernels::kBatch + lane] = 0;
        reader_.lanes().octaves[j * kernels::kBatch + lane] = 0;
      }
    }
  }
  bool doubtful[kernels::kBatch];
  // Lengths in steps, not in what they cost.
  kernels::explained_features(reader_.lanes(), {.rhythm = true, .length = 1, .change = 1, .gap = {}}, features_,
                              doubtful);
  const std::size_t size = std::size_t{count_} * kernels::kBatch;
  for (std::size_t i = 0; i < size; ++i) to[i] = byte_of(features_.next[i]);
  for (std::size_t i = 0; i < size; ++i) to[size + i] = byte_of(features_.length[i]);
  for (std::size_t i = 0; i < size; ++i) to[2 * size + i] = byte_of(features_.change[i]);
  for (std::size_t i = 0; i < size; ++i) to[3 * size + i] = place_of(features_.place[i]);
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    if (one_by_one[lane] || doubtful[lane]) make_lane(begin + static_cast<DocumentId>(lane), lane, to);
  }
}

void ColumnMaker::make_lane(DocumentId document, std::size_t lane, std::uint8_t* to) const {
  thread_local Line line;
  thread_local explained::Features features;
  segment_.line(document, line);
  explained::make_features(line.pitch, line.onset, line.duration, features);
  const std::size_t size = std::size_t{count_} * kernels::kBatch;
  for (std::size_t j = 0; j < count_; ++j) {
    const std::size_t at = j * kernels::kBatch + lane;
    to[at] = byte_of(in_a_byte(features.next[j]));
    to[size + at] = byte_of(features.length[j]);
    to[2 * size + at] = byte_of(features.change[j]);
    to[3 * size + at] = place_of(features.place[j]);
  }
}

}  // namespace

kernels::ExplainedLossColumns RondoColumns::columns_at(const std::uint8_t* from, std::size_t notes) {
  const std::size_t size = notes * kernels::kBatch;
  const auto* const steps = reinterpret_cast<const std::int8_t*>(from);  // NOLINT: bytes with a sign
  return {notes, steps, steps + size, steps + 2 * size, from + 3 * size};
}

RondoColumns::RondoColumns(const Segment& segment) {
  std::size_t all = 0;
  for (std::size_t r = 0; r < segment.runs().size(); ++r) {
    const index::Run& run = segment.runs()[r];
    const std::size_t documents = segment.run_end(r) - run.first_document;
    starts_.push_back(all);
    notes_.push_back(run.notes);
    if (run.notes == 0 || run.notes > kLongestInLanes) continue;
    all += (documents + kernels::kBatch - 1) / kernels::kBatch * bytes_of(run.notes);
  }
  bytes_.resize(all);
  for (std::size_t r = 0; r < segment.runs().size(); ++r) {
    const index::Run& run = segment.runs()[r];
    if (run.notes == 0 || run.notes > kLongestInLanes) continue;
    ColumnMaker maker(segment, run.notes);
    std::uint8_t* to = bytes_.data() + starts_[r];
    for (DocumentId begin = run.first_document; begin < segment.run_end(r);
         begin += static_cast<DocumentId>(kernels::kBatch), to += bytes_of(run.notes)) {
      maker.make(begin, std::min(segment.run_end(r), begin + static_cast<DocumentId>(kernels::kBatch)), to);
    }
  }
}

}  // namespace rondo::fast
